-- What companies asked the server in the last seven days, for their developers. Written in batches behind the requests; nothing
-- else refers to it. Only what lists filter by has a column. The rest is one JSON text, because converting text to jsonb was a third
-- of the cost of an insert, and the database never looks inside. The time of a record is in its id.

create table request_log (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  key_id      uuid not null,
  status      smallint not null,
  path        text not null,
  detail      text not null,
  primary key (company_id, environment, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- For the removal of old records: ids begin with their time.
create index request_log_by_time on request_log (id);
