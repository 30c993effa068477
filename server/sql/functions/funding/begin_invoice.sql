-- Records a new invoice before the issuer is asked for it. Only the caller that gets 'begun' may ask, and only once.
-- verdict: 'begun', 'replay', 'conflict' or 'unresolved', with the invoice concerned. Processes of the previous release do not pass
-- p_creator.
-- Called by funding/queries.ts.
create or replace function begin_invoice(
  p_company uuid, p_now timestamptz, p_environment environment, p_id uuid, p_key text, p_digest text, p_amount bigint, p_fee bigint,
  p_lease_until timestamptz, p_link_digest text, p_creator text default null
) returns table (verdict text, id uuid, status text, expires_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  perform 1 from account a where a.company_id = p_company and a.environment = p_environment for no key update;

  return query
    select case when i.request_digest = decode(p_digest, 'hex') then 'replay' else 'conflict' end, i.id, i.status, i.expires_at::timestamptz
    from invoice i where i.company_id = p_company and i.environment = p_environment and i.idempotency_key = p_key;
  if found then return; end if;
  return query
    select 'unresolved', i.id, i.status, i.expires_at::timestamptz from invoice i
    where i.company_id = p_company and i.environment = p_environment and i.status in ('creating', 'pending', 'manual_review')
    order by i.id limit 1;
  if found then return; end if;

  insert into invoice (company_id, environment, id, requested, deposit, fee, idempotency_key, request_digest, created_at, status_at,
                       created_by)
  values (p_company, p_environment, p_id, p_amount, p_amount, p_fee, p_key, decode(p_digest, 'hex'), p_now, p_now, p_creator);
  insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
  values (p_company, p_environment, p_id, 'invoice', 'processing', p_lease_until, 0);
  insert into pay_link (digest, company_id, environment, invoice_id) values (decode(p_link_digest, 'hex'), p_company, p_environment, p_id);
  return query select 'begun', p_id, 'creating', null::timestamptz;
end $$;
