-- Returns an invoice as the API shows it. funding/schema.ts does the same, and a test compares the two.
-- The caller passes the payment link, because it is derived from the secret key, which the database does not know.
-- Called by funding/queries.ts, cancel_invoice, complete_invoice, end_invoice, expire_invoice, put_invoice_in_review, settle_invoice and
-- store_first_answer.
create or replace function invoice_json(p_invoice invoice, p_pay_url text) returns jsonb
language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'failure', case when p_invoice.failure_code is not null
      then jsonb_build_object('code', p_invoice.failure_code, 'message', p_invoice.failure_message) end,
    'createdBy', wire_creator(p_invoice.created_by),
    'cancelledBy', wire_creator(p_invoice.cancelled_by)
  )) || jsonb_build_object(
    'id', wire_id('inv', p_invoice.id),
    'environment', p_invoice.environment,
    'status', p_invoice.status,
    'depositAmount', wire_amount(p_invoice.deposit),
    'fee', wire_amount(p_invoice.fee),
    'creditAmount', wire_amount(p_invoice.deposit - p_invoice.fee),
    'address', p_invoice.address,
    'payAmount', wire_usdt(p_invoice.pay_amount),
    'asset', 'USDT',
    'network', 'TRON',
    'expiresAt', wire_time(p_invoice.expires_at),
    'createdAt', wire_time(p_invoice.created_at),
    'payUrl', p_pay_url,
    'reasons', to_jsonb(p_invoice.reasons),
    'receivedAmount', wire_usdt(p_invoice.received)
  )
$$;
