-- The schema after all migrations, for reading. Written by `npm run generate`; sql/ is the source.

create type environment as enum ('sandbox', 'live');

create type reference_type as enum ('op', 'inv', 'rev', 'fund', 'card', 'txn');

create table access_version (
  only_row boolean not null default true,
  version  bigint not null,
  constraint access_version_pkey PRIMARY KEY (only_row),
  constraint access_version_only_row_check CHECK (only_row)
);

create table account (
  company_id    uuid not null,
  environment   environment not null,
  available     bigint not null default 0,
  held          bigint not null default 0,
  sequence      bigint not null default 0,
  last_entry_at timestamp(3) with time zone not null,
  issued_month  date not null default '1970-01-01'::date,
  issued_count  integer not null default 0,
  has_endpoints boolean not null default false,
  constraint account_pkey PRIMARY KEY (company_id, environment),
  constraint account_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint account_available_check CHECK ((available >= 0)),
  constraint account_held_check CHECK ((held >= 0)),
  constraint account_issued_count_check CHECK ((issued_count >= 0))
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);

create table api_key (
  company_id     uuid not null,
  id             uuid not null,
  environment    environment not null,
  name           text not null,
  digest         bytea not null,
  prefix         text not null,
  last4          text not null,
  scopes         text[] not null,
  allowed_cidrs  text[] not null default '{}'::text[],
  created_at     timestamp(3) with time zone not null,
  expires_at     timestamp(3) with time zone,
  revoked_at     timestamp(3) with time zone,
  last_used_at   timestamp(3) with time zone,
  expiry_told_at timestamp(3) with time zone,
  successor_id   uuid,
  constraint api_key_pkey PRIMARY KEY (company_id, id),
  constraint api_key_digest_key UNIQUE (digest),
  constraint api_key_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint api_key_company_id_successor_id_fkey FOREIGN KEY (company_id, successor_id) REFERENCES api_key(company_id, id),
  constraint api_key_digest_check CHECK ((length(digest) = 32)),
  constraint api_key_last4_check CHECK ((length(last4) = 4)),
  constraint api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
) with (fillfactor=60);
CREATE INDEX api_key_by_expiry ON public.api_key USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX api_key_expiring ON public.api_key USING btree (expires_at) WHERE ((expires_at IS NOT NULL) AND (expiry_told_at IS NULL) AND (revoked_at IS NULL));
CREATE INDEX api_key_working ON public.api_key USING btree (company_id, environment, COALESCE(expires_at, 'infinity'::timestamp with time zone)) WHERE (revoked_at IS NULL);
CREATE TRIGGER api_key_changed AFTER DELETE OR UPDATE OF expires_at, revoked_at, scopes, allowed_cidrs ON public.api_key FOR EACH STATEMENT EXECUTE FUNCTION bump_access_version();

create table audit_log (
  id         uuid not null,
  company_id uuid,
  actor      text not null,
  action     text not null,
  object     text,
  details    jsonb not null default '{}'::jsonb,
  address    text,
  request_id text,
  created_at timestamp(3) with time zone not null,
  actor_kind text,
  actor_id   uuid,
  actor_name text,
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_actor_known CHECK (((actor_id IS NULL) = (COALESCE(actor_kind, 'program'::text) = ANY (ARRAY['program'::text, 'issuer'::text]))))
);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor_id, id) WHERE (actor_id IS NOT NULL);
CREATE INDEX audit_log_by_company ON public.audit_log USING btree (company_id, id);
CREATE INDEX audit_log_by_object ON public.audit_log USING btree (object, id);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_unless_erasing();
CREATE TRIGGER audit_log_erasure BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION check_audit_erasure();

create table card (
  company_id     uuid not null,
  environment    environment not null,
  id             uuid not null,
  holder_id      uuid not null,
  product_id     text not null,
  name           text not null,
  last4          text not null,
  status         text not null,
  balance        bigint not null,
  created_at     timestamp(3) with time zone not null,
  pending_status text,
  unreported     bigint,
  constraint card_pkey PRIMARY KEY (company_id, environment, id),
  constraint card_company_id_environment_holder_id_fkey FOREIGN KEY (company_id, environment, holder_id) REFERENCES holder(company_id, environment, id),
  constraint card_balance_check CHECK ((balance >= 0)),
  constraint card_last4_check CHECK ((last4 ~ '^\d{4}$'::text)),
  constraint card_pending_status_check CHECK ((pending_status = ANY (ARRAY['active'::text, 'frozen'::text, 'closed'::text]))),
  constraint card_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'frozen'::text, 'blocked'::text, 'expired'::text, 'closed'::text])))
);
CREATE INDEX card_by_holder ON public.card USING btree (company_id, environment, holder_id, id) WHERE (holder_id IS NOT NULL);
CREATE INDEX card_by_last4 ON public.card USING btree (company_id, environment, last4 COLLATE "C", id);
CREATE INDEX card_by_name ON public.card USING btree (company_id, environment, lower(name) COLLATE "C", id);
CREATE INDEX card_by_product ON public.card USING btree (company_id, environment, product_id, id);
CREATE INDEX card_in_use ON public.card USING btree (company_id, environment, holder_id, pending_status) WHERE (COALESCE(pending_status, NULLIF(status, 'closed'::text)) IS NOT NULL);
CREATE INDEX card_unusual ON public.card USING btree (company_id, environment, status, id) WHERE (status <> 'active'::text);

create table card_change (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  card_id         uuid not null,
  wanted          text not null,
  status          text not null,
  returned        bigint,
  failure_code    text,
  failure_message text,
  created_at      timestamp(3) with time zone not null,
  status_at       timestamp(3) with time zone not null,
  look_up_count   smallint not null default 0,
  created_by      text,
  constraint card_change_pkey PRIMARY KEY (company_id, environment, id),
  constraint card_change_company_id_environment_card_id_fkey FOREIGN KEY (company_id, environment, card_id) REFERENCES card(company_id, environment, id),
  constraint card_change_check CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint card_change_check1 CHECK ((((status = 'completed'::text) AND (wanted = 'closed'::text)) = (returned IS NOT NULL))),
  constraint card_change_returned_check CHECK ((returned >= 0)),
  constraint card_change_status_check CHECK ((status = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text, 'manual_review'::text]))),
  constraint card_change_wanted_check CHECK ((wanted = ANY (ARRAY['active'::text, 'frozen'::text, 'closed'::text])))
);
CREATE INDEX card_change_by_card ON public.card_change USING btree (company_id, environment, card_id, id);
CREATE INDEX card_change_in_review ON public.card_change USING btree (id) WHERE (status = 'manual_review'::text);
CREATE UNIQUE INDEX card_change_open ON public.card_change USING btree (company_id, environment, card_id) WHERE (status = ANY (ARRAY['processing'::text, 'manual_review'::text]));

create table card_operation (
  company_id  uuid not null,
  environment environment not null,
  card_id     uuid not null,
  id          uuid not null,
  constraint card_operation_pkey PRIMARY KEY (company_id, environment, card_id, id)
);

create table catalog_version (
  only_row boolean not null default true,
  version  bigint not null,
  constraint catalog_version_pkey PRIMARY KEY (only_row),
  constraint catalog_version_only_row_check CHECK (only_row)
);

