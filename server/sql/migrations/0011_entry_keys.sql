-- The indexes that keep an entry from being written twice begin with its reference. References are in the order of time, so that new entries
-- of all companies go to the end of the index: the pages are full, and few of them change at a time. With the company in front, two of these
-- indexes took 340 bytes of an operation of a thousand companies.

-- safe: no release has this table yet, so that no database in use has many rows. A million entries take about two seconds.
drop index if exists entry_ends_once;
-- safe: as above.
create unique index if not exists entry_ends_once on entry (reference, company_id, environment) where kind in ('capture', 'release');
-- safe: as above.
drop index if exists entry_deposits_once;
-- safe: as above.
create unique index if not exists entry_deposits_once on entry (reference, company_id, environment) where kind = 'deposit';
-- safe: as above.
drop index if exists entry_charges_once;
-- safe: as above.
create unique index if not exists entry_charges_once on entry (reference, company_id, environment) where kind = 'fee';
-- safe: as above.
drop index if exists entry_returns_once;
-- safe: as above.
create unique index if not exists entry_returns_once on entry (reference, company_id, environment) where kind = 'adjustment';

-- The same rule as before, by how the money moves. PostgreSQL reads the text of a constraint again for every statement, and this one is half
-- as long as a case for each kind.
-- safe: as above, and every row that there is satisfies it.
alter table entry drop constraint if exists entry_kind_check;
-- safe: as above.
alter table entry add constraint entry_kind_check check (case
    -- Money comes to the account or leaves it.
    when held_delta = 0 then available_delta <> 0 and kind = case
      when reference_type <> all ('{inv,rev,fund}') then 'adjustment'
      when available_delta > 0 then 'deposit'
      else 'fee'
    end
    when reference_type <> 'op' then false
    -- What was held leaves the account.
    when available_delta = 0 then held_delta < 0 and kind = any ('{capture,fee}')
    -- Money becomes held, or is no longer held.
    else available_delta = -held_delta and kind = case when held_delta > 0 then 'reservation' else 'release' end
  end);
