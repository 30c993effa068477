-- The changes of a card's status that companies request.

-- The row is committed before the issuer is asked, and at most one request is sent for it.
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
  created_at      timestamptz(3) not null,
  status_at       timestamptz(3) not null,
  look_up_count   smallint not null default 0,
  primary key (company_id, environment, id),
  foreign key (company_id, environment, card_id) references card (company_id, environment, id),
  check ((status = 'failed') = (failure_code is not null)),
  check ((status = 'completed' and wanted = 'closed') = (returned is not null))
);
create unique index card_change_open on card_change (company_id, environment, card_id) where status in ('processing', 'manual_review');
-- It stays small: it contains only what is waiting.
create index card_change_in_review on card_change (id) where status = 'manual_review';
