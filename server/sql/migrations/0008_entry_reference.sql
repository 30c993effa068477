-- Stores what kind of object an entry refers to, so that a statement can show the right id. The values are the prefixes
-- of ids in the API. The hash chain does not cover this column: what it covers must not change for existing entries.

create type reference_type as enum ('op', 'inv', 'rev', 'fund', 'card', 'txn');

-- With a constant default PostgreSQL does not rewrite the table. Most entries belong to operations.
alter table entry add column reference_type reference_type not null default 'op';

alter table entry disable trigger entry_append_only;
update entry e set reference_type = case
    when e.kind = 'adjustment' then case
      when exists (select from card c where c.company_id = e.company_id and c.environment = e.environment and c.id = e.reference) then 'card'
      when exists (select from transaction t where t.company_id = e.company_id and t.environment = e.environment and t.id = e.reference) then 'txn'
      else 'op' end
    when exists (select from deposit d where d.company_id = e.company_id and d.environment = e.environment and d.id = e.reference) then 'fund'
    when exists (select from payment_review r where r.company_id = e.company_id and r.environment = e.environment and r.id = e.reference) then 'rev'
    else 'inv' end::reference_type
where e.kind in ('deposit', 'adjustment') or (e.kind = 'fee' and e.held_delta = 0);
alter table entry enable trigger entry_append_only;

alter table entry
  drop constraint entry_kind_check,
  add constraint entry_kind_check check (case kind
    when 'deposit' then available_delta > 0 and held_delta = 0 and reference_type in ('inv', 'rev', 'fund')
    when 'fee' then (available_delta < 0 and held_delta = 0 and reference_type in ('inv', 'rev', 'fund'))
      or (available_delta = 0 and held_delta < 0 and reference_type = 'op')
    when 'reservation' then held_delta > 0 and available_delta = -held_delta and reference_type = 'op'
    when 'capture' then held_delta < 0 and available_delta = 0 and reference_type = 'op'
    when 'release' then held_delta < 0 and available_delta = -held_delta and reference_type = 'op'
    when 'adjustment' then available_delta <> 0 and held_delta = 0 and reference_type in ('op', 'card', 'txn')
    else false
  end);
