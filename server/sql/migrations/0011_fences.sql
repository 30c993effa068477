-- Certain look-ups, look-ups that count only when they were answered, and a queue that takes turns between companies.

-- The sandbox issuer's book also holds invoices, card changes, requests that it was told to leave open, and fences: tokens
-- that a look-up did not find and that are refused from then on. One key for all of them, so that an effect and a fence
-- exclude each other.
alter table sandbox_effect
  alter column amount drop not null,
  alter column receipt drop not null,
  drop constraint sandbox_effect_kind_check,
  add constraint sandbox_effect_kind_check check (case kind
    when 'issue' then amount is not null and receipt is not null and last4 is not null
    when 'topup' then amount is not null and receipt is not null
    when 'service' then amount is not null and receipt is not null
    when 'invoice' then amount is not null and receipt is not null
    when 'card_status' then receipt is not null
    when 'left_open' then receipt is null
    when 'fence' then receipt is null
    else false
  end);
insert into sandbox_effect (company_id, token, kind, receipt, created_at)
select company_id, token, 'card_status', receipt, created_at from sandbox_card_effect;
drop table sandbox_card_effect;
insert into sandbox_effect (company_id, token, kind, amount, receipt, created_at)
select s.company_id, s.invoice_id, 'invoice', i.requested, 'rcpt_' || replace(s.invoice_id::text, '-', ''), i.created_at
from payment_slot s
join invoice i on i.company_id = s.company_id and i.environment = s.environment and i.id = s.invoice_id
where s.environment = 'sandbox'
on conflict do nothing;

alter table exchange
  drop constraint exchange_outcome_check,
  add constraint exchange_outcome_check check (outcome in ('confirmed', 'declined', 'not_sent', 'absent', 'unknown'));

-- Each issuer has its own queues, so that one that is out of service does not hold up the other.
drop index operation_processing;
create index operation_processing on operation (environment, due_at, id) where status = 'processing';
drop index invoice_creating;
create index invoice_creating on invoice (environment, due_at) where status = 'creating';
drop index card_change_due;
create index card_change_due on card_change (environment, due_at, id) where status = 'processing';
