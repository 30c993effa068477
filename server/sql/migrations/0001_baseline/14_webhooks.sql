-- Webhook endpoints, the secrets that sign for them, and the delivery of events.

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
  ciphertext  bytea not null,
  key_id      text not null,
  created_at  timestamptz(3) not null,
  expires_at  timestamptz(3),
  primary key (company_id, environment, endpoint_id, id),
  foreign key (company_id, environment, endpoint_id) references webhook_endpoint (company_id, environment, id) on delete cascade
);

-- The delivery queue of an endpoint, one row each. A worker claims a queue, not a delivery, so an endpoint has one sender at a
-- time, and the cost of a claim depends neither on the length of the queue nor on other queues.
create table delivery_queue (
  company_id      uuid not null,
  environment     environment not null,
  endpoint_id     uuid not null,
  -- When its first delivery is due, or null when none is waiting or the endpoint is disabled.
  due_at          timestamptz(3),
  -- No worker may claim it before this: it is claimed until then, or paused after failures.
  not_before      timestamptz(3) not null,
  -- The worker that has its lease.
  worker_id       uuid,
  -- Consecutive failures since the last success.
  failures        integer not null default 0,
  failing_since   timestamptz(3),
  last_success_at timestamptz(3),
  -- Events after the first id and up to the second still have to be queued again.
  recover_after   uuid,
  recover_until   uuid,
  primary key (company_id, environment, endpoint_id),
  foreign key (company_id, environment, endpoint_id) references webhook_endpoint (company_id, environment, id) on delete cascade
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);
-- Separate indexes, so that failing endpoints, however many, never come before one that works.
create index delivery_queue_ready on delivery_queue (greatest(due_at, not_before)) where due_at is not null and failures = 0;
create index delivery_queue_failing on delivery_queue (greatest(due_at, not_before)) where due_at is not null and failures > 0;
create index delivery_queue_recovering on delivery_queue (endpoint_id) where recover_after is not null;

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
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
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
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- The console shows the newest attempts to deliver to one endpoint.
create index webhook_attempt_by_endpoint on webhook_attempt (company_id, environment, endpoint_id, id);
