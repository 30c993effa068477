-- Returns an id as the API shows it: the prefix of its type and the 32 hexadecimal digits of the UUID.
-- Called by api_key_json, card_json, entry_subjects, erase_card_changes, erase_cards, erase_holder, erase_operations, invoice_json,
-- transaction_json, webhook_endpoint_json and wire_creator.
create or replace function wire_id(p_prefix text, p_id uuid) returns text
language sql immutable as $$ select p_prefix || '_' || encode(uuid_send(p_id), 'hex') $$;
