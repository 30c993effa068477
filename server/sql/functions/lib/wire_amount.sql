-- Returns an amount in cents as the API shows it, with two decimals.
-- Called by card_json, entry_subjects, invoice_json and transaction_json.
create or replace function wire_amount(p_cents bigint) returns text
language sql immutable as $$
  select (p_cents * 0.01)::text
$$;
