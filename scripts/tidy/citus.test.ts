// Each rule about Citus fails on an example of what it refuses, and accepts what the functions do instead.
import { describe, expect, it } from 'vitest'
import { findFunctionProblems, findSchemaProblems, findSourceProblems, usesTables } from './citus.ts'

interface Parts {
  name?: string
  comment?: string
  head?: string
}

function check(body: string, { name = 'planted', comment = '', head = 'language plpgsql' }: Parts = {}): string[] {
  const text = `${comment}create or replace function ${name}(p_company uuid, p_companies uuid[]) returns void\n${head}\nas $$\n${body}\n$$;\n`
  return findFunctionProblems({ path: `server/sql/functions/x/${name}.sql`, text }).map(({ message }) => message)
}

describe('functions', () => {
  it.each<[string, string, string, Parts?]>([
    [
      'a forced generic plan',
      'forces a generic plan',
      "begin perform set_config('x', plan_cache_mode, true); end",
      { head: 'language plpgsql' },
    ],
    [
      'language sql that reads a table',
      'language sql',
      'select c.name from card c where c.company_id = p_company',
      { head: 'language sql stable' },
    ],
    [
      'a company that differs by item',
      'reads or changes account without one company',
      'begin update account a set held = 0 from unnest(p_companies) as i (company_id) where a.company_id = i.company_id; end',
    ],
    [
      'a subscript that differs by item',
      'reads or changes account without one company',
      'begin perform 1 from generate_series(1, 2) as h (n) join account a on a.company_id = p_companies[h.n]; end',
    ],
    [
      'a row comparison on the company',
      'reads or changes operation without one company',
      'begin perform 1 from operation o where (o.company_id, o.id) = (p_company, p_company); end',
    ],
    [
      'a lock across shards',
      'locks rows of erasure',
      'begin perform 1 from erasure e order by e.due_at limit 1 for update skip locked; end',
      { comment: '-- Across companies: the job works for all.\n' },
    ],
    [
      'an insert that reads rows of a part of its statement',
      'hands rows of a part of the statement to the insert into event',
      'begin with moved as (update card c set name = null where c.company_id = p_company returning c.id), told as (insert into event (company_id, id) select p_company, m.id from moved m) select count(*) from moved; end',
    ],
    [
      'a function in returning',
      'calls a function in "returning"',
      'begin update card c set name = null where c.company_id = p_company returning c.id, card_json(c.id); end',
    ],
    [
      'a whole row as an argument',
      'uses a whole row',
      'begin perform wants_event(e, 1) from webhook_endpoint e where e.company_id = p_company; end',
    ],
    [
      'a whole row as a column',
      'uses a whole row',
      'begin select q as row from card q where q.company_id = p_company; end',
    ],
    ['an array of rows', 'array of rows', 'declare v_cards card[]; begin null; end'],
    [
      'case with a parameter',
      '"case parameter when"',
      "begin update card c set name = case p_name when 'x' then 'y' end where c.company_id = p_company; end",
    ],
    [
      'a parameter in what a conflict changes',
      'use a column of excluded',
      'begin insert into card as c (company_id, name) select h.company_id, p_name from holder h where h.company_id = p_company on conflict (company_id) do update set name = p_name; end',
    ],
    [
      'a duplicate key that is handled on the coordinator',
      'handles a duplicate key',
      'begin null; exception when unique_violation then null; end',
    ],
  ])('%s is refused', (_what, message, body, parts) => {
    expect(check(body, parts)).toEqual([expect.stringContaining(message)])
    expect(check(body, { ...parts, comment: '-- Not on Citus: another function does it there.\n' })).toEqual([])
  })

  it('a delegated function has the company as its first parameter, so that a call without one cannot be routed', () => {
    const text =
      'create function seal_entries(p_now timestamptz) returns void language plpgsql as $$ begin null; end $$;'
    const problems = findFunctionProblems({ path: 'server/sql/functions/ledger/seal_entries.sql', text })
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('p_company must be its first')])
  })

  it.each([
    ['the company as a value', 'begin perform 1 from card c where c.company_id = p_company; end'],
    [
      'the company of a joined table',
      'begin perform 1 from card c join holder h on h.company_id = c.company_id where c.company_id = p_company; end',
    ],
    [
      'the one company of a batch',
      'begin perform 1 from unnest(p_companies) as i (company_id) join card c on c.company_id = coalesce(v_company, i.company_id) and c.company_id = i.company_id; end',
    ],
    ['a row that was read before', 'begin delete from erasure e where e.company_id = v_erasure.company_id; end'],
    [
      'a duplicate key in a delegated function',
      'begin null; exception when unique_violation then null; end',
      'accept_operations',
    ],
    [
      'an insert whose rows are read by the rest of the statement',
      'begin with added as (insert into event (company_id, id) select p_company, i.id from unnest(p_ids) as i (id) returning id) select array_agg(a.id) into v_ids from added a; end',
    ],
    [
      'a parameter in what a conflict changes, of rows that are given',
      'begin insert into card (company_id, name) values (p_company, p_name) on conflict (company_id) do update set name = p_name; end',
    ],
    [
      'the row of a conflict',
      'begin insert into card (company_id, name) select h.company_id, p_name from holder h where h.company_id = p_company on conflict (company_id) do update set name = excluded.name; end',
    ],
    ['tables of the coordinator', 'begin perform 1 from person p for update; end'],
  ])('%s is accepted', (_what, body, name = 'planted') => expect(check(body, { name })).toEqual([]))

  it('a function that asks every shard says so', () => {
    const body = 'begin perform 1 from operation o order by o.id limit 10; end'
    expect(check(body)).toHaveLength(1)
    expect(check(body, { comment: '-- Across companies: the worker serves\n-- them all.\n' })).toEqual([])
  })
})

