-- Writes a record of the audit log inside the statement that makes the change:
--   with changed as (update … returning …) select changed.*, record_audit(changed.id, $n) from changed
-- Called by access/queries.ts, catalog/queries.ts, holders/queries.ts, issuer/queries.ts, people/links/queries.ts,
-- people/passkeys/queries.ts, people/queries.ts, people/second-factor/queries.ts, people/sessions/queries.ts, setup/queries.ts,
-- accept_invitation, add_passkey, change_membership, change_password, confirm_totp, create_api_key, create_invitation,
-- create_operator_token, create_person_link, create_product, end_other_sessions, erase_holder, join_by_invitation,
-- remove_passkey, remove_totp, renew_recovery_codes, reset_password, resolve_card_change, resolve_invoice, resolve_operation,
-- resolve_payment_review, revoke_operator_token, rotate_api_key, start_session, update_holder_status and use_sign_in_link.
create or replace function record_audit(p_company uuid, p_audit_record jsonb) returns void
language plpgsql as $$
begin
  -- A process of the previous release sends no kind, id and name of the actor.
  insert into audit_log (
    id, company_id, actor, actor_kind, actor_id, actor_name, action, object, details, address, request_id, created_at)
  values ((p_audit_record ->> 'id')::uuid, p_company, p_audit_record ->> 'actor', p_audit_record ->> 'actorKind',
          (p_audit_record ->> 'actorId')::uuid, p_audit_record ->> 'actorName', p_audit_record ->> 'action', p_audit_record ->> 'object',
          p_audit_record -> 'details', p_audit_record ->> 'address', p_audit_record ->> 'requestId', (p_audit_record ->> 'createdAt')::timestamptz);
end $$;
