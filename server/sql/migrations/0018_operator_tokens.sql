-- Operator tokens that operators create, recognise in a list and revoke. A token that was stored before this migration gets
-- its last four characters when a server that knows the token starts.
alter table operator_token
  add column name         text not null default 'Created before tokens had names' check (length(name) between 1 and 255),
  add column prefix       text not null default 'cstk_operator_',
  add column last4        text check (length(last4) = 4),
  add column last_used_at timestamptz(3);
alter table operator_token
  alter column name drop default,
  alter column prefix drop default;

-- last_used_at changes no right, so it must not empty the caches of every process.
drop trigger operator_token_changed on operator_token;
create trigger operator_token_changed after insert or delete or update of revoked_at on operator_token
  for each statement execute function bump_access_version();
