-- Replaces the recovery codes of a person. Returns false if the person has no second factor, which the codes would stand in for.
-- Called by people/second-factor/queries.ts.
create or replace function renew_recovery_codes(p_person uuid, p_codes bytea[], p_log jsonb) returns boolean
language plpgsql as $$
begin
  perform 1 from person p where p.id = p_person for no key update;
  if not has_second_factor(p_person) then
    return false;
  end if;
  perform replace_recovery_codes(p_person, p_codes);
  perform record_audit(null, p_log);
  return true;
end $$;
