-- Where events of domain objects go in. No subscriber is connected yet: nothing is stored.
create or replace function emit_event(
  p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamptz
) returns void
language sql as $$ select $$;
