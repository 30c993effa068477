-- An event of an object, for the webhooks. Kept by the webhooks' own function; without them nobody listens.
create or replace function emit_event(
  p_company uuid, p_environment environment, p_type text, p_object uuid, p_data jsonb, p_now timestamptz
) returns void
language sql as $$ select $$;
