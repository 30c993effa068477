-- What is asked of the issuers and not settled, and what was said between them and this server: requests and their answers, the events of the live issuer, and the book of
-- the sandbox issuer.

-- Everything that is asked of an issuer and is not settled: operations, invoices that are being created, and card changes.
create table issuer_request (
  company_id  uuid not null,
  environment environment not null,
  -- The id of the object.
  id          uuid not null,
  status      text not null,
  -- Queued: not to be claimed before this. Processing: from then on the claimer counts as dead, or the next look-up is due.
  due_at      timestamptz(3) not null,
  -- What the account holds for it: the amount and the fee of an operation, and nothing for others.
  held        bigint not null,
  -- What is asked for, in the words of the issuer's port.
  kind        text not null,
  primary key (company_id, environment, id),
  -- One constraint for both columns, because PostgreSQL prepares each of them again for every batch.
  constraint issuer_request_check check (
    status in ('queued', 'processing', 'manual_review') and kind in ('issue', 'topup', 'service', 'invoice', 'card_status'))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
-- By company, so that a claim can take turns between companies.
create index issuer_request_queued on issuer_request (environment, company_id, due_at) where status = 'queued';
-- Each issuer has its own queues, so that one that is out of service does not hold up the other.
create index issuer_request_processing on issuer_request (environment, due_at, id) where status = 'processing';
create index issuer_request_in_review on issuer_request (id) where status = 'manual_review';

-- Requests to the issuer and its answers, whether they are about an operation, an invoice or a card change, except for requests
-- that were confirmed at once.
create table exchange (
  company_id  uuid not null,
  environment environment not null,
  object_id   uuid not null,
  id          uuid not null,
  purpose     text not null check (purpose in ('request', 'look_up')),
  sent        jsonb not null,
  received    jsonb,
  outcome     text not null check (outcome in ('confirmed', 'declined', 'not_sent', 'absent', 'unknown')),
  started_at  timestamptz(3) not null,
  finished_at timestamptz(3),
  primary key (company_id, environment, object_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The evidence about an object stays as long as the object can still change.
create function check_exchange_removal() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE'
    or exists (
      select from operation o where o.company_id = old.company_id and o.environment = old.environment and o.id = old.object_id
        and o.status not in ('completed', 'failed'))
    or exists (
      select from card_change c where c.company_id = old.company_id and c.environment = old.environment and c.id = old.object_id
        and c.status not in ('completed', 'failed'))
    or exists (
      select from invoice i where i.company_id = old.company_id and i.environment = old.environment and i.id = old.object_id
        and i.status not in ('completed', 'failed', 'expired'))
  then
    raise exception 'exchange is append-only while its object is open' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create trigger exchange_append_only before update or delete or truncate on exchange
  for each statement execute function refuse_change_unless_erasing();
create trigger exchange_removal before update or delete on exchange
  for each row execute function check_exchange_removal();

-- Events of the live issuer that were accepted, so that a repeated event is recognised.
create table issuer_event (
  id          text primary key check (length(id) between 1 and 200),
  type        text not null,
  digest      bytea not null check (length(digest) = 32),
  received_at timestamptz(3) not null
);
create trigger issuer_event_append_only before update or delete or truncate on issuer_event
  for each statement execute function refuse_change();

-- The sandbox issuer's own record of what it did, by the token of the request. It survives a restart. It also holds requests that
-- it was told to leave open, and fences: tokens that a look-up did not find and that are refused from then on. One key for all of
-- them, so that an effect and a fence exclude each other.
create table sandbox_effect (
  company_id uuid not null,
  token      uuid not null,
  kind       text not null,
  amount     bigint,
  receipt    text,
  last4      text,
  created_at timestamptz(3) not null,
  primary key (company_id, token),
  constraint sandbox_effect_kind_check check (case kind
    when 'issue' then amount is not null and receipt is not null and last4 is not null
    when 'topup' then amount is not null and receipt is not null
    when 'service' then amount is not null and receipt is not null
    when 'invoice' then amount is not null and receipt is not null
    when 'card_status' then receipt is not null
    when 'left_open' then receipt is null
    when 'fence' then receipt is null
    else false
  end)
);
