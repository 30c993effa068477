// Takes deposits in USDT on TRON for an issuer: makes invoices, walks the chain, and stores an event for the server with each payment. It
// has no private key and moves nothing.
import type { Connection, Pool } from '../../db/pool.ts'
import { createTransactions } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import type { ChainState } from '../../issuer/http/state-schema.ts'
import type { MakeInvoice } from '../reference/invoices.ts'
import { insertEvent } from '../outbox/queries.ts'
import { insertPayment } from '../records/queries.ts'
import type { Clock } from '../../lib/clock.ts'
import { must } from '../../lib/invariant.ts'
import type { Log } from '../../lib/log.ts'
import { parseCents } from '../../lib/money.ts'
import { findAccount } from '../../tron/address.ts'
import { parseMicros } from '../../tron/usdt.ts'
import { startLoop } from '../../worker/loop.ts'
import { readChainState } from './chain-state.ts'
import { tronControlRoutes } from './control-routes.ts'
import type { AddEvent } from './events.ts'
import { createInvoice } from './invoices.ts'
import { MAINNET, type Network, NILE } from './networks.ts'
import { createNode, type TronNode } from './node.ts'
import { SetUpError } from '../set-up-error.ts'
import { setUpTron } from './set-up.ts'
import { createWalk } from './walk.ts'
import { firstAddresses, parseXpub, type Wallet } from './xpub.ts'

/** The walk stores blocks in one, an operator assigns a transfer in another. */
const TRANSACTIONS_AT_ONCE = 2

export type NetworkName = 'mainnet' | 'nile' | 'simulated'

export interface TronSettings {
  /** One or two. */
  readonly urls: readonly string[]
  readonly apiKey: string | undefined
  readonly network: NetworkName
  readonly xpub: string
  /** What the operator saw in the wallet as its first two addresses. */
  readonly confirmed: readonly string[]
}

interface TronDeps {
  readonly db: Pool
  readonly connection: Connection
  readonly clock: Clock
  readonly log: Log
  readonly secret: string
}

export interface TronService {
  readonly makeInvoice: MakeInvoice
  readonly controls: readonly Route[]
  state(): Promise<ChainState>
  /** The last block that is stored. */
  readonly height: number
  stop(): Promise<void>
}

export async function startTron(deps: TronDeps, settings: TronSettings): Promise<TronService> {
  const { db, clock, log } = deps
  const wallet = parseXpub(settings.xpub)
  const nodes = await openNodes(settings)
  const network = await findNetwork(settings.network, nodes)
  const { height } = await setUpTron({ db, clock, nodes, wallet, network })
  const onError = (error: Error) => log.warn({ error }, 'A database connection broke.')
  const transactions = createTransactions(deps.connection, { size: TRANSACTIONS_AT_ONCE, onError })
  const { transact } = transactions
  const addEvent = createAddEvent(clock)
  const walk = createWalk({ db, transact, nodes, clock, log, addEvent })
  const loop = startLoop(walk.job, log)
  const catchUp = async () => {
    while (await walk.step());
  }
  return {
    height,
    makeInvoice: (wanted) => make(db, wallet, clock.now(), wanted),
    controls: tronControlRoutes({ ...deps, walk, transact, addEvent, catchUp, nodes }),
    state: () => readChainState(db, settings.network, walk.state()),
    async stop() {
      await loop.stop()
      for (const node of nodes) await node.close()
      await transactions.close()
    },
  }
}

/** Refuses to start unless a person has compared the addresses with the wallet. Wallets derive their first address alike and differ from the second on, so both have to be compared. */
export function requireConfirmed({ xpub, confirmed }: Pick<TronSettings, 'xpub' | 'confirmed'>): void {
  const [first, second] = firstAddresses(parseXpub(xpub))
  if (confirmed.length === 2 && confirmed[0]?.trim() === first && confirmed[1]?.trim() === second) return
  const shown = `The first two addresses of TRON_XPUB are ${first} and ${second}.`
  throw new SetUpError(
    confirmed.length === 0
      ? `${shown} Compare both with your wallet. If they are the same there, set TRON_CONFIRMED=${first},${second} and start again. If not, deposits would go where your wallet does not find them: use another xpub.`
      : `${shown} TRON_CONFIRMED has others. Compare them with your wallet again, and correct TRON_XPUB or TRON_CONFIRMED.`,
  )
}

async function openNodes({ urls, apiKey, network }: TronSettings): Promise<TronNode[]> {
  const contract = Buffer.from(must(findAccount(contractOf(network)))).toString('hex')
  return Promise.all(urls.map((url) => createNode({ url, apiKey, contract })))
}

function contractOf(network: NetworkName): string {
  return network === 'nile' ? NILE.contract : MAINNET.contract
}

/** A simulated network begins anew whenever it is started, so its first block is whatever the node says. */
async function findNetwork(name: NetworkName, [node]: readonly TronNode[]): Promise<Network> {
  if (name === 'mainnet') return MAINNET
  if (name === 'nile') return NILE
  const read = await must(node).readGenesisId()
  if (read.kind === 'read') return { genesisId: read.value, contract: contractOf(name) }
  throw new SetUpError(`The simulated TRON node could not be read: ${read.reason}. Start cardstock simulate tron.`)
}

/** The book of the issuer shows what an invoice received, so the payment is stored with its event. */
function createAddEvent(clock: Clock): AddEvent {
  return async (tx, event) => {
    const { token, paymentId, amount, paidAt } = event.data
    await insertPayment(tx, { id: paymentId, token, amount: parseMicros(amount), paidAt: new Date(paidAt) })
    await insertEvent(tx, { id: event.id, body: JSON.stringify(event), at: clock.now() })
  }
}

async function make(db: Pool, wallet: Wallet, now: Date, { token, companyId, amount }: Parameters<MakeInvoice>[0]) {
  const created = await createInvoice(db, wallet, now, { token, companyId, amount: parseCents(amount) })
  return created.kind === 'created' ? created : created.kind
}
