-- Chooses a free address and exact amount for a deposit, for the sandbox issuer. The slot is also the issuer's record of it.
-- A few random tries nearly always succeed. When an amount is crowded, it searches the free tails of all addresses, more
-- than once because a concurrent claim may take the one it found. Returns null when no tail of any address is free.
-- Across companies: they share the addresses, so a slot that is free for one company must be free for all.
-- Called by issuer/queries.ts.
create or replace function claim_payment_slot(
  p_company uuid, p_now timestamptz, p_environment environment, p_invoice uuid, p_deposit bigint, p_addresses text[],
  p_expires_at timestamptz, p_free_at timestamptz
) returns payment_slot
language plpgsql as $$
declare
  c_tails constant integer := 9999;
  c_random_tries constant integer := 20;
  c_searches constant integer := 20;
  v_slot payment_slot;
  v_base bigint := p_deposit * 10000;
  v_address text;
  v_tail integer;
begin
  -- A repeated request with the same token gets the same answer.
  select * into v_slot from payment_slot s
  where s.company_id = p_company and s.environment = p_environment and s.invoice_id = p_invoice;
  if found then return v_slot; end if;

  for v_try in 1 .. c_random_tries + c_searches loop
    if v_try <= c_random_tries then
      v_address := p_addresses[1 + floor(random() * cardinality(p_addresses))::integer];
      v_tail := 1 + floor(random() * c_tails)::integer;
    else
      select a.address, t.tail into v_address, v_tail
      from unnest(p_addresses) as a (address), generate_series(1, c_tails) as t (tail)
      where not exists (
        select 1 from payment_slot s where s.address = a.address and s.pay_amount = v_base + t.tail and s.free_at > p_now)
      order by random() limit 1;
      if not found then return null; end if;
    end if;
    insert into payment_slot as s (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
    values (v_address, v_base + v_tail, p_company, p_environment, p_invoice, p_expires_at, p_free_at)
    on conflict (address, pay_amount) do update set
      company_id = excluded.company_id, environment = excluded.environment, invoice_id = excluded.invoice_id,
      expires_at = excluded.expires_at, free_at = excluded.free_at
    where s.free_at <= p_now
    returning * into v_slot;
    if found then return v_slot; end if;
  end loop;
  return null;
end $$;
