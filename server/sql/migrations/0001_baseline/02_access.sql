-- Companies, their API keys, the operators' tokens, and the log of what people and programs did.

create table company (
  id              uuid primary key,
  name            text not null check (length(name) between 1 and 255),
  kind            text not null check (kind in ('individual', 'corporate')),
  verification    text not null default 'pending' check (verification in ('pending', 'approved', 'rejected')),
  live_services   boolean not null default false,
  direct_invoices boolean not null default false,
  created_at      timestamptz(3) not null,
  -- By an operator. The company's keys then read, and freeze and close cards, but write nothing else.
  suspended       boolean not null default false
);

-- The key itself is never stored: only its HMAC, and enough of both ends to recognise it in a list.
create table api_key (
  company_id     uuid not null references company,
  id             uuid not null,
  environment    environment not null,
  name           text not null check (length(name) between 1 and 255),
  digest         bytea not null unique check (length(digest) = 32),
  prefix         text not null,
  last4          text not null check (length(last4) = 4),
  scopes         text[] not null,
  allowed_cidrs  text[] not null default '{}',
  created_at     timestamptz(3) not null,
  expires_at     timestamptz(3),
  revoked_at     timestamptz(3),
  last_used_at   timestamptz(3),
  -- When the company was told that the key is about to expire.
  expiry_told_at timestamptz(3),
  -- The key that replaced this one, so that a key is rotated at most once.
  successor_id   uuid,
  primary key (company_id, id),
  foreign key (company_id, successor_id) references api_key (company_id, id)
);
create index api_key_expiring on api_key (expires_at) where expires_at is not null and expiry_told_at is null and revoked_at is null;

create table operator_token (
  id           uuid primary key,
  digest       bytea not null unique check (length(digest) = 32),
  created_at   timestamptz(3) not null,
  revoked_at   timestamptz(3),
  name         text not null check (length(name) between 1 and 255),
  prefix       text not null,
  -- Null for a token of a pre-release, until a server that knows the token starts.
  last4        text check (length(last4) = 4),
  last_used_at timestamptz(3)
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

-- Triggers, so that no statement that changes a caller's rights can forget to. They do not watch last_used_at and expiry_told_at,
-- which change no right: every change empties the caches of all processes.
create trigger company_changed after update on company
  for each statement execute function bump_access_version();
create trigger api_key_changed after update of expires_at, revoked_at, scopes, allowed_cidrs or delete on api_key
  for each statement execute function bump_access_version();
create trigger operator_token_changed after insert or delete or update of revoked_at on operator_token
  for each statement execute function bump_access_version();

create table audit_log (
  id         uuid primary key,
  company_id uuid,
  -- Who acted, as one text for people to read. People choose their own names, so the id below says who it was.
  actor      text not null,
  action     text not null,
  object     text,
  details    jsonb not null default '{}',
  address    text,
  request_id text,
  created_at timestamptz(3) not null,
  -- Records of early pre-releases have no kind, id and name.
  actor_kind text,
  actor_id   uuid,
  -- What the person, key or token was called when it acted.
  actor_name text,
  constraint audit_log_actor_known check ((actor_id is null) = (coalesce(actor_kind, 'program') in ('program', 'issuer')))
);
create index audit_log_by_company on audit_log (company_id, id);
create index audit_log_by_object on audit_log (object, id);
create index audit_log_by_actor on audit_log (actor_id, id) where actor_id is not null;

-- A record of the audit log stays, and so does who did what, when and to what. Only texts in its details can be erased.
create function check_audit_erasure() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE'
    or (new.id, new.company_id, new.actor, new.actor_kind, new.actor_id, new.actor_name, new.action, new.object, new.address,
        new.request_id, new.created_at)
      is distinct from (old.id, old.company_id, old.actor, old.actor_kind, old.actor_id, old.actor_name, old.action, old.object,
                        old.address, old.request_id, old.created_at)
    or exists (
      select from jsonb_each(old.details) o full join jsonb_each(new.details) n on n.key = o.key
      where n.value is distinct from o.value and (o.key is null or n.value is distinct from '"Erased"'))
  then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change_unless_erasing();
create trigger audit_log_erasure before update or delete on audit_log
  for each row execute function check_audit_erasure();
