-- A card on the wire, for events: the same keys and values as toCard in cards/schema.ts.
create or replace function card_json(p_card card) returns jsonb
language sql stable as $$
  select jsonb_build_object(
    'id', 'card_' || replace(p_card.id::text, '-', ''),
    'name', p_card.name,
    'holderId', 'hld_' || replace(p_card.holder_id::text, '-', ''),
    'last4', p_card.last4,
    'status', p_card.status,
    'balance', p_card.balance / 100 || '.' || lpad((p_card.balance % 100)::text, 2, '0'),
    'productId', p_card.product_id,
    'createdAt', to_char(p_card.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
$$;