it('a statement of the server does not hand rows of one of its parts to an insert', () => {
  const problems = (select: string) =>
    findSourceProblems({
      path: 'server/src/x/queries.ts',
      text: `\n\nsql\`with made as (insert into company (id) values (1) returning id), accounts as (insert into account (company_id) ${select}) select made.* from made\``,
    })
  expect(problems('select made.id from made, unnest($1) as e')).toMatchObject([{ line: 3 }])
  expect(problems('select m.id from unnest($1) as e, made m')).toHaveLength(1)
  expect(problems('select $1::uuid from unnest($2) as e (environment)')).toEqual([])
  const text =
    'sql`with old as (select name from price), made as (insert into price (name) select name from old) select 1`'
  expect(findSourceProblems({ path: 'server/src/x/queries.ts', text })).toHaveLength(1)
})

it('a function that uses tables is not called in a statement on those of a company', () => {
  const text = (body: string) =>
    `create function planted(p_company uuid) returns void language plpgsql as $$ begin ${body} end $$;`
  const problems = (body: string) =>
    findFunctionProblems({ path: 'server/sql/functions/x/planted.sql', text: text(body) }, new Set(['first_due']))
      .length
  expect(problems('update card c set name = first_due(c.id) where c.company_id = p_company;')).toBe(1)
  expect(
    problems('v_due := first_due(p_company); update card c set name = v_due where c.company_id = p_company;'),
  ).toBe(0)
  const cards = 'select c.id from card c where c.company_id = p_company'
  expect(problems(`perform first_due(p_company, array(${cards}));`)).toBe(1)
  expect(problems(`if exists (${cards}) then perform first_due(p_company); end if;`)).toBe(0)
  const source = (statement: string) =>
    findSourceProblems({ path: 'server/src/x/queries.ts', text: `sql\`${statement}\`` }, new Set(['record_audit']))
      .length
  const changed = 'with changed as (update card set name = $1 where company_id = $2 returning company_id)'
  expect(source(`${changed} select record_audit(changed.company_id, $3) from changed`)).toBe(1)
  expect(source('select id from record_audit($1, $2)')).toBe(0)
  const path = 'server/sql/functions/x/planted.sql'
  expect(usesTables({ path, text: text('insert into audit_log (id) values (p_company);') })).toBe(true)
  expect(usesTables({ path, text: text('perform 1 from card c;') })).toBe(true)
  expect(usesTables({ path, text: text('perform 1 from person p;') })).toBe(false)
  expect(usesTables({ path: 'statements/entry_range.sql', text: text('perform 1 from card c;') })).toBe(false)
})

describe('the schema', () => {
  const problems = (text: string) =>
    findSchemaProblems({ path: 'server/schema.sql', text }).map(({ message }) => message)
  const table = (name: string, line: string) => `create table ${name} (\n  ${line}\n);\n`

  it.each([
    [table('planted', 'id uuid not null'), 'planted has no place on Citus'],
    [table('card', 'constraint card_pkey PRIMARY KEY (id)'), 'a key of card begins with id'],
    [table('card', 'constraint card_x UNIQUE (last4, company_id)'), 'a key of card begins with last4'],
    [
      table('card', 'constraint card_x FOREIGN KEY (product_id) REFERENCES product(id)'),
      'the foreign key card_x joins tables',
    ],
    [
      table('pay_link', 'constraint link_x FOREIGN KEY (company_id) REFERENCES company(id)'),
      'the foreign key link_x joins tables',
    ],
    [
      table('membership', 'constraint member_x FOREIGN KEY (company_id) REFERENCES account(company_id)'),
      'the foreign key member_x joins tables',
    ],
    ['CREATE UNIQUE INDEX card_x ON public.card USING btree (last4, lower(name));', 'card_x is unique'],
    ['CREATE UNIQUE INDEX card_x ON public.card USING btree (last4) WHERE (company_id IS NULL);', 'card_x is unique'],
    [
      'CREATE TRIGGER card_x AFTER INSERT ON public.card FOR EACH ROW EXECUTE FUNCTION count_cards();',
      'card_x is a trigger on card',
    ],
  ])('%s is refused', (text, message) => expect(problems(text)).toEqual([expect.stringContaining(message)]))

  it.each([
    'CREATE UNIQUE INDEX card_x ON public.card USING btree (last4, company_id) WHERE (last4 IS NOT NULL);',
    table('card', 'constraint card_x FOREIGN KEY (company_id, holder_id) REFERENCES holder(company_id, id)'),
    table('account', 'constraint account_company_id_fkey FOREIGN KEY (company_id) REFERENCES company(id)'),
    table('totp', 'constraint totp_x FOREIGN KEY (person_id) REFERENCES person(id)'),
    'CREATE TRIGGER entry_x BEFORE DELETE ON public.entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();',
    'CREATE TRIGGER t AFTER INSERT ON public.operator_token FOR EACH ROW EXECUTE FUNCTION anything();',
    'CREATE TRIGGER t AFTER UPDATE ON public.company FOR EACH ROW EXECUTE FUNCTION bump_access_version();',
  ])('%s is accepted', (text) => expect(problems(text)).toEqual([]))
})
