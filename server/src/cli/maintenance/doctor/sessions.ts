// The doctor's checks of what sessions of the database are like: whether they compile statements, and whose functions they may call.
import type { Db } from '../../../db/pool.ts'
import { type Check, ok, warn } from './check.ts'
import { listJitSettings, listOpenSchemas } from './queries.ts'

export async function examineSessions(db: Db): Promise<Check[]> {
  return [await checkJit(db), ...(await checkSchemas(db))]
}

/** Compiling a short statement takes a hundred times as long as running it. */
async function checkJit(db: Db): Promise<Check> {
  const name = 'jit'
  const on = (await listJitSettings(db)).filter(({ value }) => value !== 'off')
  if (on.length === 0) return ok(name, 'off, as our short statements need it')
  const nodes = on.flatMap(({ node }) => node ?? [])
  if (nodes.length < on.length) {
    return warn(
      name,
      'on in the sessions of this role, which makes short statements slow. Leave jit out of the options in DATABASE_URL. A pooler ' +
        'may have sessions from before the first start: restart it, or wait until it replaces them (server_lifetime).',
    )
  }
  return warn(
    name,
    `on in the sessions that Citus opens on ${nodes.join(', ')}, which makes short statements slow. On each node run: alter ` +
      'system set jit = off; select pg_reload_conf();',
  )
}

async function checkSchemas(db: Db): Promise<Check[]> {
  const open = (await listOpenSchemas(db)).map((schema) => schema.name)
  if (open.length === 0) return []
  const [first] = open
  return [
    warn(
      'search path',
      `every role of this database may create functions in the schema ${open.join(' and in ')}, and the server could call them ` +
        `instead of its own. Run: revoke create on schema ${first} from public`,
    ),
  ]
}
