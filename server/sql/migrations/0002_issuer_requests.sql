-- Gives everything that is asked of an issuer one table of what is not settled: operations, invoices and card changes. The queue of
-- operations becomes that table, so that one function claims every look-up. The due time of invoices and card changes moves there;
-- their own columns had an index each.

-- safe: no release has the former name, and the processes of a pre-release are stopped before an upgrade.
alter table open_operation rename to issuer_request;
-- safe: see above.
alter index open_operation_pkey rename to issuer_request_pkey;
-- safe: see above.
alter index open_operation_queued rename to issuer_request_queued;
-- safe: see above.
alter index open_operation_processing rename to issuer_request_processing;
-- safe: see above.
alter index open_operation_in_review rename to issuer_request_in_review;

-- What is asked for, in the words of the issuer's port.
alter table issuer_request add column kind text;
-- safe: few operations are open, and they are found by key.
update issuer_request q set kind = o.type from operation o
where o.company_id = q.company_id and o.environment = q.environment and o.id = q.id;
-- safe: every row has one now, and the functions that add rows are replaced in this transaction.
alter table issuer_request alter column kind set not null;
-- safe: the next statement adds it again.
alter table issuer_request drop constraint open_operation_status_check;
-- One constraint for both columns, because PostgreSQL prepares each of them again for every batch.
-- safe: the table is small.
alter table issuer_request add constraint issuer_request_check check (
  status in ('queued', 'processing', 'manual_review') and kind in ('issue', 'topup', 'service', 'invoice', 'card_status'));

-- An invoice with payment instructions is known to the issuer, whatever becomes of its payments.
insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
select company_id, environment, id, 'invoice', case status when 'creating' then 'processing' else status end, due_at, 0
from invoice where status in ('creating', 'manual_review') and address is null
union all
select company_id, environment, id, 'card_status', status, due_at, 0 from card_change where status in ('processing', 'manual_review');

-- A call that began before the migration would write the former column and not the row above. Without the column it fails instead.
-- safe: see above. The indexes on these columns go with them.
alter table invoice drop column due_at;
-- safe: see above.
alter table card_change drop column due_at;
