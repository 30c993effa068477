-- Events. An event and its deliveries, one per enabled endpoint that asks for it, are written in the transaction that changes the
-- object. Events, deliveries and attempts are kept for 30 days.

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
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Nearly all events say that an operation is processing or completed. Listing any other type would read all of them. Without
-- these two types the index costs a claim nothing, and a settlement one entry if it creates or loads a card.
create index event_by_type on event (company_id, environment, type, id)
  where type <> all (array['operation.processing', 'operation.completed']);

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
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
