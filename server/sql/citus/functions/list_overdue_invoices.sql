-- Returns what list_overdue_invoices does on PostgreSQL, of the companies of one node for each environment.
-- Across companies: it names them one after the other.
-- Called by funding/queries.ts.
create or replace function list_overdue_invoices(p_now timestamptz, p_limit integer)
returns table (company_id uuid, environment environment, id uuid)
language plpgsql as $$
#variable_conflict use_column
declare
  v_left integer := p_limit;
  v_environment environment;
  v_company uuid;
  v_found integer;
begin
  foreach v_environment in array enum_range(null::environment) loop
    foreach v_company in array due_companies('invoice expiry', v_environment, p_now) loop
      exit when v_left = 0;
      return query
        select i.company_id, i.environment, i.id from invoice i
        where i.company_id = v_company and i.environment = v_environment and i.status = 'pending' and i.expires_at <= p_now
        order by i.expires_at limit v_left;
      get diagnostics v_found = row_count;
      v_left := v_left - v_found;
    end loop;
  end loop;
end $$;
