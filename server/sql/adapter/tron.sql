-- The records of USDT on TRON, in the schema of the adapter. The adapter creates them when it starts, in a database of its own; they are no
-- part of a server's database.
do $$ begin
  -- Two adapters may start at once.
  perform pg_advisory_xact_lock(7215044115);
  if to_regnamespace('issuer_adapter') is null then create schema issuer_adapter; end if;

  -- One row: which chain and token are watched, and the last block that was stored. The walk goes on after it and never jumps.
  create table if not exists issuer_adapter.tron_chain (
    is_only       boolean primary key default true check (is_only),
    genesis_id    text not null,
    contract      text not null,
    -- The first address of the xpub. Another xpub would give addresses that nobody watches.
    first_address text not null,
    first_height  bigint not null,
    height        bigint not null check (height >= first_height),
    block_id      text not null,
    block_time    timestamptz(3) not null,
    created_at    timestamptz(3) not null
  );

  -- The addresses that are watched: those that were given out, and some that will be next.
  create table if not exists issuer_adapter.tron_address (
    index      integer primary key check (index >= 0),
    address    text not null unique,
    -- From then on it may be given to another invoice.
    free_at    timestamptz(3) not null default '-infinity',
    created_at timestamptz(3) not null,
    -- Transfers that are too small to be payments are counted and not listed: thousands may come.
    dust_in_count   bigint not null default 0,
    dust_in_amount  numeric(78) not null default 0,
    dust_out_count  bigint not null default 0,
    dust_out_amount numeric(78) not null default 0,
    -- What it had before it was watched, as a person stated it: once.
    opening_amount numeric(78),
    opening_by     text,
    opening_at     timestamptz(3),
    opening_reason text,
    check (num_nulls(opening_amount, opening_by, opening_at, opening_reason) in (0, 4))
  );

  create table if not exists issuer_adapter.tron_invoice (
    token      uuid primary key,
    company_id uuid not null,
    deposit    bigint not null check (deposit > 0),
    address    text not null references issuer_adapter.tron_address (address),
    pay_amount bigint not null check (pay_amount > deposit),
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null check (expires_at > created_at),
    -- The end of the quarantine. Transfers from created_at until free_at belong to the invoice.
    free_at    timestamptz(3) not null check (free_at > expires_at)
  );
  create index if not exists tron_invoice_by_address on issuer_adapter.tron_invoice (address, created_at);
  create index if not exists tron_invoice_by_amount on issuer_adapter.tron_invoice (pay_amount, free_at);

  -- Transfers in solidified blocks to or from our addresses, without dust.
  create table if not exists issuer_adapter.tron_transfer (
    payment_id   text primary key,
    height       bigint not null,
    block_time   timestamptz(3) not null,
    from_address text not null,
    to_address   text not null,
    amount       numeric(78) not null check (amount > 0),
    -- out: it left one of our addresses. attributed: it belongs to an invoice. open: a person decides, and it is assigned or dismissed.
    state        text not null check (state in ('out', 'attributed', 'open', 'assigned', 'dismissed')),
    -- Why it was not attributed.
    cause        text check (cause in ('no_invoice', 'own_transfer', 'too_large')),
    token        uuid references issuer_adapter.tron_invoice,
    decided_by   text,
    decided_at   timestamptz(3),
    reason       text,
    check ((token is not null) = (state in ('attributed', 'assigned'))),
    check ((cause is not null) = (state in ('open', 'assigned', 'dismissed'))),
    check (num_nulls(decided_by, decided_at, reason) = case when state in ('assigned', 'dismissed') then 0 else 3 end)
  );
  create index if not exists tron_transfer_by_receiver on issuer_adapter.tron_transfer (to_address);
  create index if not exists tron_transfer_by_sender on issuer_adapter.tron_transfer (from_address);
  create index if not exists tron_transfer_by_token on issuer_adapter.tron_transfer (token) where token is not null;
  create index if not exists tron_transfer_open on issuer_adapter.tron_transfer (height, payment_id) where state = 'open';
end $$;

-- Gives an invoice an address that no other invoice has and an exact amount that no other open invoice has. A token that is known gets what
-- it was given. Returns no row if no address is free.
-- Across companies: they share the addresses.
-- Called by adapter/tron/queries.ts.
create or replace function issuer_adapter.create_tron_invoice(
  p_token uuid, p_company uuid, p_deposit bigint, p_first_tail integer, p_now timestamptz, p_expires_at timestamptz, p_free_at timestamptz
) returns setof issuer_adapter.tron_invoice
language plpgsql as $$
declare
  -- The server accepts the deposit and 0.000001 to 0.009999.
  c_tails constant integer := 9999;
  v_address text;
  v_tail integer;
begin
  -- One at a time, so that two requests never choose the same address or amount.
  perform pg_advisory_xact_lock(7215044116);
  return query select i.* from issuer_adapter.tron_invoice i where i.token = p_token;
  if found then return; end if;

  update issuer_adapter.tron_address a set free_at = p_free_at
  where a.index = (select f.index from issuer_adapter.tron_address f where f.free_at <= p_now order by f.index limit 1)
  returning a.address into v_address;
  if not found then return; end if;

  -- There are fewer addresses than tails, so one is always free.
  select 1 + (p_first_tail + t.step) % c_tails into strict v_tail
  from generate_series(0, c_tails - 1) as t (step)
  where not exists (
    select 1 from issuer_adapter.tron_invoice i
    where i.pay_amount = p_deposit + 1 + (p_first_tail + t.step) % c_tails and i.free_at > p_now)
  order by t.step limit 1;

  return query
  insert into issuer_adapter.tron_invoice as i (token, company_id, deposit, address, pay_amount, created_at, expires_at, free_at)
  values (p_token, p_company, p_deposit, v_address, p_deposit + v_tail, p_now, p_expires_at, p_free_at)
  returning i.*;
end $$;
