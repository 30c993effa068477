-- `cardstock migrate` runs this after it has distributed the tables, and again with every upgrade.

-- The workers get the view only when it is created after its tables were distributed.
create or replace view event_log as
  select company_id, environment, id, type, object_id, sequence, data, created_at from event
  union all
  select company_id, environment, id, 'operation.queued', id, 1, null, created_at from operation;
