-- How the calls of each issuer went, minute by minute, over all processes. It is for the health page, and kept for a day.
create table if not exists issuer_minute (
  environment        environment not null,
  minute             timestamptz(0) not null,
  answered           integer not null,
  unanswered         integer not null,
  -- The time that the answered calls took, together.
  answered_ms        bigint not null,
  last_answer_at     timestamptz(3),
  first_unanswered_at timestamptz(3),
  last_unanswered_at timestamptz(3),
  primary key (environment, minute)
);
-- Operators list holders that wait for their approval.
-- safe: it contains only what is waiting.
create index if not exists holder_pending on holder (id) where status = 'pending' and erasure is null;
