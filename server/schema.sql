-- The schema after all migrations, for reading. Written by `npm run generate`; sql/ is the source.

create type environment as enum ('sandbox', 'live');

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
  constraint account_pkey PRIMARY KEY (company_id, environment),
  constraint account_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint account_available_check CHECK ((available >= 0)),
  constraint account_held_check CHECK ((held >= 0)),
  constraint account_issued_count_check CHECK ((issued_count >= 0))
) with (fillfactor=50);

create table api_key (
  company_id    uuid not null,
  id            uuid not null,
  environment   environment not null,
  name          text not null,
  digest        bytea not null,
  prefix        text not null,
  last4         text not null,
  scopes        text[] not null,
  allowed_cidrs text[] not null default '{}'::text[],
  created_at    timestamp(3) with time zone not null,
  expires_at    timestamp(3) with time zone,
  revoked_at    timestamp(3) with time zone,
  last_used_at  timestamp(3) with time zone,
  constraint api_key_pkey PRIMARY KEY (company_id, id),
  constraint api_key_digest_key UNIQUE (digest),
  constraint api_key_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint api_key_digest_check CHECK ((length(digest) = 32)),
  constraint api_key_last4_check CHECK ((length(last4) = 4)),
  constraint api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);
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
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_by_company ON public.audit_log USING btree (company_id, id);
CREATE TRIGGER audit_log_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table card (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  holder_id   uuid not null,
  product_id  text not null,
  name        text not null,
  last4       text not null,
  status      text not null,
  balance     bigint not null,
  created_at  timestamp(3) with time zone not null,
  constraint card_pkey PRIMARY KEY (company_id, environment, id),
  constraint card_company_id_environment_holder_id_fkey FOREIGN KEY (company_id, environment, holder_id) REFERENCES holder(company_id, environment, id),
  constraint card_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint card_balance_check CHECK ((balance >= 0)),
  constraint card_last4_check CHECK ((last4 ~ '^\d{4}$'::text)),
  constraint card_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'frozen'::text, 'blocked'::text, 'expired'::text, 'closed'::text])))
);
CREATE INDEX card_by_holder ON public.card USING btree (company_id, environment, holder_id, id);

create table company (
  id              uuid not null,
  name            text not null,
  kind            text not null,
  verification    text not null default 'pending'::text,
  live_services   boolean not null default false,
  direct_invoices boolean not null default false,
  created_at      timestamp(3) with time zone not null,
  constraint company_pkey PRIMARY KEY (id),
  constraint company_kind_check CHECK ((kind = ANY (ARRAY['individual'::text, 'corporate'::text]))),
  constraint company_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint company_verification_check CHECK ((verification = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])))
);
CREATE TRIGGER company_changed AFTER UPDATE ON public.company FOR EACH STATEMENT EXECUTE FUNCTION bump_access_version();

create table deposit (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  amount          bigint not null,
  idempotency_key text not null,
  request_digest  bytea not null,
  created_at      timestamp(3) with time zone not null,
  constraint deposit_pkey PRIMARY KEY (company_id, environment, id),
  constraint deposit_company_id_environment_idempotency_key_key UNIQUE (company_id, environment, idempotency_key),
  constraint deposit_amount_check CHECK ((amount > 0))
);

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
  constraint entry_pkey PRIMARY KEY (company_id, environment, number),
  constraint entry_balance_check CHECK ((balance >= 0)),
  constraint entry_check CHECK (((held >= 0) AND (held <= balance))),
  constraint entry_check1 CHECK (
CASE kind
    WHEN 'deposit'::text THEN ((available_delta > 0) AND (held_delta = 0))
    WHEN 'fee'::text THEN (((available_delta < 0) AND (held_delta = 0)) OR ((available_delta = 0) AND (held_delta < 0)))
    WHEN 'reservation'::text THEN ((held_delta > 0) AND (available_delta = (- held_delta)))
    WHEN 'capture'::text THEN ((held_delta < 0) AND (available_delta = 0))
    WHEN 'release'::text THEN ((held_delta < 0) AND (available_delta = (- held_delta)))
    ELSE ((available_delta <> 0) AND (held_delta = 0))
END),
  constraint entry_kind_check CHECK ((kind = ANY (ARRAY['deposit'::text, 'fee'::text, 'reservation'::text, 'capture'::text, 'release'::text, 'adjustment'::text]))),
  constraint entry_number_check CHECK ((number > 0))
);
CREATE UNIQUE INDEX entry_charges_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = 'fee'::text);
CREATE UNIQUE INDEX entry_deposits_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = 'deposit'::text);
CREATE UNIQUE INDEX entry_ends_once ON public.entry USING btree (company_id, environment, reference) WHERE (kind = ANY (ARRAY['capture'::text, 'release'::text]));
CREATE TRIGGER entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table exchange (
  company_id   uuid not null,
  environment  environment not null,
  operation_id uuid not null,
  id           uuid not null,
  purpose      text not null,
  sent         jsonb not null,
  received     jsonb,
  outcome      text not null,
  started_at   timestamp(3) with time zone not null,
  finished_at  timestamp(3) with time zone,
  constraint exchange_pkey PRIMARY KEY (company_id, environment, operation_id, id),
  constraint exchange_outcome_check CHECK ((outcome = ANY (ARRAY['confirmed'::text, 'declined'::text, 'not_sent'::text, 'unknown'::text]))),
  constraint exchange_purpose_check CHECK ((purpose = ANY (ARRAY['request'::text, 'look_up'::text])))
);
CREATE TRIGGER exchange_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.exchange FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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
  constraint holder_pkey PRIMARY KEY (company_id, environment, id),
  constraint holder_company_id_environment_idempotency_key_key UNIQUE (company_id, environment, idempotency_key),
  constraint holder_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id),
  constraint holder_kind_check CHECK ((kind = ANY (ARRAY['individual'::text, 'corporate'::text]))),
  constraint holder_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'active'::text, 'blocked'::text, 'inactive'::text])))
);

