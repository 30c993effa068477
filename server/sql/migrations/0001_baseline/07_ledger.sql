-- The card account of a company in an environment, its entries and the seals of its hash chain. Only the functions that
-- docs/ledger.md lists write here, and each locks the account row first; a test compares the list with the functions.
-- Amounts are in cents.

create table account (
  company_id    uuid not null references company,
  environment   environment not null,
  available     bigint not null default 0 check (available >= 0),
  held          bigint not null default 0 check (held >= 0),
  -- The number of the newest entry; numbers have no gaps.
  sequence      bigint not null default 0,
  -- The time of the newest entry. Entries never go back in time, so a statement of whole days is a range of numbers.
  last_entry_at timestamptz(3) not null,
  -- The issue operations that were accepted in a month (its first day) and have not failed.
  issued_month  date not null default '1970-01-01',
  issued_count  integer not null default 0 check (issued_count >= 0),
  -- Whether the company has ever had a webhook endpoint in this environment. Functions read it under the lock that every
  -- money write takes anyway, so a company without endpoints pays nothing for deliveries.
  has_endpoints boolean not null default false,
  primary key (company_id, environment)
) with (
  -- Every movement updates the row. Free space on the page keeps the update out of the index.
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0
);

-- What kind of object an entry refers to, so that a statement can show the right id. The values are the prefixes of ids in the API.
create type reference_type as enum ('op', 'inv', 'rev', 'fund', 'card', 'txn');

create table entry (
  company_id      uuid not null,
  environment     environment not null,
  number          bigint not null,
  kind            text not null,
  -- The object that it belongs to.
  reference       uuid not null,
  available_delta bigint not null,
  held_delta      bigint not null,
  -- available + held after this entry, and the held part of it.
  balance         bigint not null,
  held            bigint not null,
  created_at      timestamptz(3) not null,
  -- The hash chain does not cover this column: it covers what the first entries had.
  reference_type  reference_type not null default 'op',
  primary key (company_id, environment, number),
  -- Few constraints, for the same reason as on operations.
  constraint entry_check check (number > 0 and held >= 0 and held <= balance),
  constraint entry_kind_check check (case kind
    when 'deposit' then available_delta > 0 and held_delta = 0 and reference_type in ('inv', 'rev', 'fund')
    when 'fee' then (available_delta < 0 and held_delta = 0 and reference_type in ('inv', 'rev', 'fund'))
      or (available_delta = 0 and held_delta < 0 and reference_type = 'op')
    when 'reservation' then held_delta > 0 and available_delta = -held_delta and reference_type = 'op'
    when 'capture' then held_delta < 0 and available_delta = 0 and reference_type = 'op'
    when 'release' then held_delta < 0 and available_delta = -held_delta and reference_type = 'op'
    when 'adjustment' then available_delta <> 0 and held_delta = 0 and reference_type in ('op', 'card', 'txn')
    else false
  end)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);

-- A reservation ends once, with a capture or a release.
create unique index entry_ends_once on entry (company_id, environment, reference) where kind in ('capture', 'release');
create unique index entry_deposits_once on entry (company_id, environment, reference) where kind = 'deposit';
create unique index entry_charges_once on entry (company_id, environment, reference) where kind = 'fee';
-- Money returns from a closed card once: per card, per late credit to a card, and per top-up.
create unique index entry_returns_once on entry (company_id, environment, reference) where kind = 'adjustment';
-- Nearly all entries are reservations, captures and fees. A list of another kind reads only what it shows.
create index entry_of_rare_kind on entry (company_id, environment, kind, number)
  where kind <> all (array['reservation', 'capture', 'fee']);

-- The hash chain over the entries of an account. A seal covers the range of entries since the seal before it: `hash` is the
-- chain's value after entry `number`. A job writes seals behind the requests.
create table seal (
  company_id  uuid not null,
  environment environment not null,
  number      bigint not null check (number > 0),
  hash        bytea not null check (length(hash) = 32),
  sealed_at   timestamptz(3) not null,
  primary key (company_id, environment, number)
);
-- The operator lists seals by their time. Accounts that are sealed in one run have the same time, so the hash decides among them.
create index seal_by_time on seal (sealed_at, hash);
create trigger seal_append_only before update or delete or truncate on seal
  for each statement execute function refuse_change();

-- Old entries can be moved to files: docs/operating.md says how, docs/ledger.md what still holds, ADR 13 why. Each row is one file of
-- one account. The entries of the account up to `number` are in its files and are ignored here, also those that are not deleted yet.
create table entry_archive (
  company_id   uuid not null,
  environment  environment not null,
  -- The last entry of the file. The first one follows the last entry of the file before it.
  number       bigint not null,
  -- The value of the hash chain after it, available + held, the held part, and its time. No entry that is left has the same time.
  hash         bytea not null check (length(hash) = 32),
  balance      bigint not null,
  held         bigint not null check (held >= 0 and held <= balance),
  last_at      timestamptz(3) not null,
  -- How many entries up to `number` are reservations and deposits. As many operations and deposits have none left.
  reservations bigint not null,
  deposits     bigint not null,
  file_name    text not null,
  file_digest  bytea not null check (length(file_digest) = 32),
  archived_at  timestamptz(3) not null,
  primary key (company_id, environment, number),
  -- Only what is sealed can be proved later.
  foreign key (company_id, environment, number) references seal
);
create trigger entry_archive_append_only before update or delete or truncate on entry_archive
  for each statement execute function refuse_change();

-- Entries are append-only. Only an entry that an archive has can be deleted.
create function refuse_unless_archived() returns trigger
language plpgsql as $$
begin
  if exists (
    select from entry_archive a
    where a.company_id = old.company_id and a.environment = old.environment and a.number >= old.number
  ) then return old; end if;
  raise exception 'entry is append-only; entry % is not archived', old.number using errcode = 'restrict_violation';
end $$;
create trigger entry_append_only before update or truncate on entry
  for each statement execute function refuse_change();
create trigger entry_deleted_when_archived before delete on entry
  for each row execute function refuse_unless_archived();

-- Sandbox deposits. The row keeps the idempotency key.
create table deposit (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  amount          bigint not null check (amount > 0),
  idempotency_key text not null,
  request_digest  bytea not null,
  created_at      timestamptz(3) not null,
  primary key (company_id, environment, id)
);
-- Partial, so that the planner cannot use it for a look-up by id (see operation_key).
create unique index deposit_key on deposit (company_id, environment, idempotency_key) where idempotency_key is not null;
