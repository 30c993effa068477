// Puts a node together from the server's own parts, as app/app.ts and app/worker.ts do, with the simulation's database, issuer,
// receivers and clock. Jobs are run by the simulation instead of loops.
import type { Keyring } from '../../../src/access/keyring.ts'
import { createKeyring } from '../../../src/access/keyring.ts'
import { createCardProducts } from '../../../src/cards/card-products.ts'
import { createCatalog } from '../../../src/catalog/catalog.ts'
import { cardChangeKind } from '../../../src/card-changes/request-kind.ts'
import type { Db } from '../../../src/db/pool.ts'
import { takeSettlement } from '../../../src/funding/payments.ts'
import { createPayLinks } from '../../../src/funding/pay-link.ts'
import { fundingRoutes } from '../../../src/funding/routes.ts'
import { invoiceExpiryJob } from '../../../src/funding/expire.ts'
import { invoiceKind } from '../../../src/funding/request-kind.ts'
import type { Answer, Route } from '../../../src/http/route.ts'
import { FAILURES_MAX } from '../../../src/issuer/circuit.ts'
import { createGate } from '../../../src/issuer/gate.ts'
import { createLines, type LineOptions } from '../../../src/issuer/lines.ts'
import { issuerEventRoutes } from '../../../src/issuer/http/events.ts'
import { lookUpsOf } from '../../../src/issuer/requests/look-up.ts'
import { createAbout } from '../../../src/issuer/http/about.ts'
import { createHttpIssuer } from '../../../src/issuer/http/issuer.ts'
import { createSandboxIssuer } from '../../../src/issuer/sandbox.ts'
import { createIntake } from '../../../src/ledger/accept.ts'
import { sealJob } from '../../../src/ledger/seal.ts'
import { createSettler } from '../../../src/ledger/settle.ts'
import { createCursorCodec } from '../../../src/lib/cursor.ts'
import { deriveKey } from '../../../src/lib/digest.ts'
import { must } from '../../../src/lib/invariant.ts'
import { createLog, type Log } from '../../../src/lib/log.ts'
import { cents } from '../../../src/lib/money.ts'
import { takeOperationOutcome } from '../../../src/operations/issuer-report.ts'
import { createOperationsWorker } from '../../support/operations-worker.ts'
import { operationRoutes } from '../../../src/operations/routes.ts'
import { toOperation } from '../../../src/operations/schema.ts'
import { createDeliverer } from '../../../src/webhooks/deliver.ts'
import { webhookJobs } from '../../../src/webhooks/jobs.ts'
import { createSecretBox } from '../../../src/webhooks/secrets.ts'
import type { Job } from '../../../src/worker/loop.ts'
import { ISSUER_SECRET } from '../world/issuer.ts'
import { type SimNode, SIMULATED, type World } from './world.ts'

export const SECRET_KEY = Buffer.alloc(32, 7)
/** How long the sandbox's slow operations take. */
const SLOW_MS = 10_000
const INVOICE_MINIMUM = cents(1_000n)

export interface NodeParts {
  readonly db: Db
  readonly keyring: Keyring
  readonly jobs: ReadonlyMap<string, Job>
  /** Calls a route's handler. Authentication is done by the caller. */
  call(id: string, call: Record<string, unknown>): Promise<Answer>
}

export async function startParts(world: World, node: SimNode): Promise<NodeParts> {
  const { plant, options } = world
  const patches = plant?.parts ?? {}
  const plainDb = world.databaseOf(node)
  const db = patches.db?.(plainDb) ?? plainDb
  const clock = world.time
  const log = createNodeLog(world)
  const key = deriveKey(SECRET_KEY, 'tokens')
  const plainKeyring = await createKeyring({ db, clock, log, key })
  const keyring = patches.keyring?.(plainKeyring) ?? plainKeyring
  const catalog = await createCatalog({ db, clock, log })
  const gates = createGates(world, node, { db, log })
  const plainSettler = createSettler({ db, clock })
  const settler = patches.settler?.(plainSettler, { db, clock }) ?? plainSettler
  const plainIntake = createIntake({ db, clock, log, grouping: options.grouping, onAccepted: () => {} })
  const intake = patches.intake?.(plainIntake, { db, clock }) ?? plainIntake
  const plainCursors = createCursorCodec(() => [deriveKey(SECRET_KEY, 'cursors')])
  const cursors = patches.cursors?.(plainCursors) ?? plainCursors
  const payLinks = createPayLinks({ key: deriveKey(SECRET_KEY, 'pay links'), baseUrl: () => 'https://cards.example' })
  const secretBox = webhookBox()
  const { issuerTimeoutMs } = options
  const shared = { db, clock, log, gates, payLinks, issuerTimeoutMs, cursors }
  const openAgent = async () => world.receivers.agent()
  const processor = createOperationsWorker({ ...shared, settler, onRoom: () => {} }, [
    lookUpsOf(invoiceKind(shared)),
    lookUpsOf(cardChangeKind(shared)),
  ])
  const deliverer = createDeliverer({ db, clock, log, openAgent, secretBox, showOperation: toOperation })
  const jobs = [
    processor.claims,
    processor.lookUps,
    invoiceExpiryJob(shared),
    sealJob({ db, clock, grouping: 'all', rest: async () => undefined }),
    ...deliverer.jobs,
    ...webhookJobs({ db, clock, secretBox, retention: { eventsDays: 30 }, rest: async () => undefined }),
  ]
  const routes = [
    ...operationRoutes({ ...shared, catalog, cardProducts: createCardProducts(db), intake }),
    ...fundingRoutes({ ...shared, intake } as never),
    ...issuerEventRoutes({
      db,
      clock,
      issuerSecret: ISSUER_SECRET,
      issuerEvents: createIssuerEvents({ db, clock, log, payLinks }),
    }),
  ]
  return { db, keyring, jobs: new Map(jobs.map((job) => [job.name, job])), call: createCall(routes) }
}

