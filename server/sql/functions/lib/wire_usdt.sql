-- Returns an amount of micro-USDT as the API shows it, with six decimals.
-- Called by invoice_json.
create or replace function wire_usdt(p_micros bigint) returns text
language sql immutable as $$
  select (p_micros * 0.000001)::text
$$;
