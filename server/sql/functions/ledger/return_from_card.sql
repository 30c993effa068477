-- Credits the account with money from a closed card: one `adjustment` entry per reference, which is the card or a later
-- credit to it. The caller holds the lock of the account row.
-- Called by record_transaction, report_card_status and settle_card_change.
create or replace function return_from_card(
  p_company uuid, p_now timestamptz, p_environment environment, p_reference uuid, p_reference_type reference_type, p_amount bigint
) returns void
language plpgsql as $$
declare
  v_sequence bigint;
  v_available bigint;
  v_held bigint;
  v_entry_at timestamptz;
begin
  update account a set
    available = a.available + p_amount,
    sequence = a.sequence + 1,
    last_entry_at = greatest(p_now, a.last_entry_at)
  where a.company_id = p_company and a.environment = p_environment
  returning a.sequence, a.available, a.held, a.last_entry_at into strict v_sequence, v_available, v_held, v_entry_at;
  insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
  values (p_company, p_environment, v_sequence, 'adjustment', p_reference, p_reference_type, p_amount, 0, v_available + v_held, v_held, v_entry_at);
end $$;
