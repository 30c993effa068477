-- What the card account gets when a card is closed: what the issuer says was left on it, but not more than our books have. The rest comes from
-- what the issuer has not reported yet, such as a reversal, a refund or a top-up whose answer was lost. That is credited when it is
-- reported, and would otherwise be credited twice.
-- Called by report_card_status and settle_card_change.
create or replace function closing_credit(p_balance bigint, p_reported bigint) returns bigint
language sql immutable
as $$ select least(coalesce(p_reported, p_balance), p_balance) $$;
