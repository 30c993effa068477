-- Passkeys (WebAuthn), and an authenticator app that replaces another one.

-- A passkey is a key pair whose private half never leaves the person's device. Nothing here is secret.
create table passkey (
  id            uuid primary key,
  person_id     uuid not null references person,
  name          text not null check (length(name) between 1 and 100),
  -- The domain name that the passkey works for. Browsers offer it nowhere else.
  rp_id         text not null,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- In COSE format, as the device sent it.
  public_key    bytea not null,
  -- How often the device says that it has signed. A number that does not grow means a copy; 0 means that it does not count.
  counter       bigint not null check (counter between 0 and 4294967295),
  -- How the browser reaches the device, such as 'usb' or 'internal'.
  transports    text[] not null,
  -- Whether the device keeps a copy with its maker, so that it also works on the person's other devices.
  is_synced     boolean not null,
  created_at    timestamptz(3) not null,
  last_used_at  timestamptz(3)
);
create index passkey_by_person on passkey (person_id, id);

-- Challenges that were answered rightly, until they expire, so that no answer is accepted twice. Open challenges are not
-- stored: they carry their own expiry and an HMAC.
create table used_challenge (
  nonce      bytea primary key check (length(nonce) = 16),
  expires_at timestamptz(3) not null
);
create index used_challenge_by_expiry on used_challenge (expires_at);

-- The secret of a new app that is not confirmed yet, while the old app still counts. Encrypted.
alter table totp add column next_secret bytea;
