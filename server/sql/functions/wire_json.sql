-- Cards and transactions as the API shows them, for events. A test holds them to the TypeScript form.

create or replace function wire_id(p_prefix text, p_id uuid) returns text
language sql immutable as $$ select p_prefix || '_' || encode(uuid_send(p_id), 'hex') $$;

create or replace function wire_amount(p_cents bigint) returns text
language sql immutable as $$
  select (p_cents * 0.01)::text
$$;

create or replace function wire_time(p_at timestamptz) returns text
language sql stable as $$ select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create or replace function card_json(p_card card) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', wire_id('card', p_card.id), 'name', p_card.name, 'holderId', wire_id('hld', p_card.holder_id), 'last4', p_card.last4,
    'status', p_card.status, 'balance', wire_amount(p_card.balance), 'productId', p_card.product_id,
    'createdAt', wire_time(p_card.created_at))
    || case when p_card.pending_status is null then '{}' else jsonb_build_object('pendingStatus', p_card.pending_status) end
$$;

create or replace function transaction_json(p_transaction transaction) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', wire_id('txn', p_transaction.id), 'cardId', wire_id('card', p_transaction.card_id), 'reference', p_transaction.issuer_id,
    'type', p_transaction.type, 'status', p_transaction.status, 'amount', wire_amount(p_transaction.amount),
    'currency', p_transaction.currency, 'merchant', p_transaction.merchant, 'country', p_transaction.country,
    'description', p_transaction.description, 'occurredAt', wire_time(p_transaction.occurred_at))
$$;
