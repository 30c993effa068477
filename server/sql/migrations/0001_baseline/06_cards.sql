-- Cards. A card's number is never stored, only its last four digits.

create table card (
  company_id     uuid not null,
  environment    environment not null,
  id             uuid not null,
  holder_id      uuid not null,
  -- Without a foreign key: see refuse_removal.
  product_id     text not null,
  name           text not null,
  last4          text not null check (last4 ~ '^\d{4}$'),
  status         text not null check (status in ('pending', 'active', 'frozen', 'blocked', 'expired', 'closed')),
  balance        bigint not null check (balance >= 0),
  created_at     timestamptz(3) not null,
  -- The requested status while a change of the card is open. Such a card accepts no top-ups.
  pending_status text check (pending_status in ('active', 'frozen', 'closed')),
  primary key (company_id, environment, id),
  foreign key (company_id, environment, holder_id) references holder (company_id, environment, id)
);
-- Partial, so that the planner cannot use it for a look-up by id (see operation_key).
create index card_by_holder on card (company_id, environment, holder_id, id) where holder_id is not null;
-- A card is issued once and used for years, so that the entry costs little. Its product never changes.
create index card_by_product on card (company_id, environment, product_id, id);
-- For lists of cards by another status than the usual one. It stays small.
create index card_unusual on card (company_id, environment, status, id) where status <> 'active';
