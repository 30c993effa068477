-- Whether the personal data of an operation or card change was erased. p_object is its id as the API shows it. What the issuer
-- reports about it afterwards must not be kept.
-- Called by issuer/queries.ts.
create or replace function is_erased(p_company uuid, p_environment environment, p_object text) returns boolean
language plpgsql stable
set jit = off
set enable_seqscan = off
as $$
declare
  v_id uuid := split_part(p_object, '_', 2);
begin
  return exists (
    select from operation o
    left join card c on c.company_id = p_company and c.environment = p_environment and c.id = o.card_id
    left join holder h on h.company_id = p_company and h.environment = p_environment and h.id = coalesce(o.holder_id, c.holder_id)
    where o.company_id = p_company and o.environment = p_environment and o.id = v_id and (h.erasure is not null or o.recipient = 'Erased')
  ) or exists (
    select from card_change g
    join card c on c.company_id = p_company and c.environment = p_environment and c.id = g.card_id
    join holder h on h.company_id = p_company and h.environment = p_environment and h.id = c.holder_id
    where g.company_id = p_company and g.environment = p_environment and g.id = v_id and h.erasure is not null
  );
end $$;
