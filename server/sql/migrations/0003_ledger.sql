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
  primary key (company_id, environment)
) with (fillfactor = 50); -- Every movement updates the row. Free space on the page keeps the update out of the index.

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
  primary key (company_id, environment, number),
  -- Few constraints, for the same reason as on operations.
  constraint entry_check check (number > 0 and held >= 0 and held <= balance),
  constraint entry_kind_check check (case kind
    when 'deposit' then available_delta > 0 and held_delta = 0
    when 'fee' then (available_delta < 0 and held_delta = 0) or (available_delta = 0 and held_delta < 0)
    when 'reservation' then held_delta > 0 and available_delta = -held_delta
    when 'capture' then held_delta < 0 and available_delta = 0
    when 'release' then held_delta < 0 and available_delta = -held_delta
    when 'adjustment' then available_delta <> 0 and held_delta = 0
    else false
  end)
);

-- A reservation ends once, with a capture or a release.
create unique index entry_ends_once on entry (company_id, environment, reference) where kind in ('capture', 'release');
create unique index entry_deposits_once on entry (company_id, environment, reference) where kind = 'deposit';
create unique index entry_charges_once on entry (company_id, environment, reference) where kind = 'fee';

create trigger entry_append_only before update or delete or truncate on entry
  for each statement execute function refuse_change();

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
create trigger seal_append_only before update or delete or truncate on seal
  for each statement execute function refuse_change();

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
