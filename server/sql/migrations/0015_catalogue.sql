-- Products that an operator manages: they can be retired, and their prices change from a given time on, for every company
-- or for one.
alter table product add column retired_at timestamptz(3);

-- A price is in force from valid_from until a later one is. Of two that begin at the same time, the one with the greater id
-- is the later one. A company's own price goes before the general one. Rows are only ever added.
alter table price
  add column id uuid,
  add column company_id uuid references company,
  add column valid_from timestamptz(3) not null default 'epoch',
  add column created_at timestamptz(3) not null default 'epoch';
update price p set id = ('00000000-0000-7000-8000-' || lpad(n.number::text, 12, '0'))::uuid
from (select product_id, operation_type, row_number() over (order by product_id, operation_type) as number from price) n
where n.product_id = p.product_id and n.operation_type = p.operation_type;
alter table price
  drop constraint price_pkey,
  alter column valid_from drop default,
  alter column created_at drop default,
  add primary key (id);
create index price_by_product on price (product_id, id);
create trigger price_append_only before update or delete or truncate on price
  for each statement execute function refuse_change();

-- Every process keeps the catalogue in memory and reads this number a few times a second; a change makes it read again.
create table catalog_version (
  only_row boolean primary key default true check (only_row),
  version  bigint not null
);
insert into catalog_version (version) values (1);

create function bump_catalog_version() returns trigger language plpgsql as $$
begin
  update catalog_version set version = version + 1;
  return null;
end $$;
create trigger product_changed after insert or update on product
  for each statement execute function bump_catalog_version();
create trigger price_changed after insert on price
  for each statement execute function bump_catalog_version();
