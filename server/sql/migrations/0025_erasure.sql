-- The erasure of a cardholder's personal data. Null: the holder is not erased. While it is 'running', a job still clears older
-- records, a bounded number at a time.
alter table holder add column erasure text check (erasure in ('running', 'completed'));

-- How far the erasure of a holder has come. A step goes through one table in the order of its ids; `position` is the last id
-- that was looked at. The row is deleted when everything is done.
create table erasure (
  company_id  uuid not null,
  environment environment not null,
  holder_id   uuid not null,
  step        text not null default 'cards' check (step in ('cards', 'transactions', 'events', 'card_changes', 'operations', 'attempts')),
  position    uuid not null default '00000000-0000-0000-0000-000000000000',
  -- The holder's name and e-mail address in lower case, by which orders of services for this person are recognised.
  recipients  text[] not null,
  due_at      timestamptz(3) not null,
  primary key (company_id, environment, holder_id),
  foreign key (company_id, environment, holder_id) references holder (company_id, environment, id)
);
create index erasure_due on erasure (due_at);

-- Like refuse_change, but functions that erase personal data set cardstock.erasing, and what they may do is checked row by row.
create function refuse_change_unless_erasing() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' or current_setting('cardstock.erasing', true) is distinct from 'on' then
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

-- The evidence about an object stays as long as the object can still change.
create function check_exchange_removal() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE'
    or exists (
      select from operation o where o.company_id = old.company_id and o.environment = old.environment and o.id = old.object_id
        and o.status not in ('completed', 'failed'))
    or exists (
      select from card_change c where c.company_id = old.company_id and c.environment = old.environment and c.id = old.object_id
        and c.status not in ('completed', 'failed'))
    or exists (
      select from invoice i where i.company_id = old.company_id and i.environment = old.environment and i.id = old.object_id
        and i.status not in ('completed', 'failed', 'expired'))
  then
    raise exception 'exchange is append-only while its object is open' using errcode = 'restrict_violation';
  end if;
  return old;
end $$;
create or replace trigger exchange_append_only before update or delete or truncate on exchange
  for each statement execute function refuse_change_unless_erasing();
create trigger exchange_removal before update or delete on exchange
  for each row execute function check_exchange_removal();

-- A record of the audit log stays, and so does who did what, when and to what. Only texts in its details can be erased.
create function check_audit_erasure() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE'
    or (new.id, new.company_id, new.actor, new.action, new.object, new.address, new.request_id, new.created_at)
      is distinct from (old.id, old.company_id, old.actor, old.action, old.object, old.address, old.request_id, old.created_at)
    or exists (
      select from jsonb_each(old.details) o full join jsonb_each(new.details) n on n.key = o.key
      where n.value is distinct from o.value and (o.key is null or n.value is distinct from '"Erased"'))
  then
    raise exception 'audit_log is append-only' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create or replace trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change_unless_erasing();
create trigger audit_log_erasure before update or delete on audit_log
  for each row execute function check_audit_erasure();
