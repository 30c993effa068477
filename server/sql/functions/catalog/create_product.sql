-- Adds a product with its first prices, and writes the audit record. Returns no row if the id is taken, or if there are p_count_max
-- products already. Without p_position it comes last.
-- Called by catalog/queries.ts.
create or replace function create_product(
  p_id text, p_kind text, p_name text, p_description text, p_position integer, p_now timestamptz, p_price_ids uuid[], p_operation_types text[],
  p_flat_fees bigint[], p_rates_ppm bigint[], p_minimum_fees bigint[], p_minimum_amounts bigint[], p_maximum_amounts bigint[],
  p_fixed_prices bigint[], p_count_max bigint, p_audit_record jsonb
) returns table (id text, kind text, name text, description text, currency text, "position" integer, retired_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  v_count bigint;
  v_last integer;
begin
  select count(*), max(p.position) into v_count, v_last from product p;
  if v_count >= p_count_max then return; end if;
  return query
    insert into product as p (id, kind, name, description, position)
    values (p_id, p_kind, p_name, p_description, coalesce(p_position, v_last + 1, 1))
    on conflict (id) do nothing
    returning p.id, p.kind, p.name, p.description, p.currency, p.position, p.retired_at::timestamptz;
  if not found then return; end if;
  insert into price (id, product_id, operation_type, valid_from, created_at, flat_fee, rate_ppm, minimum_fee, minimum_amount, maximum_amount,
                     fixed_price)
  select n.id, p_id, n.operation_type, p_now, p_now, n.flat_fee, n.rate_ppm, n.minimum_fee, n.minimum_amount, n.maximum_amount, n.fixed_price
  from unnest(p_price_ids, p_operation_types, p_flat_fees, p_rates_ppm, p_minimum_fees, p_minimum_amounts, p_maximum_amounts, p_fixed_prices)
    as n (id, operation_type, flat_fee, rate_ppm, minimum_fee, minimum_amount, maximum_amount, fixed_price);
  perform record_audit(null, p_audit_record);
end $$;
