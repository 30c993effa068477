-- Deletes an endpoint with its secrets and its delivery queue. Its attempts stay in the log until their events are removed.
-- Called by webhooks/queries.ts.
create or replace function delete_webhook_endpoint(p_company uuid, p_environment environment, p_id uuid) returns boolean
language plpgsql as $$
begin
  perform lock_delivery_queues(array[p_company], array[p_environment], array[p_id]);
  delete from webhook_endpoint e where e.company_id = p_company and e.environment = p_environment and e.id = p_id;
  return found;
end $$;
