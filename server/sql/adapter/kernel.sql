-- The records of the kernel, which carries out requests at a card provider step by step. They are in the schema of the adapter, beside those
-- of records.sql.
do $$ begin
  -- Two adapters may start at once.
  perform pg_advisory_xact_lock(7215044118);
  create index if not exists request_by_card on issuer_adapter.request ((content ->> 'cardId'));
  if to_regclass('issuer_adapter.task') is not null then
    if not exists (
      select 1 from pg_attribute where attrelid = 'issuer_adapter.object'::regclass and attname = 'stale_marks')
    then
      alter table issuer_adapter.object add column stale_marks integer not null default 0;
    end if;
    return;
  end if;

  -- The requests without an answer.
  create table issuer_adapter.task (
    token          uuid primary key references issuer_adapter.request,
    -- When somebody goes on with it.
    due_at         timestamptz(3) not null,
    -- Until then one process has it.
    leased_until   timestamptz(3) not null,
    attempts       integer not null default 0,
    -- Since when a person has to decide, and why.
    waiting_since  timestamptz(3),
    waiting_reason text,
    check ((waiting_since is null) = (waiting_reason is null))
  );
  create index task_due on issuer_adapter.task (due_at) where waiting_since is null;
  create index task_waiting on issuer_adapter.task (waiting_since) where waiting_since is not null;

  -- What was done for a request at the provider, in order. A call is stored as `sending` before it is made.
  create table issuer_adapter.step (
    token      uuid not null references issuer_adapter.request,
    name       text not null,
    number     integer not null,
    -- A reading changes nothing at the provider.
    type       text not null check (type in ('action', 'reading')),
    -- not_sent: it certainly had no effect and may be sent again. again: a person lets it be sent once more.
    state      text not null check (state in ('sending', 'unknown', 'not_sent', 'again', 'done', 'refused')),
    -- What was sent, what came back, for people.
    shows      jsonb not null,
    facts      jsonb,
    code       text,
    message    text,
    reason     text,
    times_sent integer not null,
    -- When it was sent for the first time: from then on the provider remembers its idempotency key.
    sent_at    timestamptz(3) not null,
    ended_at   timestamptz(3),
    primary key (token, name),
    check ((facts is not null) = (state = 'done')),
    check (num_nulls(code, message) = case when state = 'refused' then 0 else 2 end)
  );

  -- What nobody else may use while a request is carried out.
  create table issuer_adapter.subject (
    name       text primary key,
    token      uuid not null,
    -- Null for a request, which keeps it until it has an answer. Somebody who only reads may die.
    expires_at timestamptz(3)
  );
  create index subject_by_token on issuer_adapter.subject (token);

  -- The holders and cards at the provider.
  create table issuer_adapter.object (
    kind        text not null check (kind in ('holder', 'card')),
    id          text not null,
    company_id  uuid not null,
    provider_id text not null,
    facts       jsonb not null,
    -- Of a card: what the server was last told.
    status      text,
    -- Of a card: the provider says that it has changed, and it must be read.
    is_stale    boolean not null default false,
    -- How often the provider said so: what it says while the card is read is not lost.
    stale_marks integer not null default 0,
    created_at  timestamptz(3) not null,
    primary key (kind, id),
    unique (kind, provider_id),
    check ((status is not null) = (kind = 'card'))
  );
  create index object_stale on issuer_adapter.object (id) where is_stale;

  -- Payments by card as the provider reported them last, for reconciliation. Amounts in cents, debits negative.
  create table issuer_adapter.card_payment (
    provider_id      text primary key,
    provider_card_id text not null,
    status           text not null,
    amount           bigint not null
  );
  create index card_payment_by_card on issuer_adapter.card_payment (provider_card_id);

  -- Events about a card that the adapter does not know yet: its issue may still be open. They wait for it.
  create table issuer_adapter.stray_event (
    id               text primary key,
    provider_card_id text not null,
    body             jsonb not null,
    created_at       timestamptz(3) not null
  );
  create index stray_event_by_card on issuer_adapter.stray_event (provider_card_id);

  -- One row: up to where the events of the provider were read.
  create table issuer_adapter.cursor (
    is_only   boolean primary key default true check (is_only),
    provider  text not null,
    value     text not null,
    read_at   timestamptz(3) not null,
    -- The newest event so far.
    event_at  timestamptz(3)
  );

  -- What people decided about requests.
  create table issuer_adapter.decision (
    number     bigint generated always as identity primary key,
    token      uuid not null references issuer_adapter.request,
    step       text not null,
    decision   text not null check (decision in ('look_up', 'send_again', 'not_carried_out')),
    decided_by text not null,
    reason     text not null,
    decided_at timestamptz(3) not null
  );
  create index decision_by_token on issuer_adapter.decision (token);
end $$;

