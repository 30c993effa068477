-- Returns, as one JSON object of text by reference, what the entries of a range are about: the card and its holder, the
-- service and its recipient, or the invoice. References without a label are left out. A card is shown with its name, its last four
-- digits and its holder, by the same subquery each time: on Citus, a function that reads tables cannot be called in a statement that
-- does so too. There are few products, so their names are read first: Citus cannot join them with the tables of a node.
-- Called by card-account/queries.ts.
create or replace function statement_labels(p_company uuid, p_environment environment, p_first bigint, p_last bigint) returns text
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_labels text;
  v_products jsonb := (select jsonb_object_agg(p.id, p.name) from product p);
begin
  select jsonb_object_agg(replace(r.reference::text, '-', ''), l.label)::text into v_labels
  from (
    select distinct e.reference from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number between p_first and p_last
  ) r
  cross join lateral (
    select coalesce(
      (select case o.type
         when 'issue' then 'card ' || o.name || ' for ' || coalesce((
           select h.name from holder h where h.company_id = p_company and h.environment = p_environment and h.id = o.holder_id), '')
         when 'topup' then 'top-up of ' || (select 'card ' || c.name || ' *' || c.last4 || ', ' || h.name from card c
       join holder h on h.company_id = p_company and h.environment = p_environment and h.id = c.holder_id
       where c.company_id = p_company and c.environment = p_environment and c.id = o.card_id)
         else coalesce(v_products ->> o.product_id, o.product_id) || ' for ' || o.recipient end
       from operation o where o.company_id = p_company and o.environment = p_environment and o.id = r.reference),
      (select 'invoice over ' || to_char(i.requested / 100.0, 'FM9,999,999,990.00') || ' USD of ' || to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD')
       from invoice i where i.company_id = p_company and i.environment = p_environment and i.id = r.reference),
      (select 'late payment, invoice of ' || to_char(i.created_at at time zone 'UTC', 'YYYY-MM-DD')
       from payment_review v
       join invoice i on i.company_id = p_company and i.environment = p_environment and i.id = v.invoice_id
       where v.company_id = p_company and v.environment = p_environment and v.id = r.reference),
      (select 'card ' || c.name || ' *' || c.last4 || ', ' || h.name from card c
       join holder h on h.company_id = p_company and h.environment = p_environment and h.id = c.holder_id
       where c.company_id = p_company and c.environment = p_environment and c.id = r.reference),
      (select 'card ' || c.name || ' *' || c.last4 || ', ' || h.name from transaction t
       join card c on c.company_id = p_company and c.environment = p_environment and c.id = t.card_id
       join holder h on h.company_id = p_company and h.environment = p_environment and h.id = c.holder_id
       where t.company_id = p_company and t.environment = p_environment and t.id = r.reference)
    ) as label
  ) l
  where l.label is not null;
  return coalesce(v_labels, '{}');
end $$;
