-- Of a closed card: money that was gone when it was closed, although the issuer had not reported the payment. At the close this is the balance
-- that we knew less what returned to the account. Each payment that is reported later reduces it, below zero if nothing was left for it.
-- Null: zero.
alter table card add column if not exists unreported bigint;
