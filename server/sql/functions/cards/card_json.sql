-- Returns a card as the API shows it, for events. A test compares it with the response of the API.
-- Called by record_transaction, report_card_status, settle_card_change and settle_operations.
create or replace function card_json(p_card card) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', wire_id('card', p_card.id), 'name', p_card.name, 'holderId', wire_id('hld', p_card.holder_id), 'last4', p_card.last4,
    'status', p_card.status, 'balance', wire_amount(p_card.balance), 'productId', p_card.product_id,
    'createdAt', wire_time(p_card.created_at))
    || case when p_card.pending_status is null then '{}' else jsonb_build_object('pendingStatus', p_card.pending_status) end
$$;
