-- Operations that companies order, and the operations of each card. The queue from which the worker claims them is issuer_request.

create table operation (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  type            text not null,
  status          text not null,
  amount          bigint not null,
  fee             bigint not null,
  product_id      text not null,
  holder_id       uuid,
  -- The card to load, or the card that a completed issue created.
  card_id         uuid,
  name            text,
  recipient       text,
  receipt         text,
  failure_code    text,
  failure_message text,
  idempotency_key text collate "C" not null,
  request_digest  bytea not null,
  created_at      timestamptz(3) not null,
  -- When it got its status.
  status_at       timestamptz(3) not null,
  -- Written once and never read: issuer_request has the time that counts. A later release drops it, with the trigger below.
  due_at          timestamptz(3) not null,
  -- When the first request may have left for the issuer, and how many requests certainly did not leave.
  claimed_at      timestamptz(3),
  unsent_count    smallint not null default 0,
  look_up_count   smallint not null default 0,
  -- The sequence of the operation's newest event. Its acceptance is the first event; see event_log.
  event_count     integer not null default 1,
  primary key (company_id, environment, id),
  -- Few constraints, because PostgreSQL prepares each of them again for every batch.
  check (amount > 0 and fee >= 0),
  check (case type
    when 'issue' then holder_id is not null and name is not null and recipient is null
    when 'topup' then holder_id is null and name is null and recipient is null and card_id is not null
    when 'service' then holder_id is null and name is null and recipient is not null
    else false
  end),
  check (case status
    when 'queued' then failure_code is null
    when 'processing' then failure_code is null
    when 'completed' then failure_code is null and receipt is not null and (type = 'service') = (card_id is null)
    when 'failed' then failure_code is not null
    when 'manual_review' then failure_code is null
    else false
  end)
) with (
  -- A claim and a settlement each write a new version of the row, the second with the receipt. A page that is a little more than
  -- half empty has room for it, and then no index needs a new entry.
  fillfactor = 45,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);
-- No index of this table has a column that a claim or a success changes, because PostgreSQL would then write a new entry into every
-- index of it each time (ADR 11). So what is in the queue and the operations of a card have tables of their own.
--
-- Partial, although no key is null, so that the planner cannot use it for a look-up by id. Without statistics it considers
-- two indexes with the same first columns equally good, and would read all of a company's operations for each look-up.
create unique index operation_key on operation (company_id, environment, idempotency_key) where idempotency_key is not null;
-- Only an operation that fails changes its failure_code, so this index stands in the way of no other change.
create index operation_failed on operation (company_id, environment, id) where failure_code is not null;

-- Refuses the calls of early pre-releases, whose queue was in `operation` itself.
create function refuse_former_queue() returns trigger
language plpgsql as $$
begin
  raise 'the queue of operations has moved to open_operation; repeat the call' using errcode = 'serialization_failure';
end $$;
create trigger operation_queue_moved before update of due_at on operation
  for each statement execute function refuse_former_queue();

-- The issue that created a card, and the top-ups of it. An issue knows its card only when it completes.
create table card_operation (
  company_id  uuid not null,
  environment environment not null,
  card_id     uuid not null,
  id          uuid not null,
  primary key (company_id, environment, card_id, id)
);
