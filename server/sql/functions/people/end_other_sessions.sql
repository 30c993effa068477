-- Ends every session of a person but one, and records it in the audit log.
-- Called by people/sessions/queries.ts.
create or replace function end_other_sessions(p_person uuid, p_kept uuid, p_now timestamptz, p_log jsonb) returns void
language plpgsql as $$
begin
  perform 1 from person p where p.id = p_person for no key update;
  update person_session s set ended_at = p_now where s.person_id = p_person and s.id <> p_kept and s.ended_at is null;
  perform record_audit(null, p_log);
end $$;
