-- The records of `cardstock issuer`, in the schema of the adapter. It creates them when it starts, in a database of its own; they are no part
-- of a server's database, whose role need not be allowed to create schemas.
do $$ begin
  -- Two issuers may start at once.
  perform pg_advisory_xact_lock(7215044114);
  if to_regnamespace('issuer_adapter') is null then create schema issuer_adapter; end if;

  -- What the provider needs to know of a holder beyond name and e-mail. It is personal data, and nowhere else.
  if to_regclass('issuer_adapter.holder_details') is null then
    create table issuer_adapter.holder_details (
      id         text primary key,
      -- Null if they were entered on the control port, where holders are named without their company.
      company_id uuid,
      details    jsonb not null,
      entered_by text not null,
      entered_at timestamptz(3) not null
    );
  elsif not exists (
    select 1 from pg_attribute where attrelid = 'issuer_adapter.holder_details'::regclass and attname = 'company_id')
  then
    alter table issuer_adapter.holder_details add column company_id uuid;
  end if;

  if to_regclass('issuer_adapter.event') is not null and to_regclass('issuer_adapter.event_delivered') is null then
    create index event_delivered on issuer_adapter.event (due_at) where status = 'delivered';
  end if;
  if to_regclass('issuer_adapter.request') is not null then return; end if;

  -- The requests of the server, once per token.
  create table issuer_adapter.request (
    token      uuid primary key,
    company_id uuid not null,
    kind       text not null,
    content    jsonb not null,
    -- Null until the outcome is certain.
    answer     jsonb,
    created_at timestamptz(3) not null
  );
  create index request_by_company on issuer_adapter.request (company_id, token);

  -- Every request that arrived, whatever became of it.
  create table issuer_adapter.arrival (
    number     bigint generated always as identity primary key,
    token      uuid not null,
    kind       text not null,
    mode       text not null,
    arrived_at timestamptz(3) not null
  );
  create index arrival_by_token on issuer_adapter.arrival (token);

  create table issuer_adapter.payment (
    id      text primary key,
    token   uuid not null references issuer_adapter.request,
    amount  bigint not null check (amount > 0),
    paid_at timestamptz(3) not null
  );
  create index payment_by_token on issuer_adapter.payment (token);

  -- Events for the server, until it has accepted or refused them.
  create table issuer_adapter.event (
    id         text primary key,
    body       text not null,
    status     text not null default 'waiting' check (status in ('waiting', 'delivered', 'refused')),
    attempts   integer not null default 0,
    due_at     timestamptz(3) not null,
    created_at timestamptz(3) not null
  );
  create index event_waiting on issuer_adapter.event (due_at) where status = 'waiting';
  create index event_refused on issuer_adapter.event (id) where status = 'refused';
  create index event_delivered on issuer_adapter.event (due_at) where status = 'delivered';

  -- Before they were shared with the adapters, the reference issuer had them in a schema of its own.
  if to_regnamespace('reference_issuer') is not null then
    insert into issuer_adapter.request select token, company_id, kind, content, answer, created_at from reference_issuer.request;
    insert into issuer_adapter.arrival (token, kind, mode, arrived_at)
      select token, kind, mode, arrived_at from reference_issuer.arrival order by number;
    insert into issuer_adapter.payment select id, token, amount, paid_at from reference_issuer.payment;
    insert into issuer_adapter.event select id, body, status, attempts, due_at, created_at from reference_issuer.event;
  end if;
end $$;