-- Stores a request and a task for it, unless the token is known. Returns what is stored under the token.
-- Called by adapter/kernel/queries.ts.
create or replace function issuer_adapter.take_request(
  p_token uuid, p_company uuid, p_kind text, p_content jsonb, p_now timestamptz, p_leased_until timestamptz
) returns table (content jsonb, answer jsonb, is_new boolean)
language plpgsql as $$
declare
  v_is_new boolean;
begin
  insert into issuer_adapter.request (token, company_id, kind, content, created_at)
  values (p_token, p_company, p_kind, p_content, p_now) on conflict (token) do nothing;
  v_is_new := found;
  if v_is_new then
    insert into issuer_adapter.task (token, due_at, leased_until) values (p_token, p_now, p_leased_until);
  end if;
  return query select r.content, r.answer, v_is_new from issuer_adapter.request r where r.token = p_token;
end $$;

-- Refuses the token from now on, unless something was sent or the outcome is known. Returns the answer; null while the outcome is open.
-- Called by adapter/kernel/queries.ts.
create or replace function issuer_adapter.fence_request(p_token uuid, p_company uuid, p_content jsonb, p_now timestamptz)
returns table (answer jsonb)
language plpgsql as $$
declare
  v_absent constant jsonb := jsonb_build_object('token', p_token, 'outcome', 'absent');
  v_answer jsonb;
begin
  insert into issuer_adapter.request (token, company_id, kind, content, answer, created_at)
  values (p_token, p_company, 'fence', p_content, v_absent, p_now) on conflict (token) do nothing;
  -- begin_step locks the same row, so that a step begins either before the fence or never.
  select r.answer into strict v_answer from issuer_adapter.request r where r.token = p_token for update;
  if v_answer is null and not exists (
    select 1 from issuer_adapter.step s where s.token = p_token and s.type = 'action' and s.state <> 'not_sent')
  then
    v_answer := v_absent;
    perform issuer_adapter.end_request(p_token, v_answer);
  end if;
  return query select v_answer;
end $$;

-- Stores the answer of a request, once, and frees what it used. Returns false if it has one.
-- Called by adapter/kernel/queries.ts and fence_request.
create or replace function issuer_adapter.end_request(p_token uuid, p_answer jsonb) returns boolean
language plpgsql as $$
begin
  update issuer_adapter.request set answer = p_answer where token = p_token and answer is null;
  if not found then return false; end if;
  delete from issuer_adapter.task where token = p_token;
  delete from issuer_adapter.subject where token = p_token;
  return true;
end $$;

-- Stores that a call is about to be made. Returns false if it was made already, or if the request has an answer.
-- Called by adapter/kernel/queries.ts.
create or replace function issuer_adapter.begin_step(p_token uuid, p_name text, p_shows jsonb, p_now timestamptz) returns boolean
language plpgsql as $$
begin
  perform 1 from issuer_adapter.request where token = p_token and answer is null for update;
  if not found then return false; end if;
  insert into issuer_adapter.step as s (token, name, number, type, state, shows, times_sent, sent_at)
  values (p_token, p_name, (select count(*) from issuer_adapter.step where token = p_token), 'action', 'sending', p_shows, 1, p_now)
  on conflict (token, name) do update
    set state = 'sending', reason = null, times_sent = s.times_sent + 1,
        -- The provider has not seen a key that was never sent.
        sent_at = case when s.state = 'not_sent' and s.times_sent = 1 then p_now else s.sent_at end
    where s.state in ('not_sent', 'again');
  if not found then return false; end if;
  -- The look-ups of this call are counted from now on.
  update issuer_adapter.task set attempts = 0 where token = p_token;
  return true;
end $$;

-- Takes subjects for a request: all of them, or none if another request has one, or if the request has an answer. Returns whether they were
-- taken.
-- Called by adapter/kernel/queries.ts.
create or replace function issuer_adapter.take_subjects(p_token uuid, p_names text[], p_now timestamptz, p_expires_at timestamptz)
returns boolean
language plpgsql as $$
declare
  v_has_answer boolean;
begin
  -- fence_request and end_request lock the same row, so that a request that ends frees what was taken here, and takes nothing afterwards.
  -- Somebody who only reads has no request.
  select r.answer is not null into v_has_answer from issuer_adapter.request r where r.token = p_token for update;
  if v_has_answer then return false; end if;
  -- One at a time, so that two requests never hold a part each.
  perform pg_advisory_xact_lock(7215044119);
  delete from issuer_adapter.subject where name = any (p_names) and expires_at <= p_now;
  -- Before the row was locked, a request could take subjects after its end, and nothing freed them.
  delete from issuer_adapter.subject s using issuer_adapter.request r
  where s.name = any (p_names) and r.token = s.token and r.answer is not null;
  if exists (select 1 from issuer_adapter.subject s where s.name = any (p_names) and s.token <> p_token) then return false; end if;
  insert into issuer_adapter.subject (name, token, expires_at)
  select n, p_token, p_expires_at from unnest(p_names) as n on conflict (name) do nothing;
  return true;
end $$;
