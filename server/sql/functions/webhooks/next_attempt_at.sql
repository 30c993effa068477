-- Returns when the event of an attempt is sent to its endpoint again, or null: when it was delivered or given up, when the
-- endpoint is disabled, and for every attempt but the newest. It is not sent before that time, and later if others wait too.
-- Not on Citus: no process of the previous release was distributed.
-- Kept for the previous release, whose processes call it during an upgrade.
create or replace function next_attempt_at(p_company uuid, p_environment environment, p_event uuid, p_endpoint uuid, p_attempt uuid)
returns timestamptz
language sql stable as $$
  -- While a worker has the queue, not_before is the end of its lease and says nothing about the delivery.
  select case when q.worker_id is null then greatest(d.due_at, q.not_before) else d.due_at end
  from delivery d
  join delivery_queue q on q.company_id = d.company_id and q.environment = d.environment and q.endpoint_id = d.endpoint_id
  where d.company_id = p_company and d.environment = p_environment and d.event_id = p_event and d.endpoint_id = p_endpoint
    and d.status = 'pending' and q.due_at is not null
    and not exists (
      select from webhook_attempt w
      where w.company_id = p_company and w.environment = p_environment and w.event_id = p_event and w.id > p_attempt
        and w.endpoint_id = p_endpoint)
$$;
