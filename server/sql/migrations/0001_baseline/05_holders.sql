-- Cardholders, and the erasure of their personal data.

create table holder (
  company_id      uuid not null references company,
  environment     environment not null,
  id              uuid not null,
  name            text not null,
  email           text not null,
  kind            text not null check (kind in ('individual', 'corporate')),
  status          text not null check (status in ('pending', 'active', 'blocked', 'inactive')),
  external_id     text,
  idempotency_key text,
  request_digest  bytea,
  created_at      timestamptz(3) not null,
  -- Null: the holder is not erased. While it is 'running', a job still clears older records, a bounded number at a time.
  erasure         text check (erasure in ('running', 'completed')),
  primary key (company_id, environment, id)
);
-- Partial, so that the planner cannot use it for a look-up by id (see operation_key).
create unique index holder_key on holder (company_id, environment, idempotency_key) where idempotency_key is not null;
-- Each filter of the lists of holders and cards has an index, so that a search reads what it finds and not all that a company has,
-- or worse, all that other companies have. Filters of larger tables are read in windows instead (lib/windows.ts).
create index holder_by_email on holder (company_id, environment, email, id);
create index holder_by_external_id on holder (company_id, environment, external_id, id) where external_id is not null;
create index holder_by_status on holder (company_id, environment, status, id);
create index holder_by_kind on holder (company_id, environment, kind, id);

-- How far the erasure of a holder has come. A step goes through one table in the order of its ids; `position` is the last id
-- that was looked at. The row is deleted when everything is done.
create table erasure (
  company_id  uuid not null,
  environment environment not null,
  holder_id   uuid not null,
  step        text not null default 'cards' check (step in ('cards', 'transactions', 'events', 'card_changes', 'operations', 'attempts')),
  position    uuid not null default '00000000-0000-0000-0000-000000000000',
  -- The holder's name and e-mail address in lower case, by which orders of services for this person are recognised.
  recipients  text[] not null,
  due_at      timestamptz(3) not null,
  primary key (company_id, environment, holder_id),
  foreign key (company_id, environment, holder_id) references holder (company_id, environment, id)
);
create index erasure_due on erasure (due_at);
