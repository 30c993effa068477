-- The records of `cardstock issuer`, the reference issuer, in a schema of their own. It creates them when it starts. They are
-- no part of a server's database, whose role need not be allowed to create schemas.
do $$ begin
  -- Two issuers may start at once.
  perform pg_advisory_xact_lock(7215044114);
  if to_regnamespace('reference_issuer') is not null then return; end if;
  create schema reference_issuer;

  -- The requests that it carried out or refused, once per token.
  create table reference_issuer.request (
    token      uuid primary key,
    company_id uuid not null,
    kind       text not null,
    content    jsonb not null,
    answer     jsonb not null,
    created_at timestamptz(3) not null
  );
  create index request_by_company on reference_issuer.request (company_id, token);

  -- Every request that arrived, whatever became of it.
  create table reference_issuer.arrival (
    number     bigint generated always as identity primary key,
    token      uuid not null,
    kind       text not null,
    mode       text not null,
    arrived_at timestamptz(3) not null
  );
  create index arrival_by_token on reference_issuer.arrival (token);

  create table reference_issuer.payment (
    id      text primary key,
    token   uuid not null references reference_issuer.request,
    amount  bigint not null check (amount > 0),
    paid_at timestamptz(3) not null
  );
  create index payment_by_token on reference_issuer.payment (token);

  -- Events for the server, until it has accepted or refused them.
  create table reference_issuer.event (
    id         text primary key,
    body       text not null,
    status     text not null default 'waiting' check (status in ('waiting', 'delivered', 'refused')),
    attempts   integer not null default 0,
    due_at     timestamptz(3) not null,
    created_at timestamptz(3) not null
  );
  create index event_waiting on reference_issuer.event (due_at) where status = 'waiting';
end $$;
