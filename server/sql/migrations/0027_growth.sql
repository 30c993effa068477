-- Lists of rare events and rare entries read only what they show, and autovacuum keeps up with tables of any size.

-- Nearly all events say that an operation is processing or completed. Listing any other type would read all of them. Without
-- these two types the index costs a claim nothing, and a settlement one entry if it creates or loads a card.
-- safe: about 30 s for ten million events, during which no operation is claimed or settled; accepting goes on.
create index event_by_type on event (company_id, environment, type, id)
  where type <> all (array['operation.processing', 'operation.completed']);
-- The index above has these too.
drop index event_queued_again;

-- Nearly all entries are reservations, captures and fees.
-- safe: it reads ten million entries in about 10 s, during which nothing is written to the ledger, and writes few of them.
create index entry_of_rare_kind on entry (company_id, environment, kind, number)
  where kind <> all (array['reservation', 'capture', 'fee']);

-- PostgreSQL vacuums and analyses a table when a fifth or a tenth of it has changed. Of a hundred million rows that is weeks of
-- work at a time. A fiftieth keeps each run short, and for the tables that are only added to it keeps index-only scans possible.
alter table entry set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table operation set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table event set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table delivery set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table webhook_attempt set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table request_log set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
alter table exchange set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The rows of these tables change with every batch. A claim walks over dead index entries until they are vacuumed, so they
-- are vacuumed after a thousand changes, without the pauses that spare the disk: the tables are small.
alter table open_operation set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table delivery_queue set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table account set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
alter table event_counter set (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
