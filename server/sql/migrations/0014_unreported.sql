-- What the card would have if all that is known of it counted, less its balance. Below zero: payments took more than the card had here, such as
-- one that a refund paid for which the issuer has not reported yet; what is credited to the card makes up for it first. Above zero, only of a
-- closed card: money that was gone when it was closed, although the issuer had not reported the payment. Null: zero.
-- Since it is there, transaction.applied has the whole effect of a payment, also what the card had not enough for.
alter table card add column if not exists unreported bigint;
