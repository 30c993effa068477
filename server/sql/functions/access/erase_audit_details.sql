-- Erases free text in the details of audit records about some objects: why a review was decided, the evidence, what the issuer
-- reported, and idempotency keys. Who did what, when and to which object stays; a trigger refuses any other change.
-- Across environments: the ids of objects are unique, and records have no environment.
-- Called by erase_card_changes, erase_cards, erase_holder and erase_operations.
create or replace function erase_audit_details(p_company uuid, p_objects text[]) returns void
language plpgsql
set jit = off
set enable_seqscan = off
as $$
begin
  perform set_config('cardstock.erasing', 'on', true);
  update audit_log a set details = a.details || (
    select jsonb_object_agg(d.key, 'Erased') from jsonb_object_keys(a.details) as d (key)
    where d.key in ('reason', 'evidence', 'data', 'idempotencyKey'))
  where a.company_id = p_company and a.object = any (p_objects) and a.details ?| array['reason', 'evidence', 'data', 'idempotencyKey'];
  perform set_config('cardstock.erasing', 'off', true);
end $$;
