-- Returns a card's name, its last four digits and its holder, or null when there is no such card.
-- Called by statement_labels.
create or replace function card_label(p_company uuid, p_environment environment, p_id uuid) returns text
language plpgsql stable
set enable_seqscan = off
as $$
declare
  v_label text;
begin
  select 'card ' || c.name || ' *' || c.last4 || ', ' || h.name into v_label
  from card c
  join holder h on h.company_id = p_company and h.environment = p_environment and h.id = c.holder_id
  where c.company_id = p_company and c.environment = p_environment and c.id = p_id;
  return v_label;
end $$;
