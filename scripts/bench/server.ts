// The server under test, in a process of its own. The stub differs from the engine in one thing: the intake's SQL calls
// are answered from memory. That is done here, around the database handle, so production code needs no hook for it.
import type { App } from '../../server/src/app/app.ts'
import type { AppOptions } from '../../server/src/app/parts.ts'
import type { Db } from '../../server/src/db/pool.ts'
import { boundHeap } from '../../server/src/lib/heap.ts'
import { loadServer } from './compiled.ts'
import { createNaive } from './naive.ts'
import { serveMessages } from './processes.ts'
import { SECRET_KEY_HEX, type ServerOrder, type ServerStart } from './wire.ts'

const POOL_SIZE = 10
const UNLIMITED = '1000000'

boundHeap()
const { createApp, createLog, createPipeline, createPool, readConfig, systemClock } = await loadServer()

let options: AppOptions | undefined
let worker: App | undefined

/** Returns the port, or 0 for the worker, which does not listen. */
async function start({ mode, connection }: ServerStart): Promise<number> {
  const log = createLog({ level: 'warn', destination: process.stderr })
  const onError = (error: Error) => log.warn({ error }, 'a connection broke')
  const pool = createPool(connection, { size: POOL_SIZE, onError })
  const config = readConfig({
    RATE_LIMIT_PER_SECOND: UNLIMITED,
    RATE_LIMIT_BURST: UNLIMITED,
    STATEMENT_RATE_LIMIT_PER_SECOND: UNLIMITED,
    REQUEST_LOG: String(mode !== 'unlogged'),
  })
  const secretKey = Buffer.from(SECRET_KEY_HEX, 'hex')
  options = {
    db: pool,
    intakeDb: mode === 'stub' ? withoutAccepting(pool) : createPipeline(connection, { onError }),
    clock: systemClock,
    log,
    config,
    secretKey,
    role: 'api',
  }
  if (mode === 'worker') return 0
  const server = mode === 'naive' ? await createNaive(options, connection) : (await createApp(options)).server
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Answers in the next turn of the event loop, the earliest moment at which any database's answer can be read. */
function withoutAccepting(db: Db): Db {
  return {
    many: (statement) =>
      statement.text.includes('accept_operation')
        ? new Promise((resolve) => setImmediate(() => resolve([])))
        : db.many(statement),
    find: (statement) => db.find(statement),
    run: (statement) => db.run(statement),
  }
}

async function obey(order: ServerOrder): Promise<void> {
  if (options === undefined) throw new Error('The server is not started yet.')
  if (order === 'start-worker') worker = await createApp({ ...options, role: 'worker' })
  else await worker?.close()
}

serveMessages((message) => (typeof message === 'string' ? obey(message as ServerOrder) : start(message as ServerStart)))
