-- Operations that companies order. The table is also the queue from which the worker claims.

create table operation (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  type            text not null,
  status          text not null default 'queued',
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
  -- Queued: not to be claimed before this. Processing: from then on the claimer counts as dead, or the next look-up is due.
  due_at          timestamptz(3) not null,
  -- When the first request may have left for the issuer, and how many requests certainly did not leave.
  claimed_at      timestamptz(3),
  unsent_count    smallint not null default 0,
  look_up_count   smallint not null default 0,
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
);
-- Partial, although no key is null, so that the planner cannot use it for a look-up by id. Without statistics it considers
-- two indexes with the same first columns equally good, and would read all of a company's operations for each look-up.
create unique index operation_key on operation (company_id, environment, idempotency_key) where idempotency_key is not null;
-- These indexes stay small: they contain only what is waiting, however long the history is.
create index operation_queued on operation (due_at, id) where status = 'queued';
create index operation_processing on operation (due_at, id) where status = 'processing';
create index operation_in_review on operation (id) where status = 'manual_review';
-- Without the waiting ones: they have indexes of their own, and every index costs each accepted operation something.
create index operation_unusual on operation (company_id, environment, status, id) where status in ('failed', 'manual_review');
create index operation_by_card on operation (company_id, environment, card_id, id) where card_id is not null;

-- Requests to the issuer and its answers, except for requests that were confirmed at once.
create table exchange (
  company_id   uuid not null,
  environment  environment not null,
  operation_id uuid not null,
  id           uuid not null,
  purpose      text not null check (purpose in ('request', 'look_up')),
  sent         jsonb not null,
  received     jsonb,
  outcome      text not null check (outcome in ('confirmed', 'declined', 'not_sent', 'unknown')),
  started_at   timestamptz(3) not null,
  finished_at  timestamptz(3),
  primary key (company_id, environment, operation_id, id)
);
create trigger exchange_append_only before update or delete or truncate on exchange
  for each statement execute function refuse_change();

-- The sandbox issuer's own record of what it did, by the token of the request. It survives a restart.
create table sandbox_effect (
  company_id uuid not null,
  token      uuid not null,
  kind       text not null check (kind in ('issue', 'topup', 'service')),
  amount     bigint not null,
  receipt    text not null,
  last4      text,
  created_at timestamptz(3) not null,
  primary key (company_id, token)
);
