// What the webhook benchmark needs: a private database, companies with endpoints, and child processes.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import { programActor } from '../../../server/src/access/audit.ts'
import { createCompany } from '../../../server/src/companies/companies.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { type Connection, createPool } from '../../../server/src/db/pool.ts'
import { PROGRAM } from '../../../server/src/db/private-postgres.ts'
import { systemClock } from '../../../server/src/lib/clock.ts'
import { deriveKey } from '../../../server/src/lib/digest.ts'
import type { Scope } from '../../../server/src/lib/scope.ts'
import { createEndpoint } from '../../../server/src/webhooks/endpoints.ts'
import { createSecretBox } from '../../../server/src/webhooks/secrets.ts'
import type { BareOptions } from './bare.ts'
import type { FromReceiver, ToReceiver } from './receiver.ts'

export interface Stage {
  readonly connection: Connection
  readonly client: pg.Client
  /** Registers an endpoint for each port, each in a company of its own. */
  register(ports: readonly number[]): Promise<Scope[]>
  startWorker(): Promise<ChildProcess>
  /** Returns the rate of the plain loop in bare.ts. */
  runBare(options: BareOptions): Promise<number>
  ask(message: ToReceiver): Promise<FromReceiver>
  close(): Promise<void>
}

export const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock bench '))
  const database = await startPrivatePostgres({
    program: PROGRAM,
    folder: join(folder, 'postgres'),
    durable: true,
    log: () => undefined,
  })
  await migrate(database.connection)
  const { connection } = database
  const db = createPool(connection, { size: 4, onError: () => undefined })
  const client = new pg.Client(connection)
  await client.connect()
  const receiver = startProcess('receiver.ts', [])
  const deps = {
    db,
    clock: systemClock,
    secretBox: createSecretBox(() => [deriveKey(Buffer.alloc(32, 7), 'webhook secrets')]),
    urlRules: { allowPrivateAddresses: true, ownHosts: [] },
  }
  return {
    connection,
    client,
    async register(ports) {
      const scopes: Scope[] = []
      for (const port of ports) {
        const actor = programActor('benchmark')
        const company = await createCompany(deps, actor, { name: 'Benchmark', kind: 'corporate' })
        const scope = { companyId: company.id, environment: 'sandbox' } as const
        await createEndpoint(deps, scope, { url: `http://127.0.0.1:${port}/hooks` })
        scopes.push(scope)
      }
      return scopes
    },
    async startWorker() {
      const worker = startProcess('worker.ts', [JSON.stringify(connection)])
      await new Promise((resolve) => worker.once('message', resolve))
      return worker
    },
    runBare: (options) =>
      new Promise((resolve, reject) => {
        const bare = startProcess('bare.ts', [JSON.stringify(options)])
        bare.once('message', (rate: number) => resolve(rate))
        bare.once('exit', (code) => reject(new Error(`the bare loop ended with ${code}`)))
      }),
    ask(message) {
      return new Promise((resolve) => {
        receiver.once('message', (answer: FromReceiver) => resolve(answer))
        receiver.send(message)
      })
    },
    async close() {
      receiver.kill('SIGKILL')
      await client.end()
      await db.close()
      await database.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startProcess(file: string, args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ['--import', 'tsx'] })
}

export function endProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}