create table company (
  id                  uuid not null,
  name                text not null,
  kind                text not null,
  verification        text not null default 'pending'::text,
  live_services       boolean not null default false,
  direct_invoices     boolean not null default false,
  created_at          timestamp(3) with time zone not null,
  suspended           boolean not null default false,
  low_balance_sandbox bigint,
  low_balance_live    bigint,
  constraint company_pkey PRIMARY KEY (id),
  constraint company_kind_check CHECK ((kind = ANY (ARRAY['individual'::text, 'corporate'::text]))),
  constraint company_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint company_verification_check CHECK ((verification = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE INDEX company_with_low_balance ON public.company USING btree (id) WHERE ((low_balance_sandbox IS NOT NULL) OR (low_balance_live IS NOT NULL));
CREATE TRIGGER company_changed AFTER UPDATE OF kind, verification, live_services, direct_invoices, suspended ON public.company FOR EACH STATEMENT EXECUTE FUNCTION bump_access_version();

create table delivery (
  company_id    uuid not null,
  environment   environment not null,
  event_id      uuid not null,
  endpoint_id   uuid not null,
  status        text not null default 'pending'::text,
  attempt_count smallint not null default 0,
  resend_count  integer not null default 0,
  due_at        timestamp(3) with time zone not null,
  constraint delivery_pkey PRIMARY KEY (company_id, environment, event_id, endpoint_id),
  constraint delivery_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX delivery_pending ON public.delivery USING btree (company_id, environment, endpoint_id, due_at, event_id) WHERE (status = 'pending'::text);

create table delivery_queue (
  company_id      uuid not null,
  environment     environment not null,
  endpoint_id     uuid not null,
  due_at          timestamp(3) with time zone,
  not_before      timestamp(3) with time zone not null,
  worker_id       uuid,
  failures        integer not null default 0,
  failing_since   timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  recover_after   uuid,
  recover_until   uuid,
  constraint delivery_queue_pkey PRIMARY KEY (company_id, environment, endpoint_id),
  constraint delivery_queue_company_id_environment_endpoint_id_fkey FOREIGN KEY (company_id, environment, endpoint_id) REFERENCES webhook_endpoint(company_id, environment, id) ON DELETE CASCADE
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX delivery_queue_failing ON public.delivery_queue USING btree (GREATEST(due_at, not_before)) WHERE ((due_at IS NOT NULL) AND (failures > 0));
CREATE INDEX delivery_queue_failing_since ON public.delivery_queue USING btree (failing_since) WHERE (failing_since IS NOT NULL);
CREATE INDEX delivery_queue_ready ON public.delivery_queue USING btree (GREATEST(due_at, not_before)) WHERE ((due_at IS NOT NULL) AND (failures = 0));
CREATE INDEX delivery_queue_recovering ON public.delivery_queue USING btree (endpoint_id) WHERE (recover_after IS NOT NULL);

create table deposit (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  amount          bigint not null,
  idempotency_key text not null,
  request_digest  bytea not null,
  created_at      timestamp(3) with time zone not null,
  constraint deposit_pkey PRIMARY KEY (company_id, environment, id),
  constraint deposit_amount_check CHECK ((amount > 0))
);
CREATE UNIQUE INDEX deposit_key ON public.deposit USING btree (company_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);

create table entry (
  company_id      uuid not null,
  environment     environment not null,
  number          bigint not null,
  kind            text not null,
  reference       uuid not null,
  available_delta bigint not null,
  held_delta      bigint not null,
  balance         bigint not null,
  held            bigint not null,
  created_at      timestamp(3) with time zone not null,
  reference_type  reference_type not null default 'op'::reference_type,
  constraint entry_pkey PRIMARY KEY (company_id, environment, number),
  constraint entry_check CHECK (((number > 0) AND (held >= 0) AND (held <= balance))),
  constraint entry_kind_check CHECK (
CASE
    WHEN (held_delta = 0) THEN ((available_delta <> 0) AND (kind =
    CASE
        WHEN (reference_type <> ALL ('{inv,rev,fund}'::reference_type[])) THEN 'adjustment'::text
        WHEN (available_delta > 0) THEN 'deposit'::text
        ELSE 'fee'::text
    END))
    WHEN (reference_type <> 'op'::reference_type) THEN false
    WHEN (available_delta = 0) THEN ((held_delta < 0) AND (kind = ANY ('{capture,fee}'::text[])))
    ELSE ((available_delta = (- held_delta)) AND (kind =
    CASE
        WHEN (held_delta > 0) THEN 'reservation'::text
        ELSE 'release'::text
    END))
END)
) with (autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02, autovacuum_vacuum_scale_factor=0.02);
CREATE UNIQUE INDEX entry_charges_once ON public.entry USING btree (reference, company_id, environment) WHERE (kind = 'fee'::text);
CREATE UNIQUE INDEX entry_deposits_once ON public.entry USING btree (reference, company_id, environment) WHERE (kind = 'deposit'::text);
CREATE UNIQUE INDEX entry_ends_once ON public.entry USING btree (reference, company_id, environment) WHERE (kind = ANY (ARRAY['capture'::text, 'release'::text]));
CREATE INDEX entry_of_rare_kind ON public.entry USING btree (company_id, environment, kind, number) WHERE (kind <> ALL (ARRAY['reservation'::text, 'capture'::text, 'fee'::text]));
CREATE UNIQUE INDEX entry_returns_once ON public.entry USING btree (reference, company_id, environment) WHERE (kind = 'adjustment'::text);
CREATE TRIGGER entry_append_only BEFORE UPDATE OR TRUNCATE ON public.entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_deleted_when_archived BEFORE DELETE ON public.entry FOR EACH ROW EXECUTE FUNCTION refuse_unless_archived();

create table entry_archive (
  company_id   uuid not null,
  environment  environment not null,
  number       bigint not null,
  hash         bytea not null,
  balance      bigint not null,
  held         bigint not null,
  last_at      timestamp(3) with time zone not null,
  reservations bigint not null,
  deposits     bigint not null,
  file_name    text not null,
  file_digest  bytea not null,
  archived_at  timestamp(3) with time zone not null,
  constraint entry_archive_pkey PRIMARY KEY (company_id, environment, number),
  constraint entry_archive_company_id_environment_number_fkey FOREIGN KEY (company_id, environment, number) REFERENCES seal(company_id, environment, number),
  constraint entry_archive_check CHECK (((held >= 0) AND (held <= balance))),
  constraint entry_archive_file_digest_check CHECK ((length(file_digest) = 32)),
  constraint entry_archive_hash_check CHECK ((length(hash) = 32))
);
CREATE TRIGGER entry_archive_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.entry_archive FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table erasure (
  company_id  uuid not null,
  environment environment not null,
  holder_id   uuid not null,
  step        text not null default 'cards'::text,
  position    uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  recipients  text[] not null,
  due_at      timestamp(3) with time zone not null,
  constraint erasure_pkey PRIMARY KEY (company_id, environment, holder_id),
  constraint erasure_company_id_environment_holder_id_fkey FOREIGN KEY (company_id, environment, holder_id) REFERENCES holder(company_id, environment, id),
  constraint erasure_step_check CHECK ((step = ANY (ARRAY['cards'::text, 'transactions'::text, 'events'::text, 'card_changes'::text, 'operations'::text, 'attempts'::text])))
);
CREATE INDEX erasure_due ON public.erasure USING btree (due_at);

create table event (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  type        text not null,
  object_id   uuid not null,
  sequence    integer not null,
  data        jsonb,
  created_at  timestamp(3) with time zone not null,
  constraint event_pkey PRIMARY KEY (company_id, environment, id),
  constraint event_check CHECK (
CASE
    WHEN starts_with(type, 'operation.'::text) THEN ((data IS NULL) AND (sequence > 1))
    ELSE ((data IS NOT NULL) AND (sequence > 0))
END)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX event_by_type ON public.event USING btree (company_id, environment, type, id) WHERE (type <> ALL (ARRAY['operation.processing'::text, 'operation.completed'::text]));

create table event_counter (
  company_id  uuid not null,
  environment environment not null,
  object_id   uuid not null,
  sequence    integer not null,
  constraint event_counter_pkey PRIMARY KEY (company_id, environment, object_id)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0.02);

create table exchange (
  company_id  uuid not null,
  environment environment not null,
  object_id   uuid not null,
  id          uuid not null,
  purpose     text not null,
  sent        jsonb not null,
  received    jsonb,
  outcome     text not null,
  started_at  timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  constraint exchange_pkey PRIMARY KEY (company_id, environment, object_id, id),
  constraint exchange_outcome_check CHECK ((outcome = ANY (ARRAY['confirmed'::text, 'declined'::text, 'not_sent'::text, 'absent'::text, 'unknown'::text]))),
  constraint exchange_purpose_check CHECK ((purpose = ANY (ARRAY['request'::text, 'look_up'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE TRIGGER exchange_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.exchange FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_unless_erasing();
CREATE TRIGGER exchange_removal BEFORE DELETE OR UPDATE ON public.exchange FOR EACH ROW EXECUTE FUNCTION check_exchange_removal();

create table heartbeat (
  only_row boolean not null default true,
  beat_at  timestamp(3) with time zone not null,
  constraint heartbeat_pkey PRIMARY KEY (only_row),
  constraint heartbeat_only_row_check CHECK (only_row)
) with (fillfactor=50);

create table holder (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  name            text not null,
  email           text not null,
  kind            text not null,
  status          text not null,
  external_id     text,
  idempotency_key text,
  request_digest  bytea,
  created_at      timestamp(3) with time zone not null,
  erasure         text,
  constraint holder_pkey PRIMARY KEY (company_id, environment, id),
  constraint holder_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint holder_erasure_check CHECK ((erasure = ANY (ARRAY['running'::text, 'completed'::text]))),
  constraint holder_kind_check CHECK ((kind = ANY (ARRAY['individual'::text, 'corporate'::text]))),
  constraint holder_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'blocked'::text, 'inactive'::text])))
);
CREATE INDEX holder_by_email ON public.holder USING btree (company_id, environment, email, id);
CREATE INDEX holder_by_external_id ON public.holder USING btree (company_id, environment, external_id, id) WHERE (external_id IS NOT NULL);
CREATE INDEX holder_by_kind ON public.holder USING btree (company_id, environment, kind, id);
CREATE INDEX holder_by_lower_email ON public.holder USING btree (company_id, environment, lower(email) COLLATE "C", id);
CREATE INDEX holder_by_name ON public.holder USING btree (company_id, environment, lower(name) COLLATE "C", id);
CREATE INDEX holder_by_status ON public.holder USING btree (company_id, environment, status, id);
CREATE UNIQUE INDEX holder_key ON public.holder USING btree (company_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX holder_pending ON public.holder USING btree (id) WHERE ((status = 'pending'::text) AND (erasure IS NULL));

create table installation (
  name  text not null,
  value bytea not null,
  constraint installation_pkey PRIMARY KEY (name)
);

create table invoice (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  status          text not null default 'creating'::text,
  requested       bigint not null,
  deposit         bigint not null,
  fee             bigint not null,
  address         text,
  pay_amount      bigint,
  expires_at      timestamp(3) with time zone,
  received        bigint,
  reasons         text[] not null default '{}'::text[],
  failure_code    text,
  failure_message text,
  idempotency_key text not null,
  request_digest  bytea not null,
  first_answer    jsonb,
  created_at      timestamp(3) with time zone not null,
  status_at       timestamp(3) with time zone not null,
  look_up_count   smallint not null default 0,
  reopened        boolean not null default false,
  created_by      text,
  cancelled_by    text,
  constraint invoice_pkey PRIMARY KEY (company_id, environment, id),
  constraint invoice_company_id_environment_idempotency_key_key UNIQUE (company_id, environment, idempotency_key),
  constraint invoice_company_id_environment_fkey FOREIGN KEY (company_id, environment) REFERENCES account(company_id, environment),
  constraint invoice_check CHECK (((fee >= 0) AND (fee <= deposit))),
  constraint invoice_check1 CHECK ((num_nulls(address, pay_amount, expires_at) = ANY (ARRAY[0, 3]))),
  constraint invoice_check2 CHECK (((status <> 'pending'::text) OR (address IS NOT NULL))),
  constraint invoice_check3 CHECK (((pay_amount > (requested * 10000)) AND (pay_amount < ((requested + 1) * 10000)))),
  constraint invoice_check4 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint invoice_deposit_check CHECK ((deposit > 0)),
  constraint invoice_reasons_check CHECK ((reasons <@ ARRAY['underpaid'::text, 'overpaid'::text, 'paid_late'::text, 'multiple_payments'::text, 'issuer_unknown'::text])),
  constraint invoice_received_check CHECK ((received > 0)),
  constraint invoice_requested_check CHECK (((requested > 0) AND ((requested % (100)::bigint) = 0))),
  constraint invoice_status_check CHECK ((status = ANY (ARRAY['creating'::text, 'pending'::text, 'completed'::text, 'expired'::text, 'failed'::text, 'manual_review'::text])))
);
CREATE INDEX invoice_in_review ON public.invoice USING btree (id) WHERE (status = 'manual_review'::text);
CREATE INDEX invoice_pending ON public.invoice USING btree (expires_at) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX invoice_unresolved ON public.invoice USING btree (company_id, environment) WHERE ((status = ANY (ARRAY['creating'::text, 'pending'::text, 'manual_review'::text])) AND (NOT reopened));
CREATE TRIGGER invoice_transition BEFORE UPDATE OF status ON public.invoice FOR EACH ROW EXECUTE FUNCTION check_invoice_transition();

create table invoice_payment (
  company_id  uuid not null,
  environment environment not null,
  payment_key text not null,
  invoice_id  uuid not null,
  amount      bigint not null,
  paid_at     timestamp(3) with time zone not null,
  recorded_at timestamp(3) with time zone not null,
  decided     boolean not null,
  constraint invoice_payment_pkey PRIMARY KEY (company_id, environment, payment_key),
  constraint invoice_payment_company_id_environment_invoice_id_fkey FOREIGN KEY (company_id, environment, invoice_id) REFERENCES invoice(company_id, environment, id),
  constraint invoice_payment_amount_check CHECK ((amount > 0)),
  constraint invoice_payment_payment_key_check CHECK (((length(payment_key) >= 1) AND (length(payment_key) <= 200)))
);
CREATE INDEX invoice_payment_by_invoice ON public.invoice_payment USING btree (company_id, environment, invoice_id, recorded_at);

create table issuer_event (
  id          text not null,
  type        text not null,
  digest      bytea not null,
  received_at timestamp(3) with time zone not null,
  constraint issuer_event_pkey PRIMARY KEY (id),
  constraint issuer_event_digest_check CHECK ((length(digest) = 32)),
  constraint issuer_event_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200)))
);
CREATE TRIGGER issuer_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.issuer_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table issuer_minute (
  environment         environment not null,
  minute              timestamp(0) with time zone not null,
  answered            integer not null,
  unanswered          integer not null,
  answered_ms         bigint not null,
  last_answer_at      timestamp(3) with time zone,
  first_unanswered_at timestamp(3) with time zone,
  last_unanswered_at  timestamp(3) with time zone,
  constraint issuer_minute_pkey PRIMARY KEY (environment, minute)
);

create table issuer_request (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  status      text not null,
  due_at      timestamp(3) with time zone not null,
  held        bigint not null,
  kind        text not null,
  constraint issuer_request_pkey PRIMARY KEY (company_id, environment, id),
  constraint issuer_request_check CHECK (((status = ANY (ARRAY['queued'::text, 'processing'::text, 'manual_review'::text])) AND (kind = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text, 'invoice'::text, 'card_status'::text]))))
) with (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_cost_delay=0);
CREATE INDEX issuer_request_in_review ON public.issuer_request USING btree (id) WHERE (status = 'manual_review'::text);
CREATE INDEX issuer_request_processing ON public.issuer_request USING btree (environment, due_at, id) WHERE (status = 'processing'::text);
CREATE INDEX issuer_request_queued ON public.issuer_request USING btree (environment, company_id, due_at) WHERE (status = 'queued'::text);

create table mail_notice (
  kind    text not null,
  subject text not null,
  told_at timestamp(3) with time zone not null,
  constraint mail_notice_pkey PRIMARY KEY (kind, subject)
);
CREATE INDEX mail_notice_by_time ON public.mail_notice USING btree (told_at);

create table membership (
  company_id uuid,
  person_id  uuid not null,
  role       text not null,
  created_at timestamp(3) with time zone not null,
  constraint membership_company_id_person_id_key UNIQUE NULLS NOT DISTINCT (company_id, person_id),
  constraint membership_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint membership_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint membership_check CHECK (
CASE
    WHEN (company_id IS NULL) THEN (role = ANY (ARRAY['operator'::text, 'support'::text]))
    ELSE (role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'viewer'::text]))
END)
);
CREATE INDEX membership_by_person ON public.membership USING btree (person_id);

create table one_time_link (
  id                    uuid not null,
  kind                  text not null,
  digest                bytea not null,
  email                 text not null,
  person_id             uuid,
  company_id            uuid,
  role                  text,
  removes_second_factor boolean not null default false,
  created_by            text not null,
  created_at            timestamp(3) with time zone not null,
  expires_at            timestamp(3) with time zone not null,
  used_at               timestamp(3) with time zone,
  revoked_at            timestamp(3) with time zone,
  created_by_person     uuid,
  constraint one_time_link_pkey PRIMARY KEY (id),
  constraint one_time_link_digest_key UNIQUE (digest),
  constraint one_time_link_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint one_time_link_created_by_person_fkey FOREIGN KEY (created_by_person) REFERENCES person(id),
  constraint one_time_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint one_time_link_check CHECK (((kind = 'invitation'::text) = (role IS NOT NULL))),
  constraint one_time_link_check1 CHECK (((kind = 'invitation'::text) = (person_id IS NULL))),
  constraint one_time_link_digest_check CHECK ((length(digest) = 32)),
  constraint one_time_link_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text, 'sign_in'::text])))
);
CREATE INDEX one_time_link_by_company ON public.one_time_link USING btree (company_id, id);
CREATE INDEX one_time_link_by_expiry ON public.one_time_link USING btree (expires_at);
CREATE INDEX one_time_link_by_person ON public.one_time_link USING btree (person_id);

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
  card_id         uuid,
  name            text,
  recipient       text,
  receipt         text,
  failure_code    text,
  failure_message text,
  idempotency_key text not null,
  request_digest  bytea not null,
  created_at      timestamp(3) with time zone not null,
  status_at       timestamp(3) with time zone not null,
  due_at          timestamp(3) with time zone not null,
  claimed_at      timestamp(3) with time zone,
  unsent_count    smallint not null default 0,
  look_up_count   smallint not null default 0,
  event_count     integer not null default 1,
  created_by      text,
  constraint operation_pkey PRIMARY KEY (company_id, environment, id),
  constraint operation_check CHECK (((amount > 0) AND (fee >= 0))),
  constraint operation_check1 CHECK (
CASE type
    WHEN 'issue'::text THEN ((holder_id IS NOT NULL) AND (name IS NOT NULL) AND (recipient IS NULL))
    WHEN 'topup'::text THEN ((holder_id IS NULL) AND (name IS NULL) AND (recipient IS NULL) AND (card_id IS NOT NULL))
    WHEN 'service'::text THEN ((holder_id IS NULL) AND (name IS NULL) AND (recipient IS NOT NULL))
    ELSE false
END),
  constraint operation_check2 CHECK (
CASE status
    WHEN 'queued'::text THEN (failure_code IS NULL)
    WHEN 'processing'::text THEN (failure_code IS NULL)
    WHEN 'completed'::text THEN ((failure_code IS NULL) AND (receipt IS NOT NULL) AND ((type = 'service'::text) = (card_id IS NULL)))
    WHEN 'failed'::text THEN (failure_code IS NOT NULL)
    WHEN 'manual_review'::text THEN (failure_code IS NULL)
    ELSE false
END)
) with (fillfactor=45, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX operation_failed ON public.operation USING btree (company_id, environment, id) WHERE (failure_code IS NOT NULL);
CREATE UNIQUE INDEX operation_key ON public.operation USING btree (company_id, environment, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE TRIGGER operation_queue_moved BEFORE UPDATE OF due_at ON public.operation FOR EACH STATEMENT EXECUTE FUNCTION refuse_former_queue();

create table operator_token (
  id           uuid not null,
  digest       bytea not null,
  created_at   timestamp(3) with time zone not null,
  revoked_at   timestamp(3) with time zone,
  name         text not null,
  prefix       text not null,
  last4        text,
  last_used_at timestamp(3) with time zone,
  constraint operator_token_pkey PRIMARY KEY (id),
  constraint operator_token_digest_key UNIQUE (digest),
  constraint operator_token_digest_check CHECK ((length(digest) = 32)),
  constraint operator_token_last4_check CHECK ((length(last4) = 4)),
  constraint operator_token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);
CREATE TRIGGER operator_token_changed AFTER INSERT OR DELETE OR UPDATE OF revoked_at ON public.operator_token FOR EACH STATEMENT EXECUTE FUNCTION bump_access_version();

create table outgoing_mail (
  id          uuid not null,
  kind        text not null,
  email       text not null,
  person_id   uuid,
  company_id  uuid,
  details     jsonb not null,
  link        bytea,
  link_key_id text,
  status      text not null default 'waiting'::text,
  created_at  timestamp(3) with time zone not null,
  due_at      timestamp(3) with time zone not null,
  tries       integer not null default 0,
  tried_at    timestamp(3) with time zone,
  reason      text,
  constraint outgoing_mail_pkey PRIMARY KEY (id),
  constraint outgoing_mail_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint outgoing_mail_check CHECK (((status = 'waiting'::text) OR (link IS NULL))),
  constraint outgoing_mail_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX outgoing_mail_by_company ON public.outgoing_mail USING btree (company_id, created_at);
CREATE INDEX outgoing_mail_by_email ON public.outgoing_mail USING btree (email, created_at);
CREATE INDEX outgoing_mail_by_time ON public.outgoing_mail USING btree (created_at);
CREATE INDEX outgoing_mail_due ON public.outgoing_mail USING btree (due_at) WHERE (status = 'waiting'::text);

create table passkey (
  id            uuid not null,
  person_id     uuid not null,
  name          text not null,
  rp_id         text not null,
  credential_id bytea not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  is_synced     boolean not null,
  created_at    timestamp(3) with time zone not null,
  last_used_at  timestamp(3) with time zone,
  constraint passkey_pkey PRIMARY KEY (id),
  constraint passkey_credential_id_key UNIQUE (credential_id),
  constraint passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint passkey_counter_check CHECK (((counter >= 0) AND (counter <= '4294967295'::bigint))),
  constraint passkey_credential_id_check CHECK (((length(credential_id) >= 1) AND (length(credential_id) <= 1023))),
  constraint passkey_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE INDEX passkey_by_person ON public.passkey USING btree (person_id, id);

create table pay_link (
  digest      bytea not null,
  company_id  uuid not null,
  environment environment not null,
  invoice_id  uuid not null,
  constraint pay_link_pkey PRIMARY KEY (digest),
  constraint pay_link_digest_check CHECK ((length(digest) = 32))
);

create table payment_review (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  invoice_id  uuid not null,
  payment_key text not null,
  status      text not null default 'manual_review'::text,
  amount      bigint not null,
  deposit     bigint,
  fee         bigint,
  created_at  timestamp(3) with time zone not null,
  status_at   timestamp(3) with time zone not null,
  constraint payment_review_pkey PRIMARY KEY (company_id, environment, id),
  constraint payment_review_company_id_environment_payment_key_key UNIQUE (company_id, environment, payment_key),
  constraint payment_review_company_id_environment_invoice_id_fkey FOREIGN KEY (company_id, environment, invoice_id) REFERENCES invoice(company_id, environment, id),
  constraint payment_review_amount_check CHECK ((amount > 0)),
  constraint payment_review_check CHECK (((fee >= 0) AND (fee <= deposit))),
  constraint payment_review_check1 CHECK (((status = 'completed'::text) = ((deposit IS NOT NULL) AND (fee IS NOT NULL)))),
  constraint payment_review_deposit_check CHECK ((deposit > 0)),
  constraint payment_review_status_check CHECK ((status = ANY (ARRAY['manual_review'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX payment_review_by_invoice ON public.payment_review USING btree (company_id, environment, invoice_id);
CREATE INDEX payment_review_open ON public.payment_review USING btree (id) WHERE (status = 'manual_review'::text);

create table payment_slot (
  address     text not null,
  pay_amount  bigint not null,
  company_id  uuid not null,
  environment environment not null,
  invoice_id  uuid not null,
  expires_at  timestamp(3) with time zone not null,
  free_at     timestamp(3) with time zone not null,
  constraint payment_slot_pkey PRIMARY KEY (address, pay_amount),
  constraint payment_slot_address_check CHECK ((address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'::text)),
  constraint payment_slot_check CHECK ((free_at > expires_at)),
  constraint payment_slot_pay_amount_check CHECK ((pay_amount > 0))
);
CREATE INDEX payment_slot_by_invoice ON public.payment_slot USING btree (company_id, environment, invoice_id);

create table person (
  id                  uuid not null,
  email               text not null,
  name                text not null,
  password            text,
  created_at          timestamp(3) with time zone not null,
  credentials_version integer not null default 0,
  mail_off            text[] not null default '{}'::text[],
  time_zone           text,
  constraint person_pkey PRIMARY KEY (id),
  constraint person_email_key UNIQUE (email),
  constraint person_email_check CHECK (((length(email) >= 3) AND (length(email) <= 320))),
  constraint person_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);

create table person_session (
  id           uuid not null,
  person_id    uuid not null,
  digest       bytea not null,
  address      text not null,
  user_agent   text not null,
  created_at   timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at   timestamp(3) with time zone not null,
  verified_at  timestamp(3) with time zone,
  ended_at     timestamp(3) with time zone,
  constraint person_session_pkey PRIMARY KEY (id),
  constraint person_session_digest_key UNIQUE (digest),
  constraint person_session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint person_session_digest_check CHECK ((length(digest) = 32))
);
CREATE INDEX person_session_by_expiry ON public.person_session USING btree (expires_at);
CREATE INDEX person_session_by_person ON public.person_session USING btree (person_id, id);

create table price (
  product_id     text not null,
  operation_type text not null,
  flat_fee       bigint not null default 0,
  rate_ppm       bigint not null default 0,
  minimum_fee    bigint not null default 0,
  minimum_amount bigint,
  maximum_amount bigint,
  fixed_price    bigint,
  id             uuid not null,
  company_id     uuid,
  valid_from     timestamp(3) with time zone not null,
  created_at     timestamp(3) with time zone not null,
  constraint price_pkey PRIMARY KEY (id),
  constraint price_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint price_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint price_check CHECK ((maximum_amount >= minimum_amount)),
  constraint price_fixed_price_check CHECK ((fixed_price > 0)),
  constraint price_flat_fee_check CHECK ((flat_fee >= 0)),
  constraint price_minimum_amount_check CHECK ((minimum_amount > 0)),
  constraint price_minimum_fee_check CHECK ((minimum_fee >= 0)),
  constraint price_operation_type_check CHECK ((operation_type = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text]))),
  constraint price_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 1000000)))
);
CREATE INDEX price_by_product ON public.price USING btree (product_id, id);
CREATE TRIGGER price_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.price FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER price_changed AFTER INSERT ON public.price FOR EACH STATEMENT EXECUTE FUNCTION bump_catalog_version();

create table product (
  id          text not null,
  kind        text not null,
  name        text not null,
  description text not null,
  currency    text not null default 'USD'::text,
  position    integer not null,
  retired_at  timestamp(3) with time zone,
  constraint product_pkey PRIMARY KEY (id),
  constraint product_currency_check CHECK ((currency = 'USD'::text)),
  constraint product_id_check CHECK ((id ~ '^prod_[a-z0-9_]{1,60}$'::text)),
  constraint product_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'service'::text])))
);
CREATE TRIGGER product_changed AFTER INSERT OR UPDATE ON public.product FOR EACH STATEMENT EXECUTE FUNCTION bump_catalog_version();
CREATE TRIGGER product_stays BEFORE DELETE OR TRUNCATE ON public.product FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();

create table recovery_code (
  person_id uuid not null,
  digest    bytea not null,
  used_at   timestamp(3) with time zone,
  constraint recovery_code_pkey PRIMARY KEY (person_id, digest),
  constraint recovery_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  constraint recovery_code_digest_check CHECK ((length(digest) = 32))
);

create table request_log (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  key_id      uuid not null,
  status      smallint not null,
  path        text not null,
  detail      text not null,
  constraint request_log_pkey PRIMARY KEY (company_id, environment, id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX request_log_by_time ON public.request_log USING btree (id);

create table sandbox_effect (
  company_id uuid not null,
  token      uuid not null,
  kind       text not null,
  amount     bigint,
  receipt    text,
  last4      text,
  created_at timestamp(3) with time zone not null,
  constraint sandbox_effect_pkey PRIMARY KEY (company_id, token),
  constraint sandbox_effect_kind_check CHECK (
CASE kind
    WHEN 'issue'::text THEN ((amount IS NOT NULL) AND (receipt IS NOT NULL) AND (last4 IS NOT NULL))
    WHEN 'topup'::text THEN ((amount IS NOT NULL) AND (receipt IS NOT NULL))
    WHEN 'service'::text THEN ((amount IS NOT NULL) AND (receipt IS NOT NULL))
    WHEN 'invoice'::text THEN ((amount IS NOT NULL) AND (receipt IS NOT NULL))
    WHEN 'card_status'::text THEN (receipt IS NOT NULL)
    WHEN 'left_open'::text THEN (receipt IS NULL)
    WHEN 'fence'::text THEN (receipt IS NULL)
    ELSE false
END)
);

create table schema_file (
  name       text not null,
  checksum   text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_file_pkey PRIMARY KEY (name)
);

create table seal (
  company_id  uuid not null,
  environment environment not null,
  number      bigint not null,
  hash        bytea not null,
  sealed_at   timestamp(3) with time zone not null,
  constraint seal_pkey PRIMARY KEY (company_id, environment, number),
  constraint seal_hash_check CHECK ((length(hash) = 32)),
  constraint seal_number_check CHECK ((number > 0))
);
CREATE INDEX seal_by_time ON public.seal USING btree (sealed_at, hash);
CREATE TRIGGER seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table server_minute (
  minute             timestamp(0) with time zone not null,
  processes          uuid[] not null,
  measurer           uuid,
  requests           integer not null,
  server_errors      integer not null,
  webhook_attempts   integer not null,
  webhook_failures   integer not null,
  calls_in_flight    integer not null,
  calls_stopped      boolean not null,
  queued             integer,
  in_review          integer,
  oldest_delivery_ms bigint,
  constraint server_minute_pkey PRIMARY KEY (minute)
);

create table totp (
  person_id          uuid not null,
  secret             bytea not null,
  created_at         timestamp(3) with time zone not null,
  confirmed_at       timestamp(3) with time zone,
  last_step          bigint not null default 0,
  next_secret        bytea,
  secret_key_id      text,
  next_secret_key_id text,
  constraint totp_pkey PRIMARY KEY (person_id),
  constraint totp_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);

create table transaction (
  company_id        uuid not null,
  environment       environment not null,
  id                uuid not null,
  card_id           uuid not null,
  issuer_id         text not null,
  type              text not null,
  status            text not null,
  amount            bigint not null,
  currency          text not null,
  card_amount       bigint not null,
  applied           bigint not null,
  merchant          text not null,
  country           text not null,
  description       text not null,
  occurred_at       timestamp(3) with time zone not null,
  created_at        timestamp(3) with time zone not null,
  updated_at        timestamp(3) with time zone not null,
  merchant_category text,
  constraint transaction_pkey PRIMARY KEY (company_id, environment, id),
  constraint transaction_company_id_environment_issuer_id_key UNIQUE (company_id, environment, issuer_id),
  constraint transaction_company_id_environment_card_id_fkey FOREIGN KEY (company_id, environment, card_id) REFERENCES card(company_id, environment, id),
  constraint transaction_country_check CHECK ((country ~ '^([A-Z]{2})?$'::text)),
  constraint transaction_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint transaction_issuer_id_check CHECK (((length(issuer_id) >= 1) AND (length(issuer_id) <= 255))),
  constraint transaction_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'settled'::text, 'declined'::text, 'reversed'::text, 'expired'::text]))),
  constraint transaction_type_check CHECK ((type = ANY (ARRAY['purchase'::text, 'refund'::text, 'withdrawal'::text, 'verification'::text, 'fee'::text, 'adjustment'::text])))
);
CREATE INDEX transaction_by_card ON public.transaction USING btree (company_id, environment, card_id, occurred_at, id);
CREATE INDEX transaction_by_merchant ON public.transaction USING btree (company_id, environment, lower(merchant) COLLATE "C", id);
CREATE INDEX transaction_by_time ON public.transaction USING btree (company_id, environment, occurred_at, id);
CREATE INDEX transaction_unusual_status ON public.transaction USING btree (company_id, environment, status, occurred_at, id) WHERE (status <> 'settled'::text);
CREATE INDEX transaction_unusual_type ON public.transaction USING btree (company_id, environment, type, occurred_at, id) WHERE (type <> 'purchase'::text);

