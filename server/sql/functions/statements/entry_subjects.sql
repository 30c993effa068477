-- Returns, as one JSON object by reference, what entries are about: the type and the product of an operation, the card and its
-- holder, the recipient of a service, the invoice. References about which nothing is known are left out. The entries are those of a
-- range of numbers, or the references are given with their types; the others are null. One text, because thousands of rows
-- would cost more. There are few products, so their names are read first: Citus cannot join them with the tables of a node.
-- Called by card-account/queries.ts.
create or replace function entry_subjects(
  p_company uuid, p_environment environment, p_first bigint, p_last bigint, p_references uuid[], p_types text[]
) returns text
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_subjects text;
  v_products jsonb := (select jsonb_object_agg(p.id, p.name) from product p);
begin
  select jsonb_object_agg(encode(uuid_send(r.reference), 'hex'), s.subject)::text into v_subjects
  from (
    select e.reference, e.reference_type::text from entry e
    where e.company_id = p_company and e.environment = p_environment and e.number between p_first and p_last
    union
    select g.reference, g.reference_type from unnest(p_references, p_types) as g (reference, reference_type)
  ) r
  left join lateral (
    select o.type, o.product_id, o.recipient, o.holder_id, o.card_id from operation o
    where r.reference_type = 'op' and o.company_id = p_company and o.environment = p_environment and o.id = r.reference offset 0
  ) o on true
  left join lateral (
    select t.card_id from transaction t
    where r.reference_type = 'txn' and t.company_id = p_company and t.environment = p_environment and t.id = r.reference offset 0
  ) t on true
  left join lateral (
    select c.id, c.name, c.last4, c.holder_id from card c
    where c.company_id = p_company and c.environment = p_environment
      and c.id = coalesce(o.card_id, t.card_id, case r.reference_type when 'card' then r.reference end) offset 0
  ) c on true
  left join lateral (
    select h.id, h.name from holder h
    where h.company_id = p_company and h.environment = p_environment and h.id = coalesce(c.holder_id, o.holder_id) offset 0
  ) h on true
  left join lateral (
    select v.invoice_id from payment_review v
    where r.reference_type = 'rev' and v.company_id = p_company and v.environment = p_environment and v.id = r.reference offset 0
  ) v on true
  left join lateral (
    select i.requested, i.created_at from invoice i
    where i.company_id = p_company and i.environment = p_environment
      and i.id = coalesce(v.invoice_id, case r.reference_type when 'inv' then r.reference end) offset 0
  ) i on true
  cross join lateral (
    select jsonb_strip_nulls(jsonb_build_object(
      'type', o.type, 'recipient', o.recipient,
      'product', case when o.product_id is not null then
        jsonb_build_object('id', o.product_id, 'name', coalesce(v_products ->> o.product_id, o.product_id)) end,
      'card', case when c.id is not null then jsonb_build_object('id', wire_id('card', c.id), 'name', c.name, 'last4', c.last4) end,
      'holder', case when h.id is not null then jsonb_build_object('id', wire_id('hld', h.id), 'name', h.name) end,
      'invoice', case when i.requested is not null then
        jsonb_build_object('amount', wire_amount(i.requested), 'createdAt', wire_time(i.created_at)) end
    )) as subject
  ) s
  where s.subject <> '{}';
  return coalesce(v_subjects, '{}');
end $$;
