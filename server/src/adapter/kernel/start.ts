// Starts an issuer whose cards a provider keeps: the protocol, the control port, and the jobs that go on with requests and read events.
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import type { Connection, Pool } from '../../db/pool.ts'
import { createTransactions } from '../../db/transaction.ts'
import { type Route, ok, publicRoute } from '../../http/route.ts'
import type { Peer } from '../../issuer/http/exchange.ts'
import { protocolRoutes } from '../../issuer/http/routes.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { type Loop, startLoop } from '../../worker/loop.ts'
import { listen } from '../listen.ts'
import { metricsRoute } from '../metrics.ts'
import { resendRoute } from '../outbox/control-routes.ts'
import { createNotice } from '../outbox/notice.ts'
import { EVENT_TIMEOUT_MS, eventJob } from '../outbox/outbox.ts'
import { pruneEventsJob } from '../outbox/prune.ts'
import type { CardProvider } from '../provider.ts'
import { createRecords, createTables } from '../records/tables.ts'
import type { MakeInvoice } from '../reference/invoices.ts'
import { SetUpError } from '../set-up-error.ts'
import type { StateDeps } from '../state.ts'
import { checkProvider } from './check.ts'
import { findCursor } from './objects/queries.ts'
import { pollJob } from './objects/poll.ts'
import { pruneStraysJob } from './objects/prune-strays.ts'
import { staleCardJob } from './objects/stale-cards.ts'
import { cardControlRoutes } from './operator/control-routes.ts'
import { createCardsState } from './operator/state.ts'
import { createKernelServer } from './server.ts'
import { taskJob } from './tasks.ts'

/** The jobs and the calls that are answered at the same time. */
const TRANSACTIONS_AT_ONCE = 4
/** However many webhooks come, forged ones too, the provider's events are read at most this often. */
const WAKE_PAUSE_MS = 1_000

export interface AdapterOptions extends Pick<StateDeps, 'depositsState'> {
  readonly db: Pool
  readonly connection: Connection
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
  readonly host: string
  readonly port: number
  readonly controlPort: number
  /** Such as `lithic test`: the records belong to one side of one provider for ever. */
  readonly identity: string
  readonly provider: CardProvider
  readonly makeInvoice: MakeInvoice | undefined
  readonly invoiceMinimum: string
  readonly moreControls: readonly Route[]
  readonly findEventsUrl: () => string | undefined
}

export interface Adapter {
  readonly url: string
  readonly controlUrl: string
  stop(): Promise<void>
}

export async function startAdapter(options: AdapterOptions): Promise<Adapter> {
  const { db, clock, log, secret, provider, identity } = options
  await createRecords(db)
  await createTables(db, 'kernel.sql')
  await requireSameProvider(options)
  const checking = await checkProvider(provider, log)
  const onError = (error: Error) => log.warn({ error }, 'A database connection broke.')
  const transactions = createTransactions(options.connection, { size: TRANSACTIONS_AT_ONCE, onError })
  const kernel = { db, transact: transactions.transact, clock, provider }
  const loops = {
    tasks: startLoop(taskJob(kernel), log),
    poll: startLoop(pollJob({ ...kernel, identity }), log),
    stale: startLoop(staleCardJob(kernel), log),
    events: startLoop(
      eventJob({ db, clock, findServer: () => findServer(options), notice: createNotice({ clock, log }) }),
      log,
    ),
  }
  const pruning = [startLoop(pruneEventsJob(kernel), log), startLoop(pruneStraysJob(kernel), log)]
  const stateDeps = { db, cardsState: createCardsState(kernel), depositsState: options.depositsState }
  const server = createKernelServer({
    ...kernel,
    ...stateDeps,
    makeInvoice: options.makeInvoice,
    invoiceMinimum: options.invoiceMinimum,
    pause: (ms) => pause(ms),
  })
  const wake = () => loops.tasks.wake()
  const routes = [...protocolRoutes({ clock, secret }, server), webhookRoute(clock, loops.poll)]
  const protocol = await listen(options, routes, options.port)
  const metrics = metricsRoute({ ...stateDeps, clock, secret })
  const resend = resendRoute({ db, clock, secret })
  const controls = [...cardControlRoutes({ ...kernel, secret, wake }), resend, metrics, ...options.moreControls]
  const control = await listen(options, controls, options.controlPort)
  return {
    url: protocol.url,
    controlUrl: control.url,
    async stop() {
      await control.close()
      await protocol.close()
      await checking?.stop()
      for (const loop of [...Object.values(loops), ...pruning]) await loop.stop()
      await provider.close()
      await transactions.close()
    },
  }
}

function findServer({ findEventsUrl, secret, clock }: AdapterOptions): Peer | undefined {
  const baseUrl = findEventsUrl()
  return baseUrl === undefined ? undefined : { baseUrl, secret, clock, timeoutMs: EVENT_TIMEOUT_MS }
}

/** A card of the test side does not exist on the live side, so the records of one cannot go on with the other. */
async function requireSameProvider({ db, identity }: AdapterOptions): Promise<void> {
  const cursor = await findCursor(db)
  if (cursor === undefined || cursor.provider === identity) return
  throw new SetUpError(
    `The issuer's database has the cards of ${cursor.provider}, and the settings are those of ${identity}. Use another database (ISSUER_DATABASE_URL or DATA_DIR).`,
  )
}

/** The provider's webhooks go here. Nobody has to be believed: they only make the adapter read the provider's events earlier. */
function webhookRoute(clock: Clock, loop: Loop): Route {
  let wokenAtMs = 0
  return publicRoute({
    method: 'POST',
    path: '/webhooks/provider',
    tag: 'issuer',
    id: 'wakeProvider',
    summary: 'Take a webhook of the provider',
    description: 'Reads the events of the provider soon. What the webhook says is not used.',
    body: Type.Unknown(),
    responses: { 200: Type.Unknown() },
    handle: async () => {
      const nowMs = clock.now().getTime()
      if (nowMs - wokenAtMs >= WAKE_PAUSE_MS) {
        wokenAtMs = nowMs
        loop.wake()
      }
      return ok({})
    },
  })
}
