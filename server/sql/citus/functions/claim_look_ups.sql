-- Claims look-ups as claim_look_ups does on PostgreSQL, of the companies of one node.
-- Across companies: it names them one after the other.
-- Called by issuer/requests/queries.ts.
create or replace function claim_look_ups(
  p_environment environment, p_now timestamptz, p_lease_until timestamptz, p_limit integer, p_kinds text[]
) returns table (
  company_id uuid, environment environment, id uuid, kind text, amount bigint, product_id text, holder_id uuid, card_id uuid, name text,
  recipient text, wanted text, unsent_count smallint, look_up_count smallint, created_at timestamptz, status_at timestamptz
)
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := least(p_limit, 200);
  v_company uuid;
  v_ids uuid[];
  v_id uuid;
  v_claimed uuid[];
begin
  foreach v_company in array due_companies('look-ups', p_environment, p_now) loop
    exit when v_left = 0;
    v_ids := array(
      select q.id from issuer_request q
      where q.company_id = v_company and q.environment = p_environment and q.status = 'processing' and q.due_at <= p_now
        and q.kind = any (p_kinds)
      order by q.due_at limit v_left);
    v_claimed := '{}';
    for v_id in
      update issuer_request q set due_at = p_lease_until
      where q.company_id = v_company and q.environment = p_environment and q.id = any (v_ids) and q.status = 'processing'
        and q.due_at <= p_now
      returning q.id
    loop
      v_claimed := v_claimed || v_id;
    end loop;
    v_left := v_left - cardinality(v_claimed);
    return query
      select o.company_id, o.environment, o.id, o.type, o.amount, o.product_id, o.holder_id, o.card_id, o.name, o.recipient, null::text,
             o.unsent_count, o.look_up_count, o.created_at::timestamptz, o.status_at::timestamptz
      from operation o where o.company_id = v_company and o.environment = p_environment and o.id = any (v_claimed);
    return query
      select i.company_id, i.environment, i.id, 'invoice', i.requested, null::text, null::uuid, null::uuid, null::text, null::text, null::text,
             0::smallint, i.look_up_count, i.created_at::timestamptz, i.status_at::timestamptz
      from invoice i where i.company_id = v_company and i.environment = p_environment and i.id = any (v_claimed);
    return query
      select g.company_id, g.environment, g.id, 'card_status', null::bigint, null::text, null::uuid, g.card_id, null::text, null::text, g.wanted,
             0::smallint, g.look_up_count, g.created_at::timestamptz, g.status_at::timestamptz
      from card_change g where g.company_id = v_company and g.environment = p_environment and g.id = any (v_claimed);
  end loop;
end $$;
