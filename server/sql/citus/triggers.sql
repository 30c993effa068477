-- The triggers that differ on a database that Citus distributes. `cardstock migrate` runs this before it distributes the tables, and
-- again with every upgrade.

-- Reference tables are on every node, and so are their triggers. Only the coordinator has the version.
create or replace function bump_access_version() returns trigger language plpgsql as $$
begin
  if (select groupid from pg_dist_local_group) = 0 then update access_version set version = version + 1; end if;
  return null;
end $$;

create or replace function bump_catalog_version() returns trigger language plpgsql as $$
begin
  if (select groupid from pg_dist_local_group) = 0 then update catalog_version set version = version + 1; end if;
  return null;
end $$;

-- A trigger on a shard cannot read other tables. prune_exchanges and the functions that erase name decided objects only.
create or replace function check_exchange_removal() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then raise exception 'exchange is append-only' using errcode = 'restrict_violation'; end if;
  return old;
end $$;

-- For the same reason it cannot know what is archived, so no entry is deleted. cardstock archive refuses such a database.
create or replace function refuse_unless_archived() returns trigger language plpgsql as $$
begin
  raise exception 'entry is append-only' using errcode = 'restrict_violation';
end $$;
