-- One row that every process rewrites about once a second: proof that the database can write.
-- Half of each page stays free, so that a rewritten row fits beside the old one and no index has to change.
create table heartbeat (
  only_row boolean primary key default true check (only_row),
  beat_at  timestamptz(3) not null
) with (fillfactor = 50);

insert into heartbeat (beat_at) values (now());
