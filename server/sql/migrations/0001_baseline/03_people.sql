-- The people who use the console: who they are, where they belong, their sessions, the links that let them in, and their second
-- factors.

create table person (
  id                  uuid primary key,
  -- In lower case, as it is compared.
  email               text not null unique check (length(email) between 3 and 320),
  name                text not null check (length(name) between 1 and 255),
  -- The scrypt hash with its parameters and its salt. Null until the person has chosen a password.
  password            text,
  created_at          timestamptz(3) not null,
  -- Grows with every change of the password, the passkeys, the authenticator app and the recovery codes. A sign-in remembers the
  -- number that it began with, and gets a session only while it is still the same.
  credentials_version integer not null default 0
);

-- A person has one role in each company that they belong to, and at most one in the programme, which has no company.
create table membership (
  company_id uuid references company,
  person_id  uuid not null references person,
  role       text not null,
  created_at timestamptz(3) not null,
  unique nulls not distinct (company_id, person_id),
  check (case when company_id is null then role in ('operator', 'support')
              else role in ('owner', 'developer', 'finance', 'viewer') end)
);
create index membership_by_person on membership (person_id);

-- The token of a session is never stored, only its HMAC.
create table person_session (
  id           uuid primary key,
  person_id    uuid not null references person,
  digest       bytea not null unique check (length(digest) = 32),
  address      text not null,
  user_agent   text not null,
  created_at   timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at   timestamptz(3) not null,
  -- When the person last proved their second factor in this session.
  verified_at  timestamptz(3),
  ended_at     timestamptz(3)
);
create index person_session_by_person on person_session (person_id, id);
create index person_session_by_expiry on person_session (expires_at);

-- Links that work once: an invitation to a company or the programme, a new password, the sign-in of the first start.
create table one_time_link (
  id                    uuid primary key,
  kind                  text not null check (kind in ('invitation', 'reset', 'sign_in')),
  digest                bytea not null unique check (length(digest) = 32),
  email                 text not null,
  -- Whose password it resets, or who it signs in. An invitation has nobody yet.
  person_id             uuid references person,
  -- The company of an invitation. Of a link for a new password or a first sign-in, the company whose owner made it; null when an
  -- operator did.
  company_id            uuid references company,
  role                  text,
  removes_second_factor boolean not null default false,
  created_by            text not null,
  created_at            timestamptz(3) not null,
  expires_at            timestamptz(3) not null,
  used_at               timestamptz(3),
  revoked_at            timestamptz(3),
  -- Who made the link; null for an operator token and for the program itself.
  created_by_person     uuid references person,
  check ((kind = 'invitation') = (role is not null)),
  check ((kind = 'invitation') = (person_id is null))
);
create index one_time_link_by_company on one_time_link (company_id, id);
create index one_time_link_by_person on one_time_link (person_id);
create index one_time_link_by_expiry on one_time_link (expires_at);

-- The authenticator app of a person. It counts once the person has proved that the app shows the right codes.
create table totp (
  person_id          uuid primary key references person,
  -- Encrypted: nonce, ciphertext and tag.
  secret             bytea not null,
  created_at         timestamptz(3) not null,
  confirmed_at       timestamptz(3),
  -- The time step of the last code that was used. No code is accepted twice.
  last_step          bigint not null default 0,
  -- The secret of a new app that is not confirmed yet, while the old app still counts. Encrypted.
  next_secret        bytea,
  -- The ids of the keys that the secrets are encrypted with, so that the secret key can be rotated. Null: written by a pre-release
  -- that had only one key.
  secret_key_id      text,
  next_secret_key_id text
);

-- Codes for somebody who has lost the app. Each works once; only HMACs are stored.
create table recovery_code (
  person_id uuid not null references person,
  digest    bytea not null check (length(digest) = 32),
  used_at   timestamptz(3),
  primary key (person_id, digest)
);

-- A passkey (WebAuthn) is a key pair whose private half never leaves the person's device. Nothing here is secret.
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
