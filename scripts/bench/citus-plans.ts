// Explains every statement of the server's sources on a distributed database, and says where Citus would send it.
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Connection } from '../../server/src/db/pool.ts'
import { findStatements } from '../../server/test/database/source-statements.ts'

export const PLACES = ['one shard', 'several shards', 'the coordinator, or a function on it', 'refused'] as const
export type Place = (typeof PLACES)[number]

export interface Plan {
  /** `access/queries.ts:42 findCaller` */
  readonly statement: string
  readonly place: Place
  readonly error?: string
}

/** The process of an issuer has a database of its own. */
const OTHER_DATABASE = /^adapter\//

/** Values of which the plan depends on the company alone. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: '018f0000-0000-7000-8000-000000000001',
  environment: 'sandbox',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  interval: '1 day',
  date: '2026-01-01',
  boolean: 'true',
  bytea: '\\x00',
  jsonb: '{}',
  int4multirange: '{}',
  inet: '127.0.0.1',
  cidr: '127.0.0.0/8',
}
const NUMBERS = /^(?:bigint|integer|smallint|numeric|double precision)$/

export async function explainStatements(connection: Connection): Promise<Plan[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const plans: Plan[] = []
    for (const { place, text } of findStatements(fileURLToPath(new URL('../../server/src', import.meta.url)))) {
      if (OTHER_DATABASE.test(place)) continue
      plans.push({ statement: place, ...(await explain(client, text)) })
    }
    return plans
  } finally {
    await client.end()
  }
}

async function explain(client: pg.Client, text: string): Promise<Omit<Plan, 'statement'>> {
  try {
    await client.query(`prepare explained as ${text}`)
    const { rows } = await client.query<{ type: string; labels: string[] }>(`
      select p.type::regtype::text as type, array(select e.enumlabel::text from pg_enum e where e.enumtypid = p.type order by e.enumsortorder) as labels
      from pg_prepared_statements s, unnest(s.parameter_types) with ordinality as p (type, position)
      where s.name = 'explained' order by p.position`)
    // As literals: Citus cannot explain some statements with parameters that it carries out.
    const literals = rows.map(({ type, labels }) => `${pg.escapeLiteral(labels[0] ?? valueOf(type))}::${type}`)
    const literal = (_: string, position: string) => literals[Number(position) - 1] ?? ''
    const plan = await client.query<{ 'QUERY PLAN': string }>(
      `explain (costs off) ${text.replaceAll(/\$(\d+)/g, literal)}`,
    )
    return { place: placeOf(plan.rows.map((row) => row['QUERY PLAN'])) }
  } catch (error) {
    return { place: 'refused', error: (error as Error).message }
  } finally {
    await client.query('deallocate all')
  }
}

function valueOf(type: string): string {
  const found = VALUES[type]
  if (found !== undefined) return found
  if (type.endsWith('[]')) return `{${type === 'uuid[]' ? VALUES['uuid'] : ''}}`
  return NUMBERS.test(type) ? '1' : 'x'
}

/** Citus writes for each part of a statement how many shards it needs, and on which nodes they are. */
function placeOf(lines: readonly string[]): Place {
  const counts = lines.flatMap((line) => {
    const count = /Task Count: (\d+)/.exec(line)?.[1]
    return count === undefined ? [] : [Number(count)]
  })
  if (counts.length === 0) return 'the coordinator, or a function on it'
  return Math.max(...counts) > 1 ? 'several shards' : 'one shard'
}
