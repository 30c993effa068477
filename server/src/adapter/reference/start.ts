// Starts the reference issuer, which stands in for a live issuer and has its own database. It is for tests, demonstrations
// and writers of adapters, and moves no real money.
import { Type } from 'typebox'
import { publicRoute, type Route } from '../../http/route.ts'
import type { Log } from '../../lib/log.ts'
import { object } from '../../lib/wire.ts'
import { startLoop } from '../../worker/loop.ts'
import type { Peer } from '../../issuer/http/exchange.ts'
import { type Behaviour, createBehaviour } from './behaviour.ts'
import { controlRoutes, paymentRoute } from './control-routes.ts'
import { resendRoute } from '../outbox/control-routes.ts'
import { EVENT_TIMEOUT_MS, eventJob } from '../outbox/outbox.ts'
import { pruneEventsJob } from '../outbox/prune.ts'
import { listen } from '../listen.ts'
import { createInvoiceMaker, type MakeInvoice } from './invoices.ts'
import { metricsRoute } from '../metrics.ts'
import { createNotice } from '../outbox/notice.ts'
import { protocolRoutes } from '../../issuer/http/routes.ts'
import { createReferenceServer, type ReferenceDeps } from './server.ts'
import { createRecords } from '../records/tables.ts'

export interface ReferenceOptions extends Omit<ReferenceDeps, 'behaviour' | 'makeInvoice' | 'findUrl'> {
  readonly log: Log
  readonly host: string
  readonly port: number
  readonly controlPort: number
  /** What it can do at first; everything by default. */
  readonly about?: Partial<
    Pick<Behaviour, 'protocol' | 'kinds' | 'provider' | 'mode' | 'hasFence' | 'needsHolderDetails'>
  >
  /** Real addresses for invoices. Without it the issuer gives out addresses of nobody and is told of payments. */
  readonly makeInvoice?: MakeInvoice
  /** What else is controlled on the control port. */
  readonly moreControls?: readonly Route[]
  /** Whether it can be told to misbehave; true by default. */
  readonly misbehaves?: boolean
  /** Returns the address of the server to which events go; undefined while it is not known, and the events wait. */
  readonly findEventsUrl: () => string | undefined
}

export interface ReferenceIssuer {
  readonly url: string
  readonly controlUrl: string
  stop(): Promise<void>
}

export async function startReferenceIssuer(options: ReferenceOptions): Promise<ReferenceIssuer> {
  const { db, clock, log, secret } = options
  await createRecords(db)
  const behaviour = Object.assign(createBehaviour(), options.about)
  const makeInvoice = options.makeInvoice ?? createInvoiceMaker({ db, clock })
  let url = ''
  const deps = { db, clock, secret, behaviour, makeInvoice, depositsState: options.depositsState, findUrl: () => url }
  const open = (routes: readonly Route[], port: number) => listen(options, routes, port)
  const routes = [...protocolRoutes(deps, createReferenceServer(deps)), numberRoute]
  let protocol = await open(routes, options.port)
  const { port } = protocol
  url = protocol.url
  const setListening = async (isListening: boolean) => {
    await protocol.close()
    if (isListening) protocol = await open(routes, port)
  }
  const { misbehaves = true, moreControls = [] } = options
  const invented = options.makeInvoice === undefined ? [paymentRoute(deps)] : []
  const controls = misbehaves ? controlRoutes({ ...deps, listen: setListening }) : []
  const operating = [resendRoute(deps), metricsRoute(deps)]
  const control = await open([...controls, ...invented, ...operating, ...moreControls], options.controlPort)
  const findServer = (): Peer | undefined => {
    const baseUrl = options.findEventsUrl()
    return baseUrl === undefined ? undefined : { baseUrl, secret, clock, timeoutMs: EVENT_TIMEOUT_MS }
  }
  const loop = startLoop(
    eventJob({ db, clock, mode: () => behaviour.events, findServer, notice: createNotice({ clock, log }) }),
    log,
  )
  const pruning = startLoop(pruneEventsJob({ db, clock }), log)
  return {
    url,
    controlUrl: control.url,
    async stop() {
      await pruning.stop()
      await loop.stop()
      await control.close()
      await protocol.close()
    },
  }
}

/** Where a provider would show the number of a card. */
const numberRoute: Route = publicRoute({
  method: 'GET',
  path: '/cards/:cardId/number',
  tag: 'issuer',
  id: 'showNumber',
  summary: 'Show the number of a card',
  description: 'Says that the card has none.',
  params: object({ cardId: Type.String() }),
  responses: { 200: Type.Unknown() },
  handle: async () => ({
    status: 200,
    body: 'This card has no number: the reference issuer only pretends to issue cards.\n',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }),
})
