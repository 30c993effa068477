-- Writes an event without deliveries and returns its id. settle_operations writes the first event of a card together with
-- the card and does not count it, because most cards never have another. The counter's row stays locked until the end of the
-- transaction, so the events of an object are numbered in the order in which they are committed.
-- Called by emit_event and ping_webhook_endpoint.
create or replace function write_event(p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamptz)
returns uuid
language plpgsql
as $$
declare
  v_sequence integer;
  v_first integer := case when p_type = 'card.updated' then 2 else 1 end;
  v_time text := event_time(p_now);
begin
  insert into event_counter as c (company_id, environment, object_id, sequence)
  values (p_company, p_environment, p_object, v_first)
  on conflict (company_id, environment, object_id) do update set sequence = c.sequence + 1
  returning c.sequence into v_sequence;
  insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
  values (p_company, p_environment, event_id(v_time, p_object, v_sequence), p_type, p_object, v_sequence, p_data, p_now);
  return event_id(v_time, p_object, v_sequence);
end $$;
