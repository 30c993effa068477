// `cardstock serve`: prepares the database and the schema, then runs the server until it is stopped, in this process or in a
// group of processes. The server itself is loaded only by processes that serve: a supervisor stays small. It starts the first of them before
// it loads anything else, because that one takes longest to be ready.
import type { Role } from '../../app/parts.ts'
import { type Config, ConfigError, type Environ, readConfig } from '../../config/config.ts'
import { boundHeap } from '../../lib/heap.ts'
import { createLog } from '../../lib/log.ts'
import type { OwnIssuer } from './own-issuer.ts'
import { createStop, unwind, type Undo } from './stop.ts'

export interface ServeOptions {
  readonly role: Role
  /** How many processes answer requests, beside one that does the background work. 0: this process does what the role says. */
  readonly processes: number
}

/** A supervisor waits for its processes, which have a limit of their own. */
const SUPERVISOR_MARGIN_MS = 2_000

export async function serve(environ: Environ, { role, processes }: ServeOptions): Promise<void> {
  boundHeap()
  const given = readConfig(environ)
  const ownIssuer = await findOwnIssuer(environ, given, role)
  const config = ownIssuer === undefined ? given : readConfig({ ...environ, ...ownIssuer.serverEnviron })
  const log = createLog({ level: config.logLevel })
  const undo: Undo = []
  const graceMs = config.drainMs + (processes === 0 ? 0 : SUPERVISOR_MARGIN_MS)
  const stop = createStop(undo, log, { graceMs })
  try {
    const counts = { api: Math.max(1, processes), worker: processes === 0 || role === 'api' ? 0 : 1 }
    const serving = counts.api + counts.worker
    const prepare = async () => {
      // Loaded while the first process of a group starts.
      const { prepareDatabase } = await import('./prepare-database.ts')
      const database = await prepareDatabase(config, { log, undo, stop, serving })
      ownIssuer?.start(log, undo)
      return database
    }
    if (processes === 0) {
      const { connection } = await prepare()
      const { runServer } = await import('./run-server.ts')
      await runServer(config, { connection, log, undo, role, listens: true, prepares: true })
      return
    }
    const { startGroup } = await import('./group/supervise.ts')
    const ports = await choosePorts(config)
    await startGroup({
      connection: prepare().then(({ connection, isPrivate }) => (isPrivate ? connection : undefined)),
      environ: ownIssuer?.serverEnviron ?? {},
      ports,
      log,
      counts,
      undo,
      onGivenUp: () => stop(1),
    })
  } catch (error) {
    await unwind(undo)
    throw error
  }
}

/** The issuer belongs to a whole server. One that is spread over machines shares an issuer, which runs by itself. */
async function findOwnIssuer(environ: Environ, config: Config, role: Role): Promise<OwnIssuer | undefined> {
  if (config.ownIssuer === undefined) return undefined
  if (role !== 'all') {
    throw new ConfigError(
      'A server with --role starts no issuer. Remove ISSUER_CARDS and ISSUER_INVOICES, run cardstock issuer by itself, and set ISSUER_URL and ISSUER_SECRET.',
    )
  }
  const { prepareOwnIssuer } = await import('./own-issuer.ts')
  return prepareOwnIssuer(environ, config)
}

/** Chooses where the settings leave it to the system. */
async function choosePorts({ http }: Config) {
  const { findFreePort } = await import('./group/free-port.ts')
  const choose = async ({ host, port }: { host: string; port: number }) => (port === 0 ? findFreePort(host) : port)
  return { port: await choose(http), adminPort: http.admin && (await choose(http.admin)) }
}
