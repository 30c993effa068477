-- Stores the invoice as it is as the first answer to the request that made it, unless there is one, and returns the first answer.
-- Called by funding/queries.ts.
create or replace function store_first_answer(p_company uuid, p_environment environment, p_id uuid, p_pay_url text) returns jsonb
language plpgsql as $$
declare
  v_invoice invoice;
begin
  select * into v_invoice from invoice i
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id for no key update;
  if v_invoice.id is null or v_invoice.first_answer is not null then return v_invoice.first_answer; end if;
  v_invoice.first_answer := invoice_json(v_invoice, p_pay_url);
  update invoice i set first_answer = v_invoice.first_answer
  where i.company_id = p_company and i.environment = p_environment and i.id = p_id;
  return v_invoice.first_answer;
end $$;
