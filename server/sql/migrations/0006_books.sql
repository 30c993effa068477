-- The books that companies read: card payments, and the changes of a card's status that they ask for.

-- Set while a change of the card is open: the status that was asked for. Such a card takes no top-ups.
alter table card add column pending_status text check (pending_status in ('active', 'frozen', 'closed'));
-- Small on purpose: lists of cards by a status other than the usual one.
create index card_unusual on card (company_id, environment, status, id) where status <> 'active';

-- What comes back from a closed card comes back once: per card, per late credit of a card, per top-up.
create unique index entry_returns_once on entry (company_id, environment, reference) where kind = 'adjustment';

-- A change of a card's status. The row is committed before the issuer is asked, and at most one request leaves for it.
create table card_change (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  card_id         uuid not null,
  wanted          text not null check (wanted in ('active', 'frozen', 'closed')),
  status          text not null check (status in ('processing', 'completed', 'failed', 'manual_review')),
  -- Of a completed close: what came back to the card account.
  returned        bigint check (returned >= 0),
  failure_code    text,
  failure_message text,
  -- What was sent and what came back, oldest first.
  exchanges       jsonb not null default '[]',
  created_at      timestamptz(3) not null,
  status_at       timestamptz(3) not null,
  -- Processing: after this the asker is taken for dead, or the next look-up is due.
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

-- The sandbox issuer's own book of the changes that it made, by the token of the request.
create table sandbox_card_effect (
  company_id uuid not null,
  token      uuid not null,
  status     text not null,
  receipt    text not null,
  created_at timestamptz(3) not null,
  primary key (company_id, token)
);

-- Card payments, as the issuer reports them. They move the card's balance, never the card account.
create table transaction (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  card_id     uuid not null,
  -- The issuer's own id: a report that comes twice is one transaction.
  issuer_id   text not null check (length(issuer_id) between 1 and 255),
  type        text not null check (type in ('purchase', 'refund', 'withdrawal', 'verification', 'fee', 'adjustment')),
  status      text not null check (status in ('pending', 'settled', 'declined', 'reversed', 'expired')),
  -- Signed, debits negative, in hundredths of `currency`; and what that is on the card, in cents.
  amount      bigint not null,
  currency    text not null check (currency ~ '^[A-Z]{3}$'),
  card_amount bigint not null,
  -- What it has moved on the card's balance so far. Less than card_amount only where the card had less.
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
-- The list's order; and one for each filter that would otherwise read past most of the rows.
create index transaction_by_time on transaction (company_id, environment, occurred_at, id);
create index transaction_by_card on transaction (company_id, environment, card_id, occurred_at, id);
create index transaction_unusual_status on transaction (company_id, environment, status, occurred_at, id) where status <> 'settled';
create index transaction_unusual_type on transaction (company_id, environment, type, occurred_at, id) where type <> 'purchase';
