-- What the processes of the server did, minute by minute and added up, and how much waited at the end of the minute. It is for the health page, and
-- kept for a day. A minute without a row is not known: no process wrote it.
create table if not exists server_minute (
  minute             timestamptz(0) primary key,
  -- The processes whose figures are in the row, so that none is added twice when the answer to a statement was lost.
  processes          uuid[] not null,
  -- The process that measures what waited, which is the same for all: the first that wrote after the minute had ended.
  measurer           uuid,
  requests           integer not null,
  server_errors      integer not null,
  webhook_attempts   integer not null,
  webhook_failures   integer not null,
  -- The most issuer calls that each process had in flight at once, added up.
  calls_in_flight    integer not null,
  -- Whether a process did not make calls of some kind when the minute ended, because the issuer had not answered them.
  calls_stopped      boolean not null,
  -- Null if it was not measured.
  queued             integer,
  in_review          integer,
  oldest_delivery_ms bigint
);