export function webhookBox() {
  return createSecretBox(() => [deriveKey(SECRET_KEY, 'webhook secrets')])
}

function createGates(world: World, node: SimNode, { db, log }: { db: Db; log: Log }) {
  const { options, plant } = world
  const { issuerTimeoutMs: timeoutMs, callsMax, hasFence } = options
  const clock = world.time
  const peer = {
    baseUrl: 'https://issuer.example',
    secret: ISSUER_SECRET,
    timeoutMs: timeoutMs * 0.9,
    clock,
    transmit: world.network.transmitOf(node),
  }
  const live = createHttpIssuer({
    ...peer,
    about: createAbout(peer),
    invoiceMinimum: INVOICE_MINIMUM,
    callsMax,
    hasFence,
  })
  const sandbox = createSandboxIssuer({ db, clock, slowMs: SLOW_MS })
  const wrap = plant?.parts?.issuer ?? ((issuer) => issuer)
  const shared = { clock, log, timeoutMs }
  const mixUp = plant?.parts?.lines
  const lines = mixUp === undefined ? {} : { createLines: (wanted: LineOptions) => mixUp(createLines(wanted)) }
  return {
    sandbox: createGate({ ...shared, issuer: wrap(sandbox), environment: 'sandbox' }),
    live: createGate({ ...shared, ...lines, issuer: wrap(live), environment: 'live', callsAtFirst: FAILURES_MAX }),
  }
}

function createIssuerEvents(deps: Parameters<typeof takeSettlement>[0] & Parameters<typeof takeOperationOutcome>[0]) {
  const unused = async () => 'taken' as const
  return {
    invoiceSettled: (...[scope, data]: [Parameters<typeof takeSettlement>[1], Parameters<typeof takeSettlement>[2]]) =>
      takeSettlement(deps, scope, data),
    operationOutcome: (
      ...[scope, event]: [Parameters<typeof takeOperationOutcome>[1], Parameters<typeof takeOperationOutcome>[2]]
    ) => takeOperationOutcome(deps, scope, event),
    cardTransaction: unused,
    cardStatus: unused,
  }
}

function createCall(routes: readonly Route[]) {
  const byName = new Map(routes.map((route) => [route.id, route]))
  return async (id: string, call: Record<string, unknown>): Promise<Answer> =>
    must(byName.get(id)).handle(call as never)
}

const MARKS: readonly [RegExp, string][] = [
  [/sent again with the same ids/, 'batch sent again after a lost answer'],
  [/already settled by another process/, 'lease ran out, and another process settled first'],
  [/webhook endpoint was disabled/, 'webhook endpoint disabled'],
  [/contradicts what is known/, 'event of the issuer contradicts what is known'],
]

/** Counts what is remarkable, and keeps errors that no fault explains. */
function createNodeLog(world: World): Log {
  const write = (line: string) => {
    const entry = JSON.parse(line) as { level: number; msg: string; error?: { message: string; stack?: string } }
    for (const [pattern, mark] of MARKS) if (pattern.test(entry.msg)) world.count(mark)
    if (/out of service|does not answer/.test(entry.msg)) world.count('breaker of the issuer opened')
    const { error } = entry
    if (error !== undefined && !error.message.includes(SIMULATED))
      world.failures.push(`${entry.msg} ${error.stack ?? error.message}`)
  }
  return createLog({ level: 'warn', destination: { write } })
}
