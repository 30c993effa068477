-- What the other files of the baseline use, and what belongs to the installation as a whole. The files are applied in the order of
-- their names.
--
-- Conventions: every key of a company's data begins with the company and the environment, so that a sandbox row cannot refer to a
-- live one. Amounts are in cents. Times have milliseconds, as the API shows them.
--
-- Autovacuum: PostgreSQL vacuums and analyses a table when a fifth or a tenth of it has changed. Of a hundred million rows that is
-- weeks of work at a time. Tables that can become that large are vacuumed after a fiftieth (0.02), which keeps each run short, and
-- keeps index-only scans possible where rows are only added. Small tables whose rows change with every batch are vacuumed after a
-- thousand changes (0.01 and the threshold), without the pauses that spare the disk: a claim walks over dead index entries until
-- they are vacuumed.

create type environment as enum ('sandbox', 'live');

-- For triggers of tables to which rows are only added.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Like refuse_change, but functions that erase personal data set cardstock.erasing, and what they may do is checked row by row.
create function refuse_change_unless_erasing() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' or current_setting('cardstock.erasing', true) is distinct from 'on' then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- Facts about this installation, such as the check value of its secret key.
create table installation (
  name  text primary key,
  value bytea not null
);

-- One row that every process rewrites about once a second: proof that the database can write.
-- Half of each page stays free, so that a rewritten row fits beside the old one and no index has to change.
create table heartbeat (
  only_row boolean primary key default true check (only_row),
  beat_at  timestamptz(3) not null
) with (fillfactor = 50);

insert into heartbeat (beat_at) values (now());
