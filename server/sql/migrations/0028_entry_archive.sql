-- Old entries can be moved to files: docs/operating.md says how, docs/ledger.md what still holds, ADR 13 why. Each row is one file of
-- one account. The entries of the account up to `number` are in its files and are ignored here, also those that are not deleted yet.
create table entry_archive (
  company_id   uuid not null,
  environment  environment not null,
  -- The last entry of the file. The first one follows the last entry of the file before it.
  number       bigint not null,
  -- The value of the hash chain after it, available + held, the held part, and its time. No entry that is left has the same time.
  hash         bytea not null check (length(hash) = 32),
  balance      bigint not null,
  held         bigint not null check (held >= 0 and held <= balance),
  last_at      timestamptz(3) not null,
  -- How many entries up to `number` are reservations and deposits. As many operations and deposits have none left.
  reservations bigint not null,
  deposits     bigint not null,
  file_name    text not null,
  file_digest  bytea not null check (length(file_digest) = 32),
  archived_at  timestamptz(3) not null,
  primary key (company_id, environment, number),
  -- Only what is sealed can be proved later.
  foreign key (company_id, environment, number) references seal
);
create trigger entry_archive_append_only before update or delete or truncate on entry_archive
  for each statement execute function refuse_change();

-- Entries stay append-only. Only an entry that an archive has can be deleted.
create or replace function refuse_unless_archived() returns trigger
language plpgsql as $$
begin
  if exists (
    select from entry_archive a
    where a.company_id = old.company_id and a.environment = old.environment and a.number >= old.number
  ) then return old; end if;
  raise exception 'entry is append-only; entry % is not archived', old.number using errcode = 'restrict_violation';
end $$;
drop trigger entry_append_only on entry;
create trigger entry_append_only before update or truncate on entry
  for each statement execute function refuse_change();
create trigger entry_deleted_when_archived before delete on entry
  for each row execute function refuse_unless_archived();

-- Deleted entries give their space back for new ones after a fiftieth of the table, instead of a fifth.
alter table entry set (autovacuum_vacuum_scale_factor = 0.02);
