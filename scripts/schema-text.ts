// Describes the schema of a database as text, for server/schema.sql and for tests that compare schemas. Reads only.
import type pg from 'pg'

/** These give the same rows on every PostgreSQL since 15, so `not null` is shown with its column: version 18 made it a constraint. */
const QUERIES = {
  enums: `
    select t.typname as name, string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) as text
    from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace
    group by t.typname order by t.typname collate "C"`,
  tables: `
    select c.relname as name, coalesce(array_to_string(c.reloptions, ', '), '') as text
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname collate "C"`,
  columns: `
    select c.relname as owner, a.attname as name,
           format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
             || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname, a.attnum`,
  constraints: `
    select c.relname as owner, k.conname as name, pg_get_constraintdef(k.oid) as text
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.connamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c', 'x')
    order by c.relname collate "C", position(k.contype::text in 'pufcx'), k.conname collate "C"`,
  indexes: `
    select t.relname as owner, i.relname as name, pg_get_indexdef(x.indexrelid) as text
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = 'public'::regnamespace and not exists (select 1 from pg_constraint k where k.conindid = i.oid)
    order by t.relname collate "C", i.relname collate "C"`,
  triggers: `
    select c.relname as owner, g.tgname as name, pg_get_triggerdef(g.oid) as text
    from pg_trigger g join pg_class c on c.oid = g.tgrelid
    where c.relnamespace = 'public'::regnamespace and not g.tgisinternal
    order by c.relname collate "C", g.tgname collate "C"`,
  // Columns rather than the text of the query, which differs between versions of PostgreSQL.
  views: `
    select c.relname as name, string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum) as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'v' group by c.relname order by c.relname collate "C"`,
  functions: `
    select p.proname as name,
           p.proname || '(' || pg_get_function_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid)
             || ' language ' || l.lanname || ', body ' || md5(p.prosrc) as text
    from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace
    order by p.proname collate "C", pg_get_function_arguments(p.oid) collate "C"`,
}

interface Row {
  owner: string
  name: string
  text: string
}

/** Returns the text of server/schema.sql for the schema of this database. */
export async function describeSchema(client: pg.Client): Promise<string> {
  const read = async (name: keyof typeof QUERIES) => (await client.query<Row>(QUERIES[name])).rows
  const parts = {
    columns: await read('columns'),
    constraints: await read('constraints'),
    indexes: await read('indexes'),
    triggers: await read('triggers'),
  }
  const enums = (await read('enums')).map(({ name, text }) => `create type ${name} as enum (${text});`)
  const tables = (await read('tables')).map((table) => showTable(table, parts))
  const views = (await read('views')).map(({ name, text }) => `-- view ${name} (${text})`)
  const functions = (await read('functions')).map(({ text }) => `-- function ${text}`)
  const head = '-- The schema after all migrations, for reading. Written by `npm run generate`; sql/ is the source.'
  return `${[head, ...enums, ...tables, views.join('\n'), functions.join('\n')].join('\n\n')}\n`
}

function showTable(table: Row, parts: Record<'columns' | 'constraints' | 'indexes' | 'triggers', Row[]>): string {
  const of = (rows: Row[]) => rows.filter(({ owner }) => owner === table.name)
  const columns = of(parts.columns)
  const width = Math.max(...columns.map(({ name }) => name.length))
  const inside = [
    ...columns.map(({ name, text }) => `  ${name.padEnd(width)} ${text}`),
    ...of(parts.constraints).map(({ name, text }) => `  constraint ${name} ${text}`),
  ]
  const after = [...of(parts.indexes), ...of(parts.triggers)].map(({ text }) => `${text};`)
  const options = table.text === '' ? '' : ` with (${table.text})`
  return [`create table ${table.name} (\n${inside.join(',\n')}\n)${options};`, ...after].join('\n')
}