create table used_challenge (
  nonce      bytea not null,
  expires_at timestamp(3) with time zone not null,
  constraint used_challenge_pkey PRIMARY KEY (nonce),
  constraint used_challenge_nonce_check CHECK ((length(nonce) = 16))
);
CREATE INDEX used_challenge_by_expiry ON public.used_challenge USING btree (expires_at);

create table webhook_attempt (
  company_id  uuid not null,
  environment environment not null,
  event_id    uuid not null,
  id          uuid not null,
  endpoint_id uuid not null,
  number      smallint not null,
  status_code smallint,
  error       text,
  latency_ms  integer not null,
  response    text,
  started_at  timestamp(3) with time zone not null,
  constraint webhook_attempt_pkey PRIMARY KEY (company_id, environment, event_id, id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
CREATE INDEX webhook_attempt_by_endpoint ON public.webhook_attempt USING btree (company_id, environment, endpoint_id, id);

create table webhook_endpoint (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  url             text not null,
  events          text[] not null,
  description     text,
  status          text not null default 'enabled'::text,
  disabled_reason text,
  created_at      timestamp(3) with time zone not null,
  constraint webhook_endpoint_pkey PRIMARY KEY (company_id, environment, id),
  constraint webhook_endpoint_company_id_environment_fkey FOREIGN KEY (company_id, environment) REFERENCES account(company_id, environment),
  constraint webhook_endpoint_check CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['request'::text, 'gone'::text, 'failures'::text]))),
  constraint webhook_endpoint_events_check CHECK ((cardinality(events) > 0)),
  constraint webhook_endpoint_status_check CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text])))
);

