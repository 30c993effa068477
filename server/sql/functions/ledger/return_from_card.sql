-- Credits the account with money from a closed card: one `adjustment` entry per reference, which is the card or a later
-- credit to it. The caller holds the lock of the account row.
-- Called by record_transaction, report_card_status and settle_card_change.
create or replace function return_from_card(
  p_company uuid, p_now timestamptz, p_environment environment, p_reference uuid, p_reference_type reference_type, p_amount bigint
) returns void
language plpgsql as $$
begin
  with moved as (
    update account a set
      available = a.available + p_amount,
      sequence = a.sequence + 1,
      last_entry_at = greatest(p_now, a.last_entry_at)
    where a.company_id = p_company and a.environment = p_environment
    returning a.sequence, a.available, a.held, a.last_entry_at
  )
  insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
  select p_company, p_environment, m.sequence, 'adjustment', p_reference, p_reference_type, p_amount, 0, m.available + m.held, m.held, m.last_entry_at
  from moved m;
end $$;
