-- The ids of the keys that the secrets of authenticator apps are encrypted with, so that the secret key can be rotated.
-- Null: written by a version that had only one key.
alter table totp add column secret_key_id text, add column next_secret_key_id text;
