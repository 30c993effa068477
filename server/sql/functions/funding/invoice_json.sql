-- A funding invoice as the API shows it; funding/schema.ts makes the same, and a test compares them.
-- The pay link comes from the secret key, which the database does not know: whoever calls hands it in.
-- Called by funding/queries.ts, complete_invoice, expire_invoice, put_invoice_in_review, resolve_invoice and
-- settle_invoice.
create or replace function invoice_json(p_invoice invoice, p_pay_url text) returns jsonb
language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'failure', case when p_invoice.failure_code is not null
      then jsonb_build_object('code', p_invoice.failure_code, 'message', p_invoice.failure_message) end
  )) || jsonb_build_object(
    'id', 'inv_' || replace(p_invoice.id::text, '-', ''),
    'environment', p_invoice.environment,
    'status', p_invoice.status,
    'depositAmount', round(p_invoice.deposit::numeric / 100, 2)::text,
    'fee', round(p_invoice.fee::numeric / 100, 2)::text,
    'creditAmount', round((p_invoice.deposit - p_invoice.fee)::numeric / 100, 2)::text,
    'address', p_invoice.address,
    'payAmount', round(p_invoice.pay_amount::numeric / 1000000, 6)::text,
    'asset', 'USDT',
    'network', 'TRON',
    'expiresAt', to_char(p_invoice.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'createdAt', to_char(p_invoice.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'payUrl', p_pay_url,
    'reasons', to_jsonb(p_invoice.reasons),
    'receivedAmount', round(p_invoice.received::numeric / 1000000, 6)::text
  )
$$;
