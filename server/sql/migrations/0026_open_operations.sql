-- Gives the queue of operations a small table of its own. `operation` had indexes on its status and its due time, so PostgreSQL
-- wrote a new entry into every index of it with each claim and each settlement. Now no index of it has a column that a claim or a
-- success changes, and what is in the queue can be read without the history. For the same reason the operations of a card get a
-- table: an issue knows its card only when it completes.
--
-- The functions that write operations are replaced in the transaction of this migration, and processes of the previous version
-- call the new ones from then on. Such a process still reads `operation` itself for its metrics and its lists by status, without
-- an index for them. A call that began before the migration and waited for it continues with the former text of its function:
-- it would change an operation and not the queue. It fails instead and has written nothing. Such an accept leaves out `status`,
-- which has no default any more; every other one writes operation.due_at, which the trigger below refuses. The next release
-- drops the trigger and the column.
create table open_operation (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  status      text not null,
  -- Queued: not to be claimed before this. Processing: from then on the claimer counts as dead, or the next look-up is due.
  due_at      timestamptz(3) not null,
  -- The amount and the fee, which the account holds for it.
  held        bigint not null,
  primary key (company_id, environment, id),
  check (status in ('queued', 'processing', 'manual_review'))
);

-- The issue that created a card, and the top-ups of it.
create table card_operation (
  company_id  uuid not null,
  environment environment not null,
  card_id     uuid not null,
  id          uuid not null,
  primary key (company_id, environment, card_id, id)
);

-- safe: operations must not change while they are copied. Few are open, and their indexes find them. The others that have a card
-- take about ten seconds per million.
lock table operation in access exclusive mode;

insert into open_operation (company_id, environment, id, status, due_at, held)
select company_id, environment, id, status, due_at, amount + fee from operation where status = 'queued'
union all
select company_id, environment, id, status, due_at, amount + fee from operation where status = 'processing'
union all
select company_id, environment, id, status, due_at, amount + fee from operation where status = 'manual_review';

create index open_operation_queued on open_operation (environment, company_id, due_at) where status = 'queued';
create index open_operation_processing on open_operation (environment, due_at, id) where status = 'processing';
create index open_operation_in_review on open_operation (id) where status = 'manual_review';

insert into card_operation (company_id, environment, card_id, id)
select company_id, environment, card_id, id from operation where card_id is not null;

drop index operation_by_card;
drop index operation_queued;
drop index operation_processing;
drop index operation_in_review;
-- Only an operation that fails changes its failure_code, so this index stands in the way of no other change.
-- safe: a hundred million operations are read in about two minutes, during which nothing is accepted; few of them failed.
create index operation_failed on operation (company_id, environment, id) where failure_code is not null;
drop index operation_unusual;

-- A claim and a settlement each write a new version of the row, the second with the receipt. A page that is a little more than half
-- empty has room for it, and then no index needs a new entry. Pages that exist are not rewritten.
alter table operation set (fillfactor = 45);
alter table operation alter column status drop default;

create or replace function refuse_former_queue() returns trigger
language plpgsql as $$
begin
  raise 'the queue of operations has moved to open_operation; repeat the call' using errcode = 'serialization_failure';
end $$;
create trigger operation_queue_moved before update of due_at on operation
  for each statement execute function refuse_former_queue();
