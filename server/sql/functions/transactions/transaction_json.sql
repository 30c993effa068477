-- Returns a card transaction as the API shows it, for events. A test compares it with the response of the API.
-- Called by record_transaction.
create or replace function transaction_json(p_transaction transaction) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', wire_id('txn', p_transaction.id), 'cardId', wire_id('card', p_transaction.card_id), 'reference', p_transaction.issuer_id,
    'type', p_transaction.type, 'status', p_transaction.status, 'amount', wire_amount(p_transaction.amount),
    'currency', p_transaction.currency, 'merchant', p_transaction.merchant, 'country', p_transaction.country,
    'merchantCategory', p_transaction.merchant_category,
    'description', p_transaction.description, 'occurredAt', wire_time(p_transaction.occurred_at))
$$;
