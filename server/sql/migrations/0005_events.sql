-- Events and their delivery. An event and its deliveries, one per enabled endpoint that asks for it, are written in the
-- transaction that changes the object. Events, deliveries and attempts are kept for 30 days.

-- The sequence of the operation's newest event. Its acceptance is the first event; see event_log.
alter table operation add column event_count integer not null default 1;

-- Whether the company has ever had a webhook endpoint in this environment. Functions read it under the lock that every
-- money write takes anyway, so a company without endpoints pays nothing for deliveries.
alter table account add column has_endpoints boolean not null default false;

-- When the company was told that the key is about to expire. The triggers do not watch it, because it changes no right.
alter table api_key add column expiry_told_at timestamptz(3);
create index api_key_expiring on api_key (expires_at) where expires_at is not null and expiry_told_at is null and revoked_at is null;

create table event (
  company_id  uuid not null,
  environment environment not null,
  -- See event_id. Its time is created_at, and the events of an object sort by sequence.
  id          uuid not null,
  type        text not null,
  object_id   uuid not null,
  sequence    integer not null,
  -- Null for operations: their state follows from the event's type and from columns that do not change.
  data        jsonb,
  created_at  timestamptz(3) not null,
  primary key (company_id, environment, id),
  check (case when starts_with(type, 'operation.') then data is null and sequence > 1 else data is not null and sequence > 0 end)
);
-- An operation that was certainly not sent is queued again. There are few such events, and listing them must not read all.
create index event_queued_again on event (company_id, environment, id) where type = 'operation.queued';

-- All events. An operation's first event is the operation itself, with the same id: everything in it is already there, and
-- a row of its own would add a seventh to what accepting costs the database (measured).
create view event_log as
  select company_id, environment, id, type, object_id, sequence, data, created_at from event
  union all
  select company_id, environment, id, 'operation.queued', id, 1, null, created_at from operation;

-- The sequence of the newest event of every object that is not an operation. A card has no row before its second event.
create table event_counter (
  company_id  uuid not null,
  environment environment not null,
  object_id   uuid not null,
  sequence    integer not null,
  primary key (company_id, environment, object_id)
);

create table webhook_endpoint (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  url             text not null,
  -- Event types, or the single element '*'.
  events          text[] not null check (cardinality(events) > 0),
  description     text,
  status          text not null default 'enabled' check (status in ('enabled', 'disabled')),
  disabled_reason text check (disabled_reason in ('request', 'gone', 'failures')),
  created_at      timestamptz(3) not null,
  primary key (company_id, environment, id),
  foreign key (company_id, environment) references account (company_id, environment),
  check ((status = 'disabled') = (disabled_reason is not null))
);

-- The secrets that sign for an endpoint. The newest does not expire; an older one expires after the overlap of its rotation.
create table webhook_secret (
  company_id  uuid not null,
  environment environment not null,
  endpoint_id uuid not null,
  id          uuid not null,
  -- Nonce, ciphertext and tag of AES-256-GCM, encrypted with the key named key_id.
  sealed      bytea not null,
  key_id      text not null,
  created_at  timestamptz(3) not null,
  expires_at  timestamptz(3),
  primary key (company_id, environment, endpoint_id, id),
  foreign key (company_id, environment, endpoint_id) references webhook_endpoint (company_id, environment, id) on delete cascade
);

-- The delivery queue of an endpoint, one row each. A worker claims a queue, not a delivery, so an endpoint has one sender at a
-- time, and the cost of a claim depends neither on the length of the queue nor on other queues.
create table webhook_line (
  company_id      uuid not null,
  environment     environment not null,
  endpoint_id     uuid not null,
  -- When its first delivery is due, or null when none is waiting or the endpoint is disabled.
  due_at          timestamptz(3),
  -- No worker may claim it before this: it is claimed until then, or paused after failures.
  not_before      timestamptz(3) not null,
  holder          uuid,
  -- Consecutive failures since the last success.
  failures        integer not null default 0,
  failing_since   timestamptz(3),
  last_success_at timestamptz(3),
  -- Events after the first id and up to the second still have to be queued again.
  recover_after   uuid,
  recover_until   uuid,
  primary key (company_id, environment, endpoint_id),
  foreign key (company_id, environment, endpoint_id) references webhook_endpoint (company_id, environment, id) on delete cascade
) with (fillfactor = 50);
-- Separate indexes, so that failing endpoints, however many, never come before one that works.
create index webhook_line_ready on webhook_line (greatest(due_at, not_before)) where due_at is not null and failures = 0;
create index webhook_line_failing on webhook_line (greatest(due_at, not_before)) where due_at is not null and failures > 0;
create index webhook_line_recovering on webhook_line (endpoint_id) where recover_after is not null;

create table delivery (
  company_id    uuid not null,
  environment   environment not null,
  event_id      uuid not null,
  endpoint_id   uuid not null,
  status        text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempt_count smallint not null default 0,
  -- How often a resend was requested. An attempt that began before the last request does not count.
  resend_count  integer not null default 0,
  due_at        timestamptz(3) not null,
  primary key (company_id, environment, event_id, endpoint_id)
);
create index delivery_pending on delivery (company_id, environment, endpoint_id, due_at, event_id) where status = 'pending';

create table webhook_attempt (
  company_id  uuid not null,
  environment environment not null,
  event_id    uuid not null,
  id          uuid not null,
  endpoint_id uuid not null,
  number      smallint not null,
  -- Null when there was no answer; then `error` says why.
  status_code smallint,
  error       text,
  latency_ms  integer not null,
  -- The first part of the answer.
  response    text,
  started_at  timestamptz(3) not null,
  primary key (company_id, environment, event_id, id)
);
