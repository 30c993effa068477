-- Returns the kinds of work, named like the jobs, with the table and the condition of what is due at $2.
-- Called by due_here and kinds_here.
create or replace function due_kinds() returns table (kind text, place text, condition text)
language sql immutable as $$
  values
    ('operations', 'issuer_request', 'status = ''queued'' and due_at <= $2'),
    ('look-ups', 'issuer_request', 'status = ''processing'' and due_at <= $2'),
    ('invoice expiry', 'invoice', 'status = ''pending'' and expires_at <= $2'),
    ('erasures', 'erasure', 'due_at <= $2'),
    ('webhooks', 'delivery_queue', 'due_at is not null and failures = 0 and greatest(due_at, not_before) <= $2'),
    ('failing-webhooks', 'delivery_queue', 'due_at is not null and failures > 0 and greatest(due_at, not_before) <= $2'),
    ('recoveries', 'delivery_queue', 'recover_after is not null')
$$;
