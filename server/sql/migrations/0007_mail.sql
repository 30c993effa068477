-- The queue of e-mails, which is used only while SMTP_URL is set. A row is kept for 30 days after it is created, without its content
-- once the mail is sent, cancelled or given up.
create table if not exists outgoing_mail (
  -- Also the first part of the Message-ID, so that a mail that is sent twice can be recognised. The id of the link in a mail with one.
  id         uuid primary key,
  kind       text not null,
  email      text not null,
  -- Who is told something. Null for a link: whoever is invited may have no account.
  person_id  uuid references person,
  -- The company that it is about or that made the link; null for the programme. No foreign key, because Citus cannot check it.
  company_id uuid,
  -- What the mail says, without secrets.
  details    jsonb not null,
  -- The one-time link, encrypted, until the mail is sent.
  link       bytea,
  link_key_id text,
  status     text not null default 'waiting' check (status in ('waiting', 'sent', 'failed', 'cancelled')),
  created_at timestamptz(3) not null,
  -- When the next attempt may begin. An attempt moves it ahead before it begins.
  due_at     timestamptz(3) not null,
  tries      integer not null default 0,
  tried_at   timestamptz(3),
  -- Why the last attempt failed.
  reason     text,
  check (status = 'waiting' or link is null)
);
create index if not exists outgoing_mail_due on outgoing_mail (due_at) where status = 'waiting';
create index if not exists outgoing_mail_by_email on outgoing_mail (email, created_at);
create index if not exists outgoing_mail_by_company on outgoing_mail (company_id, created_at);
create index if not exists outgoing_mail_by_time on outgoing_mail (created_at);

-- What people were told by e-mail, so that nobody is told twice. The subject is an id, with what makes the occasion unique.
create table if not exists mail_notice (
  kind    text not null,
  subject text not null,
  told_at timestamptz(3) not null,
  primary key (kind, subject)
);
create index if not exists mail_notice_by_time on mail_notice (told_at);

-- The kinds of notices that the person does not want.
alter table person add column if not exists mail_off text[] not null default '{}';

-- Companies whose balance is compared with a threshold.
-- safe: it contains only companies that have set a threshold.
create index if not exists company_with_low_balance on company (id) where low_balance_sandbox is not null or low_balance_live is not null;
-- Endpoints that fail, and keys that expire, are looked for every few minutes.
-- safe: it contains only endpoints whose last delivery failed.
create index if not exists delivery_queue_failing_since on delivery_queue (failing_since) where failing_since is not null;
-- safe: it contains only keys that expire.
create index if not exists api_key_by_expiry on api_key (expires_at) where expires_at is not null and revoked_at is null;
