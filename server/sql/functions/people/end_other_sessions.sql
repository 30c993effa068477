-- Ends every session of a person but one, and records it in the audit log if there was any. Returns false, and ends nothing, if the right of
-- whoever asks has ended.
-- Called by people/sessions/queries.ts.
create or replace function end_other_sessions(p_right jsonb, p_person uuid, p_kept uuid, p_now timestamptz, p_log jsonb) returns boolean
language plpgsql as $$
begin
  if not hold_right(p_right, array[p_person]) then
    return false;
  end if;
  update person_session s set ended_at = p_now where s.person_id = p_person and s.id <> p_kept and s.ended_at is null;
  if found then
    perform record_audit(null, p_log);
  end if;
  return true;
end $$;
