-- Returns an instant as the API shows it: ISO 8601 in UTC, with milliseconds.
-- Called by api_key_json, card_json, entry_subjects, invoice_json, queue_link_mail, transaction_json and webhook_endpoint_json.
create or replace function wire_time(p_at timestamptz) returns text
language sql stable as $$ select to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
