-- The lines have work that is due now. One that was due already is only locked: its row is not written again for every
-- event, and neither are its indexes.
-- Called by fan_out, ping_webhook_endpoint and resend_event.
create or replace function wake_lines(p_now timestamptz, p_companies uuid[], p_environments environment[], p_endpoints uuid[])
returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
begin
  perform lock_lines(p_companies, p_environments, p_endpoints);
  update webhook_line l set due_at = p_now
  from unnest(p_companies, p_environments, p_endpoints) as i (company_id, environment, endpoint_id)
  where l.company_id = i.company_id and l.environment = i.environment and l.endpoint_id = i.endpoint_id
    and (l.due_at is null or l.due_at > p_now);
end $$;
