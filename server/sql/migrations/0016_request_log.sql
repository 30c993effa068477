-- What companies asked the server in the last seven days, for their developers. Written in batches behind the requests;
-- nothing else refers to it.
create table request_log (
  company_id    uuid not null,
  environment   environment not null,
  id            uuid not null,
  key_id        uuid not null,
  method        text not null,
  path          text not null,
  status        smallint not null,
  duration_ms   integer not null,
  request_id    text not null,
  address       text not null,
  error_code    text,
  request_body  jsonb,
  response_body jsonb,
  created_at    timestamptz(3) not null,
  primary key (company_id, environment, id)
);
-- For the removal of old records.
create index request_log_by_time on request_log (created_at);
