-- Returns how many API keys of a company work in an environment, and stops counting at p_limit: any number may have ended.
-- Called by create_api_key and rotate_api_key.
create or replace function count_working_keys(p_company uuid, p_environment environment, p_now timestamptz, p_limit integer) returns integer
language plpgsql stable
set jit = off
set enable_seqscan = off
set enable_bitmapscan = off
as $$
begin
  return (
    select count(*) from (
      select from api_key k
      where k.company_id = p_company and k.environment = p_environment and k.revoked_at is null
        and coalesce(k.expires_at, 'infinity'::timestamptz) > p_now
      limit p_limit
    ) working
  );
end $$;