create table installation (
  name  text not null,
  value bytea not null,
  constraint installation_pkey PRIMARY KEY (name)
);

create table operation (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  type            text not null,
  status          text not null default 'queued'::text,
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
  constraint operation_pkey PRIMARY KEY (company_id, environment, id),
  constraint operation_company_id_environment_idempotency_key_key UNIQUE (company_id, environment, idempotency_key),
  constraint operation_amount_check CHECK ((amount > 0)),
  constraint operation_check CHECK (((type = 'issue'::text) = (holder_id IS NOT NULL))),
  constraint operation_check1 CHECK (((type = 'issue'::text) = (name IS NOT NULL))),
  constraint operation_check2 CHECK (((type = 'service'::text) = (recipient IS NOT NULL))),
  constraint operation_check3 CHECK (((type <> 'topup'::text) OR (card_id IS NOT NULL))),
  constraint operation_check4 CHECK (((status <> 'completed'::text) OR ((receipt IS NOT NULL) AND ((type = 'service'::text) = (card_id IS NULL))))),
  constraint operation_check5 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint operation_fee_check CHECK ((fee >= 0)),
  constraint operation_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'manual_review'::text]))),
  constraint operation_type_check CHECK ((type = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text])))
);
CREATE INDEX operation_by_card ON public.operation USING btree (company_id, environment, card_id, id) WHERE (card_id IS NOT NULL);
CREATE INDEX operation_in_review ON public.operation USING btree (id) WHERE (status = 'manual_review'::text);
CREATE INDEX operation_processing ON public.operation USING btree (due_at, id) WHERE (status = 'processing'::text);
CREATE INDEX operation_queued ON public.operation USING btree (due_at, id) WHERE (status = 'queued'::text);
CREATE INDEX operation_unusual ON public.operation USING btree (company_id, environment, status, id) WHERE (status <> 'completed'::text);

create table operator_token (
  id         uuid not null,
  digest     bytea not null,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  constraint operator_token_pkey PRIMARY KEY (id),
  constraint operator_token_digest_key UNIQUE (digest),
  constraint operator_token_digest_check CHECK ((length(digest) = 32))
);
CREATE TRIGGER operator_token_changed AFTER INSERT OR DELETE OR UPDATE ON public.operator_token FOR EACH STATEMENT EXECUTE FUNCTION bump_access_version();

create table price (
  product_id     text not null,
  operation_type text not null,
  flat_fee       bigint not null default 0,
  rate_ppm       bigint not null default 0,
  minimum_fee    bigint not null default 0,
  minimum_amount bigint,
  maximum_amount bigint,
  fixed_price    bigint,
  constraint price_pkey PRIMARY KEY (product_id, operation_type),
  constraint price_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint price_check CHECK ((maximum_amount >= minimum_amount)),
  constraint price_fixed_price_check CHECK ((fixed_price > 0)),
  constraint price_flat_fee_check CHECK ((flat_fee >= 0)),
  constraint price_minimum_amount_check CHECK ((minimum_amount > 0)),
  constraint price_minimum_fee_check CHECK ((minimum_fee >= 0)),
  constraint price_operation_type_check CHECK ((operation_type = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text]))),
  constraint price_rate_ppm_check CHECK (((rate_ppm >= 0) AND (rate_ppm <= 1000000)))
);

