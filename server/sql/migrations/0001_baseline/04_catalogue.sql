-- Products and their prices, and the catalogue that a new installation begins with. An operator adds and retires products, and
-- changes prices from a given time on, for every company or for one.

create table product (
  id          text primary key check (id ~ '^prod_[a-z0-9_]{1,60}$'),
  kind        text not null check (kind in ('card', 'service')),
  name        text not null,
  description text not null,
  currency    text not null default 'USD' check (currency = 'USD'),
  position    integer not null,
  retired_at  timestamptz(3)
);

-- Amounts are in cents, rates in parts per million. A card product has a price for issue and one for topup.
-- A price is in force from valid_from until a later one is. Of two that begin at the same time, the one with the greater id
-- is the later one. A company's own price goes before the general one. Rows are only ever added.
create table price (
  product_id     text not null references product,
  operation_type text not null check (operation_type in ('issue', 'topup', 'service')),
  flat_fee       bigint not null default 0 check (flat_fee >= 0),
  rate_ppm       bigint not null default 0 check (rate_ppm between 0 and 1000000),
  minimum_fee    bigint not null default 0 check (minimum_fee >= 0),
  minimum_amount bigint check (minimum_amount > 0),
  maximum_amount bigint check (maximum_amount >= minimum_amount),
  fixed_price    bigint check (fixed_price > 0),
  id             uuid primary key,
  -- Null: for every company.
  company_id     uuid references company,
  valid_from     timestamptz(3) not null,
  created_at     timestamptz(3) not null
);
create index price_by_product on price (product_id, id);

insert into product (id, kind, name, description, position) values
  ('prod_card_virtual', 'card', 'Virtual card', 'A virtual USD card for online payments', 1),
  ('prod_card_advertising', 'card', 'Advertising card', 'A virtual USD card for advertising platforms', 2),
  ('prod_service_esim', 'service', 'Travel eSIM', 'A data eSIM sent to the recipient by e-mail', 3),
  ('prod_service_mobile', 'service', 'Mobile top-up', 'Credit for a prepaid mobile number', 4),
  ('prod_service_vpn', 'service', 'VPN, one year', 'A one-year VPN subscription at a fixed price', 5);

-- SPEC: "Card issuance cost: 3 USD plus 0.2% of the initial card funding, minimum 10 USD"; "Card top-up cost: 0.2%, minimum 10 USD".
insert into price (id, product_id, operation_type, flat_fee, rate_ppm, minimum_amount, maximum_amount, fixed_price, valid_from, created_at)
values
  ('00000000-0000-7000-8000-000000000001', 'prod_card_advertising', 'issue', 300, 2000, 1000, null, null, 'epoch', 'epoch'),
  ('00000000-0000-7000-8000-000000000002', 'prod_card_advertising', 'topup', 0, 2000, 1000, null, null, 'epoch', 'epoch'),
  ('00000000-0000-7000-8000-000000000003', 'prod_card_virtual', 'issue', 300, 2000, 1000, null, null, 'epoch', 'epoch'),
  ('00000000-0000-7000-8000-000000000004', 'prod_card_virtual', 'topup', 0, 2000, 1000, null, null, 'epoch', 'epoch'),
  ('00000000-0000-7000-8000-000000000005', 'prod_service_esim', 'service', 50, 10000, 300, 20000, null, 'epoch', 'epoch'),
  ('00000000-0000-7000-8000-000000000006', 'prod_service_mobile', 'service', 25, 15000, 500, 50000, null, 'epoch', 'epoch'),
  ('00000000-0000-7000-8000-000000000007', 'prod_service_vpn', 'service', 0, 0, null, null, 4900, 'epoch', 'epoch');

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

-- Cards and operations have no foreign key to the product, which would lock that one row for every card. The product is looked up
-- when an operation is accepted, and this keeps it.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a % is never removed', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger product_stays before delete or truncate on product for each statement execute function refuse_removal();
create trigger price_append_only before update or delete or truncate on price
  for each statement execute function refuse_change();
