-- The audit log names who acted by id, because people choose their own names. `actor` stays what it was: one text for people to read.
-- Records from before have no kind, id or name, and keep only their text.
alter table audit_log
  add column actor_kind text,
  add column actor_id   uuid,
  -- What the person, key or token was called when it acted.
  add column actor_name text;
alter table audit_log add constraint audit_log_actor_known
  check ((actor_id is null) = (coalesce(actor_kind, 'program') in ('program', 'issuer'))) not valid;

-- safe: it reads the table once and writes nothing, because no record has an id yet. A million records take about a second.
create index audit_log_by_actor on audit_log (actor_id, id) where actor_id is not null;

-- Who acted cannot be changed either.
create or replace function check_audit_erasure() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE'
    or (new.id, new.company_id, new.actor, new.actor_kind, new.actor_id, new.actor_name, new.action, new.object, new.address,
        new.request_id, new.created_at)
      is distinct from (old.id, old.company_id, old.actor, old.actor_kind, old.actor_id, old.actor_name, old.action, old.object,
                        old.address, old.request_id, old.created_at)
    or exists (
      select from jsonb_each(old.details) o full join jsonb_each(new.details) n on n.key = o.key
      where n.value is distinct from o.value and (o.key is null or n.value is distinct from '"Erased"'))
  then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
