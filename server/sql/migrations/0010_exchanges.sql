-- One table holds every exchange with an issuer, whether it is about an operation, an invoice or a card change.

alter table exchange rename column operation_id to object_id;

-- Exchanges of card changes were kept in the change itself, oldest first. Their ids keep that order.
insert into exchange (company_id, environment, object_id, id, purpose, sent, received, outcome, started_at, finished_at)
select c.company_id, c.environment, c.id, ('00000000-0000-7000-8000-' || lpad(e.n::text, 12, '0'))::uuid, e.value ->> 'purpose',
       e.value -> 'sent', e.value -> 'received', e.value ->> 'outcome', (e.value ->> 'startedAt')::timestamptz,
       (e.value ->> 'finishedAt')::timestamptz
from card_change c, jsonb_array_elements(c.exchanges) with ordinality as e (value, n);

alter table card_change drop column exchanges;
drop function if exists settle_card_change(uuid, timestamptz, environment, uuid, text, bigint, text, text, timestamptz, jsonb);
