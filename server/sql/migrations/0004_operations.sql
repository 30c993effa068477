-- Operations: what companies ask for. The table is also the queue that the worker claims from.

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
  -- The card to load; of an issue, the card that completing it made.
  card_id         uuid,
  name            text,
  recipient       text,
  receipt         text,
  failure_code    text,
  failure_message text,
  idempotency_key text collate "C" not null,
  request_digest  bytea not null,
  created_at      timestamptz(3) not null,
  -- Since when it has its status.
  status_at       timestamptz(3) not null,
  -- Queued: not to be claimed before. Processing: after this the claimer is taken for dead, or the next look-up is due.
  due_at          timestamptz(3) not null,
  -- When a request to the issuer may first have left, and how often one was tried that certainly did not leave.
  claimed_at      timestamptz(3),
  unsent_count    smallint not null default 0,
  look_up_count   smallint not null default 0,
  primary key (company_id, environment, id),
  -- Few, because the database prepares each of them anew for every batch.
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
-- Partial, though no key is null: so the planner cannot take it for a look-up by id. While it has no statistics it takes
-- two indexes that begin alike for equally good, and would read all of a company's operations for each.
create unique index operation_key on operation (company_id, environment, idempotency_key) where idempotency_key is not null;
-- Small on purpose: they hold only what is waiting, however long the history is.
create index operation_queued on operation (due_at, id) where status = 'queued';
create index operation_processing on operation (due_at, id) where status = 'processing';
create index operation_in_review on operation (id) where status = 'manual_review';
-- Not the waiting ones: they have their own, and every index costs each accepted operation its share.
create index operation_unusual on operation (company_id, environment, status, id) where status in ('failed', 'manual_review');
create index operation_by_card on operation (company_id, environment, card_id, id) where card_id is not null;

-- What was sent to the issuer and what came back, wherever the first answer was not a plain confirmation.
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

-- The sandbox issuer's own book: what it did, by the token of the request. A restart loses nothing of it.
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
