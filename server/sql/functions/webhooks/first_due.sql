-- Returns when the first pending delivery of an endpoint is due, or null.
-- Called by update_webhook_endpoint.
create or replace function first_due(p_company uuid, p_environment environment, p_endpoint uuid) returns timestamptz
language plpgsql stable as $$
begin
  return (select d.due_at from delivery d
  where d.company_id = p_company and d.environment = p_environment and d.endpoint_id = p_endpoint and d.status = 'pending'
  order by d.due_at limit 1);
end $$;
