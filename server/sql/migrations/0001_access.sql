-- Companies, their API keys, the operators, and the log of what operators did.

create type environment as enum ('sandbox', 'live');

create table company (
  id              uuid primary key,
  name            text not null check (length(name) between 1 and 255),
  kind            text not null check (kind in ('individual', 'corporate')),
  verification    text not null default 'pending' check (verification in ('pending', 'approved', 'rejected')),
  live_services   boolean not null default false,
  direct_invoices boolean not null default false,
  created_at      timestamptz(3) not null
);

-- The key itself is never stored: only its HMAC, and enough of both ends to recognise it in a list.
create table api_key (
  company_id    uuid not null references company,
  id            uuid not null,
  environment   environment not null,
  name          text not null check (length(name) between 1 and 255),
  digest        bytea not null unique check (length(digest) = 32),
  prefix        text not null,
  last4         text not null check (length(last4) = 4),
  scopes        text[] not null,
  allowed_cidrs text[] not null default '{}',
  created_at    timestamptz(3) not null,
  expires_at    timestamptz(3),
  revoked_at    timestamptz(3),
  last_used_at  timestamptz(3),
  primary key (company_id, id)
);

create table operator_token (
  id         uuid primary key,
  digest     bytea not null unique check (length(digest) = 32),
  created_at timestamptz(3) not null,
  revoked_at timestamptz(3)
);

-- Every process caches callers and reads this number a few times a second. When it changes, the process empties its cache.
create table access_version (
  only_row boolean primary key default true check (only_row),
  version  bigint not null
);
insert into access_version (version) values (1);

create function bump_access_version() returns trigger language plpgsql as $$
begin
  update access_version set version = version + 1;
  return null;
end $$;

-- Triggers, so that no statement that changes a caller's rights can forget to. last_used_at changes no right.
create trigger company_changed after update on company
  for each statement execute function bump_access_version();
create trigger api_key_changed after update of expires_at, revoked_at, scopes, allowed_cidrs or delete on api_key
  for each statement execute function bump_access_version();
create trigger operator_token_changed after insert or update or delete on operator_token
  for each statement execute function bump_access_version();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create table audit_log (
  id         uuid primary key,
  company_id uuid,
  actor      text not null,
  action     text not null,
  object     text,
  details    jsonb not null default '{}',
  address    text,
  request_id text,
  created_at timestamptz(3) not null
);
create index audit_log_by_company on audit_log (company_id, id);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change();

-- Facts about this installation, such as the check value of its secret key.
create table installation (
  name  text primary key,
  value bytea not null
);
