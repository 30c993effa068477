-- Returns the value of the hash chain after an entry, given the value before it: the SHA-256 of that value and the entry's text.
-- Statements verify against this text, so it never changes: reference_type, added later, is not part of it.
-- Called by chain_over.
create or replace function chain_next(p_hash bytea, p_entry entry) returns bytea
language sql stable as $$
  select sha256(p_hash || convert_to(concat_ws('|', p_entry.number, p_entry.kind, p_entry.reference, p_entry.available_delta,
    p_entry.held_delta, p_entry.balance, p_entry.held, (extract(epoch from p_entry.created_at) * 1000)::bigint), 'UTF8'))
$$;
