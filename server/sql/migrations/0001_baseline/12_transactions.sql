-- Card payments, as the issuer reports them. They change the card's balance, never the card account.

create table transaction (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  card_id     uuid not null,
  -- The issuer's own id. Two reports with the same id are one transaction.
  issuer_id   text not null check (length(issuer_id) between 1 and 255),
  type        text not null check (type in ('purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment')),
  status      text not null check (status in ('pending', 'settled', 'declined', 'reversed', 'expired')),
  -- Signed, with debits negative, in hundredths of `currency`; card_amount is the amount on the card, in cents.
  amount      bigint not null,
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  card_amount bigint not null,
  -- How much it has changed the card's balance so far. It differs from card_amount only when the card had less.
  applied     bigint not null,
  merchant    text not null,
  country     text not null check (country ~ '^([A-Z]{2})?$'),
  description text not null,
  occurred_at timestamptz(3) not null,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  primary key (company_id, environment, id),
  unique (company_id, environment, issuer_id),
  foreign key (company_id, environment, card_id) references card (company_id, environment, id)
);
-- The order of the list, and one index for each filter that would otherwise skip most of the rows.
create index transaction_by_time on transaction (company_id, environment, occurred_at, id);
create index transaction_by_card on transaction (company_id, environment, card_id, occurred_at, id);
create index transaction_unusual_status on transaction (company_id, environment, status, occurred_at, id) where status <> 'settled';
create index transaction_unusual_type on transaction (company_id, environment, type, occurred_at, id) where type <> 'purchase';
