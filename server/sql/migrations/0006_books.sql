-- Card payments, and the changes of a card's status that companies request.

-- The requested status while a change of the card is open. Such a card accepts no top-ups.
alter table card add column pending_status text check (pending_status in ('active', 'frozen', 'closed'));
-- For lists of cards by another status than the usual one. It stays small.
create index card_unusual on card (company_id, environment, status, id) where status <> 'active';

-- Money returns from a closed card once: per card, per late credit to a card, and per top-up.
create unique index entry_returns_once on entry (company_id, environment, reference) where kind = 'adjustment';

-- A change of a card's status. The row is committed before the issuer is asked, and at most one request is sent for it.
create table card_change (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  card_id         uuid not null,
  wanted          text not null check (wanted in ('active', 'frozen', 'closed')),
  status          text not null check (status in ('processing', 'completed', 'failed', 'manual_review')),
  -- The amount that a completed close returned to the card account.
  returned        bigint check (returned >= 0),
  failure_code    text,
  failure_message text,
  -- The requests and answers, oldest first.
  exchanges       jsonb not null default '[]',
  created_at      timestamptz(3) not null,
  status_at       timestamptz(3) not null,
  -- Processing: from then on the caller counts as dead, or the next look-up is due.
  due_at          timestamptz(3) not null,
  look_up_count   smallint not null default 0,
  primary key (company_id, environment, id),
  foreign key (company_id, environment, card_id) references card (company_id, environment, id),
  check ((status = 'failed') = (failure_code is not null)),
  check ((status = 'completed' and wanted = 'closed') = (returned is not null))
);
create unique index card_change_open on card_change (company_id, environment, card_id) where status in ('processing', 'manual_review');
create index card_change_due on card_change (due_at, id) where status = 'processing';
create index card_change_in_review on card_change (id) where status = 'manual_review';

-- The sandbox issuer's own record of the changes that it made, by the token of the request.
create table sandbox_card_effect (
  company_id uuid not null,
  token      uuid not null,
  status     text not null,
  receipt    text not null,
  created_at timestamptz(3) not null,
  primary key (company_id, token)
);

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
