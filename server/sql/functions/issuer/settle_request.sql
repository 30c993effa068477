-- Notes that the outcome of an invoice or a card change is known, or when it is looked up next. Only a request that is still
-- 'processing' or in 'manual_review' keeps its row. The caller holds the lock of the account row.
-- Called by complete_invoice, end_invoice, settle_card_change and settle_invoice.
create or replace function settle_request(p_company uuid, p_environment environment, p_id uuid, p_status text, p_due timestamptz) returns void
language plpgsql as $$
begin
  if p_status in ('processing', 'manual_review') then
    update issuer_request q set status = p_status, due_at = coalesce(p_due, q.due_at)
    where q.company_id = p_company and q.environment = p_environment and q.id = p_id;
  else
    delete from issuer_request q where q.company_id = p_company and q.environment = p_environment and q.id = p_id;
  end if;
end $$;
