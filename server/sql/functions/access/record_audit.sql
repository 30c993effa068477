-- Writes a record of the audit log inside the statement that makes the change:
--   with changed as (update … returning …) select changed.*, record_audit(changed.id, $n) from changed
--
-- The lines about one object stand in the order in which its changes took effect. A request makes the id of its line when it begins, and may
-- then wait for another one that changes the same object. Such a line gets the next id after the other's, and its time.
-- Called by access/queries.ts, backup/queries.ts, catalog/queries.ts, companies/queries.ts, holders/queries.ts, issuer/queries.ts, keys/queries.ts,
-- mail/queries.ts, people/links/queries.ts, people/passkeys/queries.ts, people/queries.ts, people/second-factor/queries.ts, people/sessions/queries.ts,
-- setup/queries.ts,
-- accept_invitation, add_passkey, change_membership, change_password, confirm_totp, create_api_key, create_invitation,
-- create_operator_token, create_person_link, create_product, end_other_sessions, erase_holder, join_by_invitation,
-- remove_passkey, remove_totp, renew_recovery_codes, reset_password, resolve_review, revoke_operator_token,
-- rotate_api_key, start_session, update_holder, update_holder_status and use_sign_in_link.
create or replace function record_audit(p_company uuid, p_audit_record jsonb) returns void
language plpgsql as $$
declare
  v_id uuid := (p_audit_record ->> 'id')::uuid;
  v_created_at timestamptz := (p_audit_record ->> 'createdAt')::timestamptz;
  v_last record;
begin
  select a.id, a.created_at into v_last from audit_log a
  where a.object = p_audit_record ->> 'object' and a.id > v_id
  order by a.id desc limit 1;
  if found then
    v_id := (left(v_last.id::text, 24) || lpad(to_hex(('x' || right(v_last.id::text, 12))::bit(48)::bigint + 1), 12, '0'))::uuid;
    v_created_at := v_last.created_at;
  end if;
  -- A process of the previous release sends no kind, id and name of the actor.
  insert into audit_log (
    id, company_id, actor, actor_kind, actor_id, actor_name, action, object, details, address, request_id, created_at)
  values (v_id, p_company, p_audit_record ->> 'actor', p_audit_record ->> 'actorKind', (p_audit_record ->> 'actorId')::uuid,
          p_audit_record ->> 'actorName', p_audit_record ->> 'action', p_audit_record ->> 'object', p_audit_record -> 'details',
          p_audit_record ->> 'address', p_audit_record ->> 'requestId', v_created_at);
end $$;