create table webhook_secret (
  company_id  uuid not null,
  environment environment not null,
  endpoint_id uuid not null,
  id          uuid not null,
  ciphertext  bytea not null,
  key_id      text not null,
  created_at  timestamp(3) with time zone not null,
  expires_at  timestamp(3) with time zone,
  constraint webhook_secret_pkey PRIMARY KEY (company_id, environment, endpoint_id, id),
  constraint webhook_secret_company_id_environment_endpoint_id_fkey FOREIGN KEY (company_id, environment, endpoint_id) REFERENCES webhook_endpoint(company_id, environment, id) ON DELETE CASCADE
);

-- view event_log (company_id uuid, environment environment, id uuid, type text, object_id uuid, sequence integer, data jsonb, created_at timestamp(3) with time zone)

-- function accept_invitation(p_digest bytea, p_person uuid, p_name text, p_password text, p_now timestamp with time zone, p_log jsonb, OUT outcome text, OUT email text) returns record language plpgsql, body 6792c6cfb6da2180bb072a8a6817f049
-- function accept_operation(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_key text, p_digest text, p_type text, p_product text, p_amount bigint, p_fee bigint, p_holder uuid, p_card uuid, p_name text, p_recipient text, p_quota integer, p_creator text DEFAULT NULL::text) returns TABLE(item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone) language plpgsql, body f9d5d5fe8191ea3d183d246d8736d31a
-- function accept_operations(p_company uuid, p_now timestamp with time zone, p_first_items integer[], p_accounts integer[], p_companies uuid[], p_environments environment[], p_ids uuid[], p_keys text[], p_digests text[], p_types text[], p_products text[], p_amounts bigint[], p_fees bigint[], p_holders uuid[], p_cards uuid[], p_names text[], p_recipients text[], p_quotas integer[], p_creators text[] DEFAULT NULL::text[]) returns TABLE(item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone) language plpgsql, body 95ea2e91b48c1c91d3cc6ed752973cb9
-- function account_statement(p_company uuid, p_environment environment, p_from timestamp with time zone, p_until timestamp with time zone, p_limit bigint) returns TABLE(company_name text, first_number bigint, last_number bigint, opening bigint, opening_held bigint, closing bigint, incoming bigint, outgoing bigint, hash_before bytea, hash_after bytea, too_many_at timestamp with time zone, lines text) language plpgsql, body 418a59fd235295e45ec2cba1ccd41a4f
-- function add_passkey(p_id uuid, p_person uuid, p_name text, p_rp_id text, p_credential bytea, p_public_key bytea, p_counter bigint, p_transports text[], p_is_synced boolean, p_now timestamp with time zone, p_nonce bytea, p_nonce_expires timestamp with time zone, p_max integer, p_log jsonb) returns text language plpgsql, body feb4f4906cedd4b7727aca7fb2ffb442
-- function api_key_json(p_key api_key) returns jsonb language sql, body 0f2a4c47490eac70c21205f824e7e0e6
-- function archivable_range(p_company uuid, p_environment environment, p_before timestamp with time zone, p_limit bigint) returns TABLE(first_number bigint, last_number bigint, hash_before bytea, hash_after bytea, opening bigint, opening_held bigint, closing bigint, closing_held bigint, last_at timestamp with time zone) language plpgsql, body 5fa5e0162c66c2f0f6691fa029c8677a
-- function archive_lines(p_company uuid, p_environment environment, p_first bigint, p_last bigint) returns text language plpgsql, body 91f3c4207a0528bdbba3e59f933bd353
-- function archived_number(p_company uuid, p_environment environment) returns bigint language plpgsql, body 9bc465b5c7b68647aa078091c321a224
-- function audit_account(p_company uuid, p_environment environment) returns TABLE(entries bigint, difference text) language plpgsql, body 5f7841fbab736ea75bdbe91ae3eb812b
-- function balance_history(p_company uuid, p_environment environment, p_from timestamp with time zone, p_days integer) returns TABLE(day date, balance bigint, held bigint) language plpgsql, body 4b20b77e9477989535a3ead976f8e689
-- function batch_company(p_companies uuid[]) returns uuid language sql, body a49f5dfb824ae6dc767d06386a55d0e7
-- function begin_card_change(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_card uuid, p_wanted text, p_from text[], p_due timestamp with time zone, p_creator text DEFAULT NULL::text) returns text language plpgsql, body 5826591713367682e1a6f73da929b7d2
-- function begin_invoice(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint, p_lease_until timestamp with time zone, p_link_digest text, p_creator text DEFAULT NULL::text) returns TABLE(verdict text, id uuid, status text, expires_at timestamp with time zone) language plpgsql, body dfdead976f4b38cf891abc5f5f9d1c7d
-- function bump_access_version() returns trigger language plpgsql, body 60efb4e60c412b081855f7513e37527d
-- function bump_catalog_version() returns trigger language plpgsql, body 8a09699e3bb2d530fd5f4b76e03c4c46
-- function cancel_invoice(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_by text, p_pay_url text) returns text language plpgsql, body 615dfca395def550a3c5b44f99c3a9d4
-- function card_json(p_card card) returns jsonb language sql, body 800e382ca7faad1e70f23b1a5869f5bd
-- function chain_at(p_company uuid, p_environment environment, p_number bigint) returns bytea language plpgsql, body 884ac8df5d8d0d66fd4c3c8587ffb068
-- function chain_over(p_company uuid, p_environment environment, p_from bigint, p_hash bytea, p_to bigint) returns bytea language plpgsql, body 0b6cc1c980c7cff2513acd899b029045
-- function chain_start(p_company uuid, p_environment environment) returns bytea language sql, body d18a667b388fb3b44453a52174237a44
-- function change_membership(p_company uuid, p_person uuid, p_role text, p_log jsonb) returns text language plpgsql, body 4303a06b8ceb9a236fd069bfb9c815e2
-- function change_password(p_person uuid, p_from text, p_to text, p_now timestamp with time zone, p_log jsonb) returns integer language plpgsql, body dc9fe746b04d279257be3c68f768a686
-- function check_audit_erasure() returns trigger language plpgsql, body 311b635c283a08daafcfc7b695177a8a
-- function check_exchange_removal() returns trigger language plpgsql, body 856aea262bc1ea072a7d14ddd0543d0a
-- function check_invoice_transition() returns trigger language plpgsql, body 884bb9d04f9659a53664e1382517f5dd
-- function choose_plans(p_table regclass) returns void language plpgsql, body 0a7e5d76b14a672ce8f68b8f979bfd41
-- function claim_delivery_queues(p_now timestamp with time zone, p_lease_until timestamp with time zone, p_worker uuid, p_failing boolean) returns TABLE(company_id uuid, environment environment, endpoint_id uuid, failures integer) language plpgsql, body 607a68543d60ea89e6330409611ea701
-- function claim_listed(p_environment environment, p_now timestamp with time zone, p_lease_until timestamp with time zone, p_owners uuid[], p_ids uuid[]) returns SETOF operation language plpgsql, body dc5932e8811785f20974d3648ac43d07
-- function claim_look_ups(p_environment environment, p_now timestamp with time zone, p_lease_until timestamp with time zone, p_limit integer, p_kinds text[]) returns TABLE(company_id uuid, id uuid, kind text) language plpgsql, body 5815085d588829b8f5ccf87c204acab8
-- function claim_mails(p_now timestamp with time zone, p_limit integer, p_person_max integer) returns TABLE(id uuid, kind text, email text, details jsonb, link bytea, link_key_id text, tries integer, created_at timestamp with time zone, due_at timestamp with time zone, is_stale boolean) language plpgsql, body e49190eb420834c076236662cd343f65
-- function claim_operations(p_environment environment, p_now timestamp with time zone, p_lease_until timestamp with time zone, p_limit integer, p_share integer, p_after_company uuid, p_companies uuid[], p_positions timestamp with time zone[]) returns SETOF operation language plpgsql, body df51e1598625efdee1878259b20e33dc
-- function claim_operations_of(p_environment environment, p_now timestamp with time zone, p_lease_until timestamp with time zone, p_limit integer, p_share integer, p_after_company uuid, p_types text[], p_limits integer[]) returns TABLE(reached uuid, claimed operation) language plpgsql, body 3593331c08e9a0ae51230f7fa0f108bd
-- function claim_payment_slot(p_company uuid, p_now timestamp with time zone, p_environment environment, p_invoice uuid, p_deposit bigint, p_addresses text[], p_expires_at timestamp with time zone, p_free_at timestamp with time zone) returns payment_slot language plpgsql, body 21088c5fd1f232ccaa2329dd3e31551a
-- function closing_credit(p_balance bigint, p_reported bigint) returns bigint language sql, body d80df19b7105de7f4a69d329bee0fe28
-- function complete_invoice(p_invoice invoice, p_now timestamp with time zone, p_deposit bigint, p_fee bigint, p_pay_url text) returns void language plpgsql, body 68f5613a130e40a963a27048628dc8d1
-- function complete_operations(p_environment environment, p_now timestamp with time zone, p_limit integer, p_share integer, p_after_company uuid, p_companies uuid[], p_positions timestamp with time zone[], p_texts text[], p_amounts bigint[]) returns TABLE(company_id uuid, due integer, last timestamp with time zone, left_out integer) language plpgsql, body 1687b6f024ba2f4af38e9d10347d0480
-- function confirm_totp(p_person uuid, p_session uuid, p_secret bytea, p_step bigint, p_codes bytea[], p_now timestamp with time zone, p_log jsonb) returns boolean language plpgsql, body b8e135f9f4f09f9309d5b970380ea4cb
-- function continue_erasure(p_now timestamp with time zone, p_settled_at timestamp with time zone) returns boolean language plpgsql, body 9c211712dc237db7f0ad8a42b1f5e648
-- function count_issues(p_company uuid, p_environment environment, p_month date) returns integer language plpgsql, body ab4d95db91d202c182f2707f81aad267
-- function count_request_logs() returns bigint language plpgsql, body 990ce2d533281882d3ddc4a4da76287c
-- function count_working_keys(p_company uuid, p_environment environment, p_now timestamp with time zone, p_limit integer) returns integer language plpgsql, body 4d9916501ca4690db0e97d6ca980d035
-- function create_api_key(p_right jsonb, p_company uuid, p_id uuid, p_environment environment, p_name text, p_digest bytea, p_prefix text, p_last4 text, p_scopes text[], p_allowed_cidrs text[], p_now timestamp with time zone, p_expires_at timestamp with time zone, p_audit_record jsonb, p_limit integer DEFAULT NULL::integer) returns TABLE(company_id uuid, id uuid, environment environment, name text, prefix text, last4 text, scopes text[], allowed_cidrs text[], created_at timestamp with time zone, expires_at timestamp with time zone, revoked_at timestamp with time zone, last_used_at timestamp with time zone) language plpgsql, body c6e6fec0c1e9db03ff0b07234184b9f4
-- function create_invitation(p_right jsonb, p_id uuid, p_digest bytea, p_email text, p_company uuid, p_role text, p_open_max integer, p_created_by text, p_now timestamp with time zone, p_expires_at timestamp with time zone, p_log jsonb) returns text language plpgsql, body 3de9774493a0ae8eeb45b6af25649779
-- function create_operator_token(p_id uuid, p_name text, p_digest bytea, p_prefix text, p_last4 text, p_now timestamp with time zone, p_limit integer, p_audit_record jsonb) returns boolean language plpgsql, body 037fd257e120152aa492e4bf0ab60f67
-- function create_person_link(p_right jsonb, p_id uuid, p_kind text, p_digest bytea, p_person uuid, p_company uuid, p_removes_second_factor boolean, p_created_by text, p_now timestamp with time zone, p_expires_at timestamp with time zone, p_log jsonb) returns text language plpgsql, body b0f13b77991939f1894bdd78641e8b94
-- function create_product(p_id text, p_kind text, p_name text, p_description text, p_position integer, p_now timestamp with time zone, p_price_ids uuid[], p_operation_types text[], p_flat_fees bigint[], p_rates_ppm bigint[], p_minimum_fees bigint[], p_minimum_amounts bigint[], p_maximum_amounts bigint[], p_fixed_prices bigint[], p_count_max bigint, p_audit_record jsonb) returns TABLE(id text, kind text, name text, description text, currency text, "position" integer, retired_at timestamp with time zone) language plpgsql, body af6ebf2b76e94537ba623fc05d33f2d1
-- function create_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_url text, p_events text[], p_description text, p_secret_id uuid, p_ciphertext bytea, p_key_id text, p_limit integer) returns boolean language plpgsql, body 583e86955e161376c6cda43c2866e4a4
-- function credit_account(p_company uuid, p_now timestamp with time zone, p_environment environment, p_reference uuid, p_reference_type reference_type, p_amount bigint, p_fee bigint) returns void language plpgsql, body c057944b15a31b65dd6aa16a2fdf945f
-- function delete_archived_entries(p_company uuid, p_environment environment, p_first bigint, p_last bigint) returns void language plpgsql, body de29ce0d0f098b3794df5dd64fb77e86
-- function delete_webhook_endpoint(p_company uuid, p_environment environment, p_id uuid) returns boolean language plpgsql, body 767a7fb709c4143f3c2725bd3e2d9518
-- function deposit_funds(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint, p_limit bigint) returns TABLE(verdict text, original uuid) language plpgsql, body a1069f1bf4ddec011c50fbcdb517a655
-- function disable_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_reason text) returns boolean language plpgsql, body d1a86740d4e5eacec72f2431355f0e8d
-- function due_operations(p_environment environment, p_now timestamp with time zone, p_limit integer, p_share integer, p_after_company uuid, p_companies uuid[], p_positions timestamp with time zone[], OUT owners uuid[], OUT ids uuid[]) returns record language plpgsql, body fa2e5ce93ff334cddc232036dc087032
-- function emit_event(p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamp with time zone) returns void language plpgsql, body 0f13fea19762d2931dbc2e9d98c02530
-- function end_invoice(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_end jsonb) returns boolean language plpgsql, body 20ec6c45d7510b0089ab936e7517b946
-- function end_other_sessions(p_right jsonb, p_person uuid, p_kept uuid, p_now timestamp with time zone, p_log jsonb) returns boolean language plpgsql, body 4b5c3b0732371857484492cf99afe1e2
-- function end_payment_review(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_end jsonb) returns void language plpgsql, body a014b960c66b10330a64262673d8d740
-- function entry_range(p_company uuid, p_environment environment, p_from timestamp with time zone, p_until timestamp with time zone) returns TABLE(first_number bigint, last_number bigint) language plpgsql, body 2f37ef8f524d93bc739995b9819fc1cc
-- function entry_subjects(p_company uuid, p_environment environment, p_first bigint, p_last bigint, p_references uuid[], p_types text[]) returns text language plpgsql, body a3be5482b0d9b3b99c2c00adbde163f8
-- function erase_attempts(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid language plpgsql, body a4bddc77275bd2fbc940d5b18f98936d
-- function erase_audit_details(p_company uuid, p_objects text[]) returns void language plpgsql, body 52830ab760cc35a5709707f7eae66979
-- function erase_card_changes(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid language plpgsql, body 0e1224d0321eb8ee01da9075f1412ff7
-- function erase_cards(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid language plpgsql, body 5e9ab7173fe0948f85425d4a7529646b
-- function erase_events(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid language plpgsql, body 647664554d8c56a27ee273b2b975c293
-- function erase_holder(p_company uuid, p_now timestamp with time zone, p_environment environment, p_holder uuid, p_open_limit bigint, p_audit_record jsonb) returns TABLE(verdict text, blocking uuid) language plpgsql, body 592539e310378366db4882d86e9c2778
-- function erase_operations(p_company uuid, p_environment environment, p_holder uuid, p_after uuid, p_recipients text[]) returns uuid language plpgsql, body cfa73bdeea736caebc099d616f555a72
-- function erase_transactions(p_company uuid, p_environment environment, p_holder uuid, p_after uuid) returns uuid language plpgsql, body 82825d194f08eb648f18f15a77d865a2
-- function event_id(p_time text, p_object uuid, p_sequence integer) returns uuid language sql, body 2530dc7e982f4b148aad649d2911d69e
-- function event_time(p_now timestamp with time zone) returns text language sql, body 406a7def0948a5ef314a2943076aa756
-- function expire_invoice(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_pay_url text) returns boolean language plpgsql, body 0a47ca3af7ad07aa533d4fd61c12847f
-- function fan_out(p_now timestamp with time zone, p_companies uuid[], p_environments environment[], p_events uuid[], p_types text[]) returns void language plpgsql, body 9878fd6cb9b43f14095b2c834cb7f327
-- function find_operations_by_key(p_companies uuid[], p_environments environment[], p_keys text[]) returns TABLE(item bigint, id uuid) language plpgsql, body e2f298c0ac541fe4c34690138aa29151
-- function find_originals(p_companies uuid[], p_environments environment[], p_keys text[], p_digests text[]) returns TABLE(item integer, verdict text, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone) language plpgsql, body 9e1ad33aced2806de9c5799b6f864757
-- function first_due(p_company uuid, p_environment environment, p_endpoint uuid) returns timestamp with time zone language plpgsql, body cc5f93f943d76eb7853c36c5ea7fae0a
-- function first_entry_at(p_company uuid, p_environment environment, p_newest bigint, p_at timestamp with time zone) returns bigint language plpgsql, body 778cc469443cf1b289097623f67c78ea
-- function has_second_factor(p_person uuid) returns boolean language sql, body 340d3f27b0cd23ca570a77c673cad450
-- function hold_right(p_right jsonb, p_people uuid[]) returns boolean language plpgsql, body b29db4eccc2bf1f074c73424ecad6c0d
-- function invoice_json(p_invoice invoice, p_pay_url text) returns jsonb language sql, body 5cd0703ebfeee19be8238b5a6885747a
-- function is_erased(p_company uuid, p_environment environment, p_object text) returns boolean language plpgsql, body 83e54683f21f7e29a4cf482a1dfbb6f9
-- function is_within_reach(p_person uuid, p_company uuid) returns boolean language sql, body f497a8bd663905431b2eacdeff05a3cb
-- function issued_card(p_id uuid) returns uuid language sql, body 41a2574065997adcdb716200093266d7
-- function join_by_invitation(p_digest bytea, p_person uuid, p_now timestamp with time zone, p_log jsonb) returns boolean language plpgsql, body 5bc9144013870b21d16cf7336f158cbc
-- function list_due(p_company uuid, p_environment environment, p_from timestamp with time zone, p_now timestamp with time zone) returns TABLE(id uuid) language sql, body d6377c069fbbeeae95f0129e2de716ef
-- function list_due_after(p_company uuid, p_environment environment, p_end uuid, p_bound uuid, p_now timestamp with time zone) returns TABLE(company_id uuid, id uuid) language sql, body fbbadc3fb7bbe88232ab3fa774f2c9c9
-- function list_due_kinds(p_now timestamp with time zone) returns SETOF text language plpgsql, body 51762fd7d7ab2071d14f65e7724f0cee
-- function list_due_queues(p_environment environment, p_now timestamp with time zone, p_limit integer) returns TABLE(company_id uuid, due_at timestamp with time zone) language sql, body 9ff9b02f7d355323e5d49d0864194d9b
-- function list_event_ids_after(p_company uuid, p_environment environment, p_type text, p_after uuid, p_until uuid, p_limit integer) returns TABLE(id uuid) language plpgsql, body c2a9487cb1ddeaa51e1a0251c4081226
-- function list_event_ids_by_type(p_company uuid, p_environment environment, p_type text, p_from uuid, p_below uuid, p_limit integer) returns TABLE(id uuid) language plpgsql, body 3e877ca6e702955a9bd145b1b6fdbcf8
-- function list_jit_settings() returns TABLE(node text, value text) language plpgsql, body 53b17b4fe54783161097142b5a5eb330
-- function list_numbers_by_kind(p_company uuid, p_environment environment, p_kind text, p_first bigint, p_last bigint, p_limit integer) returns TABLE(number bigint) language plpgsql, body 9fd4014f2ae340169da7d245a0b52361
-- function list_overdue_invoices(p_now timestamp with time zone, p_limit integer) returns TABLE(company_id uuid, environment environment, id uuid) language sql, body 90ca7c3d223b2bc1ee01c047b0034706
-- function lock_company_delivery_queues(p_company uuid, p_environment environment) returns void language plpgsql, body ee938ad2b1b92ca945f9d6a640540999
-- function lock_delivery_queues(p_companies uuid[], p_environments environment[], p_endpoints uuid[]) returns void language plpgsql, body b4e4d29c184fc11cdeb60ae4d673c7d3
-- function lock_due_erasure(p_now timestamp with time zone) returns erasure language plpgsql, body c26cee9ae122ac130b246ef96a8b1bd3
-- function lock_recovery(p_now timestamp with time zone, p_before uuid) returns delivery_queue language plpgsql, body 0a18ba025e1d8cbc928e220f939484c0
-- function operation_refusal(p_type text, p_holder uuid, p_card uuid, p_status text, p_issued integer, p_quota integer, p_total bigint, p_available bigint) returns text language sql, body e5dee8ea4f6014d7a163c64ac45666ac
-- function ping_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid) returns uuid language plpgsql, body 58bcf37f087cfea88b967e75f27635ce
-- function prune_events(p_company uuid, p_environment environment, p_before uuid) returns boolean language plpgsql, body 67c6e6f33b5497f31a53424ca9da71f1
-- function prune_exchanges(p_company uuid, p_environment environment, p_after uuid, p_before timestamp with time zone, p_before_id uuid) returns uuid language plpgsql, body 945e733815321ccf9c010afc49e20f03
-- function put_invoice_in_review(p_invoice invoice, p_now timestamp with time zone, p_reasons text[], p_pay_url text) returns void language plpgsql, body e3c4fc68c172526509cd0c2b772b8c74
-- function queue_link_mail(p_id uuid, p_mail jsonb, p_now timestamp with time zone) returns boolean language plpgsql, body 8d29c98486cd3374e087ff3f025f7db3
-- function queue_notices(p_kind text, p_company uuid, p_roles text[], p_subjects text[], p_items jsonb[], p_now timestamp with time zone, p_items_max integer, p_queue_max integer, p_company_max integer DEFAULT NULL::integer) returns integer language plpgsql, body 61e2388526a82aabd51a42865ba9a47a
-- function record_archive(p_company uuid, p_now timestamp with time zone, p_environment environment, p_first bigint, p_number bigint, p_hash text, p_file_name text, p_file_digest text) returns boolean language plpgsql, body 3db87070264ec638707d27587d437913
-- function record_attempts(p_now timestamp with time zone, p_worker uuid, p_failing_limit timestamp with time zone, p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_events uuid[], p_ids uuid[], p_numbers smallint[], p_resends integer[], p_statuses text[], p_status_codes smallint[], p_errors text[], p_latencies integer[], p_responses text[], p_starts timestamp with time zone[], p_dues timestamp with time zone[], p_queue_companies uuid[], p_queue_environments environment[], p_queue_endpoints uuid[], p_queue_until timestamp with time zone[], p_queue_succeeded boolean[], p_queue_failures integer[]) returns TABLE(company_id uuid, environment environment, endpoint_id uuid) language plpgsql, body 2dc5c0b01066c034e35501419c912bf3
-- function record_audit(p_company uuid, p_audit_record jsonb) returns void language plpgsql, body 4f11a2e1a95f36c492ed7023e9dab5c8
-- function record_payment(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_key text, p_amount bigint, p_paid_at timestamp with time zone, p_review_id uuid, p_pay_url text) returns text language plpgsql, body 341f61b8a90a75ce1acfdb012276a3bb
-- function record_transaction(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_issuer_id text, p_card uuid, p_type text, p_status text, p_amount bigint, p_currency text, p_card_amount bigint, p_merchant text, p_country text, p_description text, p_occurred_at timestamp with time zone, p_authorise boolean, p_merchant_category text DEFAULT NULL::text) returns TABLE(verdict text, recorded transaction) language plpgsql, body 629f6199b4cd3570444db5560f59ca65
-- function recover_deliveries(p_now timestamp with time zone, p_before uuid) returns uuid language plpgsql, body fcea7c308ad43a4ea1d8d46dc2d659f4
-- function refuse_change() returns trigger language plpgsql, body 3ee2c9f0d215ff19d533cd8b1947f830
-- function refuse_change_unless_erasing() returns trigger language plpgsql, body 8902ead6e8a717a362d55eec61ba7f0d
-- function refuse_former_queue() returns trigger language plpgsql, body 4303318a73e7e0bcdcaf86408e15b4d7
-- function refuse_removal() returns trigger language plpgsql, body da7ca1894374f73847940a068f2d97d3
-- function refuse_unless_archived() returns trigger language plpgsql, body 8454b92bf5b365a14996ace1551f8c29
-- function remove_exchanges(p_company uuid, p_environment environment, p_objects uuid[]) returns void language plpgsql, body 74c5c92509b63183747569b24f7b47b1
-- function remove_passkey(p_person uuid, p_passkey uuid, p_log jsonb) returns text language plpgsql, body 6f80dc91f141ae59734f9617fc2e0f44
-- function remove_totp(p_person uuid, p_log jsonb) returns boolean language plpgsql, body 488c687050126fe02913ca36afe591b5
-- function renew_recovery_codes(p_person uuid, p_codes bytea[], p_log jsonb) returns boolean language plpgsql, body 3a5883695c4cbc0141344ef94b034d17
-- function replace_password(p_person uuid, p_password text, p_now timestamp with time zone) returns integer language plpgsql, body 35e73d8d233c8c2e00babdaefca9053b
-- function replace_recovery_codes(p_person uuid, p_codes bytea[]) returns void language plpgsql, body 688fe3f6a48e30bf038cc7f7297ed2d1
-- function report_card_status(p_company uuid, p_now timestamp with time zone, p_environment environment, p_card uuid, p_status text, p_balance bigint) returns boolean language plpgsql, body 1cf32c196e258d6e64c7cbe3804bbe68
-- function resend_event(p_company uuid, p_now timestamp with time zone, p_environment environment, p_event uuid, p_oldest uuid, p_endpoint uuid) returns integer language plpgsql, body 1448a79faf553308396b28bc246ac6fe
-- function reset_password(p_digest bytea, p_password text, p_now timestamp with time zone, p_log jsonb, OUT person_id uuid, OUT name text, OUT email text, OUT credentials_version integer, OUT has_second_factor boolean) returns record language plpgsql, body ef24b85b060f4f2f033590b3d9d423a4
-- function resolve_review(p_company uuid, p_now timestamp with time zone, p_environment environment, p_object text, p_id uuid, p_from text[], p_end jsonb, p_audit_record jsonb) returns text language plpgsql, body 2889d827a86a243a7e024ea207e74d00
-- function return_from_card(p_company uuid, p_now timestamp with time zone, p_environment environment, p_reference uuid, p_reference_type reference_type, p_amount bigint) returns void language plpgsql, body 69252ecbb04f658f6d65600dfe6e35b2
-- function revoke_operator_token(p_id uuid, p_now timestamp with time zone, p_audit_record jsonb) returns boolean language plpgsql, body 638aeb2262b3090090bafcd81ca25862
-- function rotate_api_key(p_company uuid, p_id uuid, p_ends_at timestamp with time zone, p_successor uuid, p_digest bytea, p_prefix text, p_last4 text, p_now timestamp with time zone, p_audit_record jsonb, p_limit integer DEFAULT NULL::integer) returns TABLE(company_id uuid, id uuid, environment environment, name text, prefix text, last4 text, scopes text[], allowed_cidrs text[], created_at timestamp with time zone, expires_at timestamp with time zone, revoked_at timestamp with time zone, last_used_at timestamp with time zone) language plpgsql, body f3a33e072d19a830256cbe9efacc1923
-- function rotate_webhook_secret(p_company uuid, p_now timestamp with time zone, p_environment environment, p_endpoint uuid, p_id uuid, p_ciphertext bytea, p_key_id text, p_old_until timestamp with time zone) returns boolean language plpgsql, body d0330b17faceb0c4348a639c28965dd4
-- function sandbox_last4(p_id uuid) returns text language sql, body 128af07fd6fb0e3dce1d2fe35677bdc2
-- function sandbox_receipt(p_id uuid) returns text language sql, body b96fa1161fa5ba12ddcd9109d817334f
-- function seal_entries(p_company uuid, p_now timestamp with time zone, p_environment environment, p_limit bigint) returns bigint language plpgsql, body 39dbe5396e04aa88c0faf69ae14ad318
-- function settle_card_change(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_status text, p_returned bigint, p_failure_code text, p_failure_message text, p_due timestamp with time zone, p_look_ups integer) returns boolean language plpgsql, body db38aeb6023f9ef780ad870efe6cdcff
-- function settle_invoice(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_status text, p_address text, p_pay_amount bigint, p_expires_at timestamp with time zone, p_free_at timestamp with time zone, p_failure_code text, p_failure_message text, p_due timestamp with time zone, p_look_ups integer, p_pay_url text) returns boolean language plpgsql, body cc2cb8765ee3a281629e46601f9ca8f0
-- function settle_operations(p_company uuid, p_now timestamp with time zone, p_first_items integer[], p_accounts integer[], p_companies uuid[], p_environments environment[], p_ids uuid[], p_statuses text[], p_receipts text[], p_cards uuid[], p_last4s text[], p_failure_codes text[], p_failure_messages text[], p_dues timestamp with time zone[], p_look_ups smallint[], p_claimed_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns TABLE(item integer, status text) language plpgsql, body 18e7d398f20b7ce3c0d1ebadbeedbaea
-- function settle_request(p_company uuid, p_environment environment, p_id uuid, p_status text, p_due timestamp with time zone) returns void language plpgsql, body 62455aee9a9c2737e5380b990381a1c0
-- function start_session(p_id uuid, p_person uuid, p_version integer, p_digest bytea, p_address text, p_user_agent text, p_now timestamp with time zone, p_expires_at timestamp with time zone, p_verified_at timestamp with time zone, p_log jsonb) returns boolean language plpgsql, body 6a72018bfffbee61db47908460be2123
-- function store_first_answer(p_company uuid, p_environment environment, p_id uuid, p_pay_url text) returns jsonb language plpgsql, body 757865bdde338f5c2979167b8873dd7d
-- function take_deliveries(p_now timestamp with time zone, p_worker uuid, p_companies uuid[], p_environments environment[], p_endpoints uuid[], p_sizes integer[]) returns TABLE(item integer, url text, secrets jsonb, attempt_count smallint, resend_count integer, company_id uuid, environment environment, id uuid, type text, object_id uuid, sequence integer, data jsonb, created_at timestamp with time zone, operation_type text, amount bigint, fee bigint, card_id uuid, receipt text, failure_code text, failure_message text, operation_created_at timestamp with time zone) language plpgsql, body 3f15bf8a7be606ec52cfab2ab91a0317
-- function take_person_link(p_digest bytea, p_kind text, p_now timestamp with time zone) returns one_time_link language plpgsql, body 98f3908d5927dc16e49c652f2e7b3136
-- function tell_expiring_key(p_now timestamp with time zone, p_until timestamp with time zone) returns boolean language plpgsql, body a6cc01d10ef20d8ef24d793ea816b8e6
-- function transaction_json(p_transaction transaction) returns jsonb language sql, body a3830d819259422c946117dabdab9ab5
-- function update_holder(p_company uuid, p_environment environment, p_id uuid, p_name text, p_email text, p_has_external_id boolean, p_external_id text, p_audit_record jsonb) returns TABLE(id uuid, name text, email text, kind text, status text, external_id text, erasure text) language plpgsql, body 8a1ac8787d8326f5c43780938e1c420c
-- function update_holder_status(p_company uuid, p_environment environment, p_id uuid, p_status text, p_audit_record jsonb) returns TABLE(id uuid, name text, email text, kind text, status text, external_id text, erasure text) language plpgsql, body 65692d0467fcd0871d8451eb10c4caf0
-- function update_webhook_endpoint(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_url text, p_events text[], p_description text, p_status text) returns boolean language plpgsql, body 5fe319678ff23d1e2f8f8724b606992a
-- function use_sign_in_link(p_digest bytea, p_now timestamp with time zone, p_log jsonb, OUT person_id uuid, OUT name text, OUT email text, OUT credentials_version integer) returns record language plpgsql, body edbab12eabeb63592a0344ffe0384b76
-- function verify_session(p_person uuid, p_session uuid, p_version integer, p_now timestamp with time zone) returns boolean language plpgsql, body 4a3788369cbd24dce159b23dd9fbbbdc
-- function wake_delivery_queues(p_now timestamp with time zone, p_companies uuid[], p_environments environment[], p_endpoints uuid[]) returns void language plpgsql, body 1313796a99fc94e2cc981b412c8e5803
-- function wants_event(p_endpoint uuid, p_events text[], p_type text, p_object uuid) returns boolean language sql, body 2582c79b8f11d5565aa8a4c45c96e8a4
-- function webhook_endpoint_json(p_company uuid, p_environment environment, p_id uuid) returns jsonb language plpgsql, body 99a23895a05786ee0d4d2338933938af
-- function wire_amount(p_cents bigint) returns text language sql, body af5dde973c4efe2162e84001eef1efb9
-- function wire_creator(p_creator text) returns jsonb language sql, body dab093e263e80b3d339b4422b173e73f
-- function wire_id(p_prefix text, p_id uuid) returns text language sql, body 52e296f0b83bd57fc5a75dda786172c4
-- function wire_time(p_at timestamp with time zone) returns text language sql, body b0b40104afdf5ce382a93532cca5e8fe
-- function wire_usdt(p_micros bigint) returns text language sql, body 683c71e755b35e113f44383db10e071b
-- function write_event(p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamp with time zone) returns uuid language plpgsql, body 239d72422fca96f428c62c1c5d386103
-- function write_temporary_file() returns bigint language sql, body 99c0869f8a45f35ab4d2af8c72b28558
