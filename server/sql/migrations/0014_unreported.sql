-- Of a closed card: what payments had taken from it that the issuer had not reported when it was closed, less what was reported since. It begins
-- with the balance that we knew, less what returned to the account. Negative: more was reported than that. Null: nothing.
alter table card add column if not exists unreported bigint;
