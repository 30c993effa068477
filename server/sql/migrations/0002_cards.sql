-- Products and prices, cardholders, and cards. A card's number is never stored, only its last four digits.

create table product (
  id          text primary key check (id ~ '^prod_[a-z0-9_]{1,60}$'),
  kind        text not null check (kind in ('card', 'service')),
  name        text not null,
  description text not null,
  currency    text not null default 'USD' check (currency = 'USD'),
  position    integer not null
);

-- Amounts are in cents, rates in parts per million. A card product has a price for issue and one for topup.
create table price (
  product_id     text not null references product,
  operation_type text not null check (operation_type in ('issue', 'topup', 'service')),
  flat_fee       bigint not null default 0 check (flat_fee >= 0),
  rate_ppm       bigint not null default 0 check (rate_ppm between 0 and 1000000),
  minimum_fee    bigint not null default 0 check (minimum_fee >= 0),
  minimum_amount bigint check (minimum_amount > 0),
  maximum_amount bigint check (maximum_amount >= minimum_amount),
  fixed_price    bigint check (fixed_price > 0),
  primary key (product_id, operation_type)
);

insert into product (id, kind, name, description, position) values
  ('prod_card_virtual', 'card', 'Virtual card', 'A virtual USD card for online payments', 1),
  ('prod_card_advertising', 'card', 'Advertising card', 'A virtual USD card for advertising platforms', 2),
  ('prod_service_esim', 'service', 'Travel eSIM', 'A data eSIM sent to the recipient by e-mail', 3),
  ('prod_service_mobile', 'service', 'Mobile top-up', 'Credit for a prepaid mobile number', 4),
  ('prod_service_vpn', 'service', 'VPN, one year', 'A one-year VPN subscription at a fixed price', 5);

-- SPEC: "Card issuance cost: 3 USD plus 0.2% of the initial card funding, minimum 10 USD"; "Card top-up cost: 0.2%, minimum 10 USD".
insert into price (product_id, operation_type, flat_fee, rate_ppm, minimum_amount, maximum_amount, fixed_price) values
  ('prod_card_virtual', 'issue', 300, 2000, 1000, null, null),
  ('prod_card_virtual', 'topup', 0, 2000, 1000, null, null),
  ('prod_card_advertising', 'issue', 300, 2000, 1000, null, null),
  ('prod_card_advertising', 'topup', 0, 2000, 1000, null, null),
  ('prod_service_esim', 'service', 50, 10000, 300, 20000, null),
  ('prod_service_mobile', 'service', 25, 15000, 500, 50000, null),
  ('prod_service_vpn', 'service', 0, 0, null, null, 4900);

create table holder (
  company_id      uuid not null references company,
  environment     environment not null,
  id              uuid not null,
  name            text not null,
  email           text not null,
  kind            text not null check (kind in ('individual', 'corporate')),
  status          text not null check (status in ('pending', 'active', 'blocked', 'inactive')),
  external_id     text,
  idempotency_key text,
  request_digest  bytea,
  created_at      timestamptz(3) not null,
  primary key (company_id, environment, id)
);
-- Partial, so that the planner cannot use it for a look-up by id (see operation_key).
create unique index holder_key on holder (company_id, environment, idempotency_key) where idempotency_key is not null;

create table card (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  holder_id   uuid not null,
  product_id  text not null,
  name        text not null,
  last4       text not null check (last4 ~ '^\d{4}$'),
  status      text not null check (status in ('pending', 'active', 'frozen', 'blocked', 'expired', 'closed')),
  balance     bigint not null check (balance >= 0),
  created_at  timestamptz(3) not null,
  primary key (company_id, environment, id),
  foreign key (company_id, environment, holder_id) references holder (company_id, environment, id)
);
-- Replaces a foreign key to the product, which would lock that one row for every card. The product was looked up when the
-- operation was accepted, and products are never removed.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'a % is never removed', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger product_stays before delete or truncate on product for each statement execute function refuse_removal();
-- Partial, so that the planner cannot use it for a look-up by id (see operation_key).
create index card_by_holder on card (company_id, environment, holder_id, id) where holder_id is not null;
