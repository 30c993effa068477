-- Funding the card account: invoices paid in USDT on TRON, and the payments that the issuer confirmed.
-- Dollar amounts are in cents, USDT amounts in micro-USDT (six decimals), both as integers.

create table invoice (
  company_id      uuid not null,
  environment     environment not null,
  id              uuid not null,
  status          text not null default 'creating'
                  check (status in ('creating', 'pending', 'completed', 'expired', 'failed', 'manual_review')),
  -- The requested amount. The deposit differs from it only when a review credited the amount that was really received.
  requested       bigint not null check (requested > 0 and requested % 100 = 0),
  deposit         bigint not null check (deposit > 0),
  fee             bigint not null check (fee >= 0 and fee <= deposit),
  address         text,
  pay_amount      bigint,
  expires_at      timestamptz(3),
  -- The sum of the payments that await a decision or were credited, or null while the issuer has reported none.
  received        bigint check (received > 0),
  reasons         text[] not null default '{}'
                  check (reasons <@ array['underpaid', 'overpaid', 'paid_late', 'multiple_payments', 'issuer_unknown']),
  failure_code    text,
  failure_message text,
  idempotency_key text not null,
  request_digest  bytea not null,
  -- The first response. A repeated request gets it again, whatever has happened since.
  first_answer    jsonb,
  created_at      timestamptz(3) not null,
  status_at       timestamptz(3) not null,
  look_up_count   smallint not null default 0,
  -- It was reopened from expired by late money, while another invoice may be open.
  reopened        boolean not null default false,
  primary key (company_id, environment, id),
  unique (company_id, environment, idempotency_key),
  foreign key (company_id, environment) references account (company_id, environment),
  check (num_nulls(address, pay_amount, expires_at) in (0, 3)),
  check (status <> 'pending' or address is not null),
  -- The requested amount and a tail of 0.000001 to 0.009999, which identifies the payment.
  check (pay_amount > requested * 10000 and pay_amount < (requested + 1) * 10000),
  check ((status = 'failed') = (failure_code is not null))
);
-- SPEC: "only one unresolved invoice is allowed per workspace and environment".
create unique index invoice_unresolved on invoice (company_id, environment)
  where status in ('creating', 'pending', 'manual_review') and not reopened;
-- These indexes stay small: they contain only what is waiting.
create index invoice_pending on invoice (expires_at) where status = 'pending';
create index invoice_in_review on invoice (id) where status = 'manual_review';

-- funding/states.ts has the same transitions; a test compares them.
create function check_invoice_transition() returns trigger language plpgsql as $$
begin
  if old.status = new.status or (old.status, new.status) in (
    ('creating', 'pending'), ('creating', 'failed'), ('creating', 'manual_review'),
    ('pending', 'completed'), ('pending', 'expired'), ('pending', 'manual_review'),
    ('expired', 'manual_review'),
    ('manual_review', 'completed'), ('manual_review', 'failed'), ('manual_review', 'expired')
  ) then return new; end if;
  raise exception 'an invoice does not go from % to %', old.status, new.status using errcode = 'restrict_violation';
end $$;
create trigger invoice_transition before update of status on invoice
  for each row execute function check_invoice_transition();

-- A payment is recognised by its address and exact amount, so no two invoices may share the pair while one of them is open or
-- until a day after it expired. The key is the address, because companies share addresses.
create table payment_slot (
  address     text not null check (address ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'),
  pay_amount  bigint not null check (pay_amount > 0),
  company_id  uuid not null,
  environment environment not null,
  invoice_id  uuid not null,
  expires_at  timestamptz(3) not null,
  free_at     timestamptz(3) not null check (free_at > expires_at),
  primary key (address, pay_amount)
);
create index payment_slot_by_invoice on payment_slot (company_id, environment, invoice_id);

-- The invoice that a payment link leads to. The link itself is not stored, only the SHA-256 of its token.
create table pay_link (
  digest      bytea primary key check (length(digest) = 32),
  company_id  uuid not null,
  environment environment not null,
  invoice_id  uuid not null
);

-- Transfers that the issuer confirmed, each once. Only the decision on them changes.
create table invoice_payment (
  company_id  uuid not null,
  environment environment not null,
  -- The issuer's own id of the transfer.
  payment_key text not null check (length(payment_key) between 1 and 200),
  invoice_id  uuid not null,
  amount      bigint not null check (amount > 0),
  -- The time of the block that contains it.
  paid_at     timestamptz(3) not null,
  recorded_at timestamptz(3) not null,
  -- True once it was credited or decided, or has a review of its own.
  decided     boolean not null,
  primary key (company_id, environment, payment_key),
  foreign key (company_id, environment, invoice_id) references invoice (company_id, environment, id)
);
create index invoice_payment_by_invoice on invoice_payment (company_id, environment, invoice_id, recorded_at);

-- Money that came after its invoice was completed or failed. It gets a review of its own, and the invoice does not change.
create table payment_review (
  company_id  uuid not null,
  environment environment not null,
  id          uuid not null,
  invoice_id  uuid not null,
  payment_key text not null,
  status      text not null default 'manual_review' check (status in ('manual_review', 'completed', 'failed')),
  amount      bigint not null check (amount > 0),
  deposit     bigint check (deposit > 0),
  fee         bigint check (fee >= 0 and fee <= deposit),
  created_at  timestamptz(3) not null,
  status_at   timestamptz(3) not null,
  primary key (company_id, environment, id),
  unique (company_id, environment, payment_key),
  foreign key (company_id, environment, invoice_id) references invoice (company_id, environment, id),
  check ((status = 'completed') = (deposit is not null and fee is not null))
);
create index payment_review_open on payment_review (id) where status = 'manual_review';
create index payment_review_by_invoice on payment_review (company_id, environment, invoice_id);
