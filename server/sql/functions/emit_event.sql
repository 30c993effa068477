-- Writes an event of an object that is not an operation, with the object as it is now, and its deliveries. To be called
-- in the transaction that changes the object.
--
-- All lines of the company are locked at once, in order: a transaction may emit several events, for endpoints that ask for
-- different ones, and would otherwise lock their lines in the order of the events.
create or replace function emit_event(p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamptz)
returns void
language plpgsql
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
declare
  v_event uuid := write_event(p_company, p_environment, p_type, p_object, p_data, p_now);
begin
  if not exists (select from account a where a.company_id = p_company and a.environment = p_environment and a.has_endpoints) then
    return;
  end if;
  perform lock_lines_of(p_company, p_environment);
  perform fan_out(p_now, array[p_company], array[p_environment], array[v_event], array[p_type]);
end $$;

-- Writes the event alone and answers its id. A card's first event is written when the card is, by settle_operations, and
-- is not counted: most cards never have another. The counter's row is locked until the end of the transaction, so that the
-- events of an object are numbered in the order in which they are committed.
create or replace function write_event(p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamptz)
returns uuid
language plpgsql
as $$
declare
  v_sequence integer;
  v_time text := event_time(p_now);
begin
  insert into event_counter as c (company_id, environment, object_id, sequence)
  values (p_company, p_environment, p_object, case p_type when 'card.updated' then 2 else 1 end)
  on conflict (company_id, environment, object_id) do update set sequence = c.sequence + 1
  returning c.sequence into v_sequence;
  insert into event (company_id, environment, id, type, object_id, sequence, data, created_at)
  values (p_company, p_environment, event_id(v_time, p_object, v_sequence), p_type, p_object, v_sequence, p_data, p_now);
  return event_id(v_time, p_object, v_sequence);
end $$;