create table product (
  id          text not null,
  kind        text not null,
  name        text not null,
  description text not null,
  currency    text not null default 'USD'::text,
  position    integer not null,
  constraint product_pkey PRIMARY KEY (id),
  constraint product_currency_check CHECK ((currency = 'USD'::text)),
  constraint product_id_check CHECK ((id ~ '^prod_[a-z0-9_]{1,60}$'::text)),
  constraint product_kind_check CHECK ((kind = ANY (ARRAY['card'::text, 'service'::text])))
);

create table sandbox_effect (
  company_id uuid not null,
  token      uuid not null,
  kind       text not null,
  amount     bigint not null,
  receipt    text not null,
  last4      text,
  created_at timestamp(3) with time zone not null,
  constraint sandbox_effect_pkey PRIMARY KEY (company_id, token),
  constraint sandbox_effect_kind_check CHECK ((kind = ANY (ARRAY['issue'::text, 'topup'::text, 'service'::text])))
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
CREATE TRIGGER seal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- function accept_operation(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_key text, p_digest text, p_type text, p_product text, p_amount bigint, p_fee bigint, p_holder uuid, p_card uuid, p_name text, p_recipient text, p_quota integer) returns TABLE(item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone) language plpgsql, body 20a4fce4ad89d7ae333d413867ff470b
-- function accept_operations(p_company uuid, p_now timestamp with time zone, p_companies uuid[], p_environments environment[], p_ids uuid[], p_keys text[], p_digests text[], p_types text[], p_products text[], p_amounts bigint[], p_fees bigint[], p_holders uuid[], p_cards uuid[], p_names text[], p_recipients text[], p_quotas integer[]) returns TABLE(item integer, verdict text, available bigint, id uuid, type text, amount bigint, fee bigint, created_at timestamp with time zone) language plpgsql, body 5629c0f9c54ef062ce2b378054aebc4c
-- function audit_account(p_company uuid, p_environment environment) returns TABLE(entries bigint, difference text) language plpgsql, body e58efac51cfd56cf9f25bcfce89fcc4d
-- function bump_access_version() returns trigger language plpgsql, body 60efb4e60c412b081855f7513e37527d
-- function chain_next(p_hash bytea, p_entry entry) returns bytea language sql, body 01b063a1a234598cbd2fd82821235955
-- function chain_over(p_company uuid, p_environment environment, p_from bigint, p_hash bytea, p_to bigint) returns bytea language plpgsql, body 1bcf0da13f78d73739ad3c26df3b474d
-- function chain_start(p_company uuid, p_environment environment) returns bytea language sql, body d18a667b388fb3b44453a52174237a44
-- function claim_look_ups(p_now timestamp with time zone, p_lease_until timestamp with time zone) returns SETOF operation language sql, body 48b0ea7284822958425bdc2ef3bf908b
-- function claim_operations(p_now timestamp with time zone, p_lease_until timestamp with time zone, p_after_due timestamp with time zone, p_after_id uuid) returns SETOF operation language sql, body 97f409245005a57edc3f75c11d409f1e
-- function count_issues(p_company uuid, p_environment environment, p_month date) returns integer language sql, body bcec71dd16330803c25621ca75d44bc5
-- function deposit_funds(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint, p_limit bigint) returns TABLE(verdict text, original uuid) language plpgsql, body 5145e829f65a1a5b715e83ed4f11f7dc
-- function new_id(p_now timestamp with time zone) returns uuid language sql, body c57ac7a80433e7dd786a9d5bae151c01
-- function record_audit(p_company uuid, p_line jsonb) returns void language sql, body cd3747240bd82336c80b90277798fee2
-- function refuse_change() returns trigger language plpgsql, body 3ee2c9f0d215ff19d533cd8b1947f830
-- function resolve_operation(p_company uuid, p_now timestamp with time zone, p_environment environment, p_id uuid, p_status text, p_receipt text, p_card uuid, p_last4 text, p_failure_code text, p_failure_message text, p_line jsonb) returns text language plpgsql, body 11c153579306186a892d230adcbc1cdd
-- function seal_entries(p_company uuid, p_now timestamp with time zone, p_environment environment, p_limit bigint) returns bigint language plpgsql, body 0b8fac2f88d73d72f73c41c414d08a08
-- function settle_operations(p_company uuid, p_now timestamp with time zone, p_companies uuid[], p_environments environment[], p_ids uuid[], p_statuses text[], p_receipts text[], p_cards uuid[], p_last4s text[], p_failure_codes text[], p_failure_messages text[], p_dues timestamp with time zone[]) returns TABLE(item integer, status text) language plpgsql, body ee8ad1175eef92526b2454883324b127
