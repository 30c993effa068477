-- The trigger that differs on a database that Citus distributes. `cardstock migrate` runs this before it distributes the tables, and
-- again with every upgrade.

-- A trigger on a shard cannot read other tables. remove_exchanges checks instead that each object is decided.
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
