-- Returns how many issue operations were accepted in a month (its first day, UTC) and have not failed. The account
-- counts them for its newest month. This function is for the audit, and for a request from before midnight that is decided
-- after it.
-- Called by accept_operation, accept_operations and audit_account.
create or replace function count_issues(p_company uuid, p_environment environment, p_month date) returns integer
language plpgsql stable as $$
begin
  return (select count(*)::integer from operation o
  where o.company_id = p_company and o.environment = p_environment and o.type = 'issue' and o.status <> 'failed'
    and o.created_at >= p_month::timestamp at time zone 'UTC'
    and o.created_at < (p_month + interval '1 month') at time zone 'UTC');
end $$;
