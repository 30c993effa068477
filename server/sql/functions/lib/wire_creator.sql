-- Returns who ordered something as the API shows it; null if that was not recorded. The text has the kind, the id and the name,
-- separated by spaces (access/creator.ts).
-- Called by invoice_json.
create or replace function wire_creator(p_creator text) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'kind', split_part(p_creator, ' ', 1),
    'id', wire_id(case split_part(p_creator, ' ', 1) when 'key' then 'key' else 'per' end, split_part(p_creator, ' ', 2)::uuid),
    'name', regexp_replace(p_creator, '^[^ ]+ [^ ]+ ', ''))
  where p_creator is not null
$$;
