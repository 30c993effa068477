// A simulated TRON network, a database of its own, and the adapter's parts for USDT on TRON, with a clock that the test moves. The outbox of
// the adapter's process is stood for by a table with one row per event.
import { randomUUID } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { createInvoice } from '../../../src/adapter/tron/invoices.ts'
import { createNode, type TronNode } from '../../../src/adapter/tron/node.ts'
import { MAINNET } from '../../../src/adapter/tron/networks.ts'
import { listUnattributed } from '../../../src/adapter/tron/unattributed.ts'
import { setUpTron } from '../../../src/adapter/tron/set-up.ts'
import { createWalk, type Walk } from '../../../src/adapter/tron/walk.ts'
import { parseXpub } from '../../../src/adapter/tron/xpub.ts'
import { PAYER } from '../../../src/adapter/simulators/tron/control-routes.ts'
import { startTronSimulator, type TronSimulator } from '../../../src/adapter/simulators/tron/start.ts'
import type { TransactionKind } from '../../../src/adapter/simulators/tron/transactions.ts'
import { createPool, type Db, type Pool } from '../../../src/db/pool.ts'
import { createTransactions, type Transactions } from '../../../src/db/transaction.ts'
import type { InvoiceSettled } from '../../../src/issuer/http/event-schema.ts'
import { must } from '../../../src/lib/invariant.ts'
import { createLog, type Log } from '../../../src/lib/log.ts'
import { parseCents } from '../../../src/lib/money.ts'
import { findAccount } from '../../../src/tron/address.ts'
import { parseMicros } from '../../../src/tron/usdt.ts'
import { createDatabase, TestClock, type TestDatabase } from '../../support/harness.ts'

export const COMPANY = '019cd79e-4600-7000-a1b2-c3d4e5f60718'
export const OTHER_COMPANY = '019cd79e-4600-7000-a1b2-c3d4e5f60719'
export const WALLET = parseXpub(HDKey.fromMasterSeed(Buffer.alloc(32, 5)).derive("m/44'/195'/0'").publicExtendedKey)
export const CONTRACT = hexOf(MAINNET.contract)

export function hexOf(address: string): string {
  return Buffer.from(must(findAccount(address))).toString('hex')
}

export class TronWorld {
  readonly clock = new TestClock()
  readonly logged: { level: number; msg: string; alert?: string }[] = []
  readonly log: Log = createLog({
    level: 'info',
    destination: { write: (line: string) => void this.logged.push(JSON.parse(line)) },
  })
  simulator!: TronSimulator
  nodes: TronNode[] = []
  db!: Pool
  transactions!: Transactions
  walk!: Walk
  #database!: TestDatabase

  static async start(
    options: { nodes?: number; solidLag?: number; before?: (world: TronWorld) => void } = {},
  ): Promise<TronWorld> {
    const { nodes = 1, solidLag = 0, before } = options
    const world = new TronWorld()
    world.simulator = await startTronSimulator({
      clock: world.clock,
      log: createLog({ level: 'silent' }),
      host: '127.0.0.1',
      ports: Array.from({ length: nodes }, () => 0),
      controlPort: 0,
      solidLag,
    })
    world.chain.mine(3 + solidLag)
    before?.(world)
    world.#database = await createDatabase('template0')
    const { connection } = world.#database
    world.db = createPool(connection, { size: 4, onError: () => {} })
    world.transactions = createTransactions(connection, { size: 3, onError: () => {} })
    await world.query(
      'create table outbox (number bigint generated always as identity, id text primary key, body text)',
    )
    await world.connect()
    await world.setUp()
    return world
  }

  get chain() {
    return this.simulator.chain
  }

  get network() {
    return { genesisId: this.chain.genesisId, contract: MAINNET.contract }
  }

  /** Makes new clients and a new walk, as a restart does. */
  async connect(urls = this.simulator.nodes.map(({ url }) => url), timeoutMs = 60_000): Promise<void> {
    for (const node of this.nodes) await node.close()
    this.nodes = []
    for (const url of urls) this.nodes.push(await createNode({ url, contract: CONTRACT, timeoutMs }))
    const { db, clock, log, nodes } = this
    this.walk = createWalk({ db, transact: this.transactions.transact, nodes, clock, log, addEvent: this.addEvent })
  }

  setUp() {
    const { db, clock, nodes, network } = this
    return setUpTron({ db, clock, nodes, wallet: WALLET, network })
  }

  addEvent = async (tx: Db, event: InvoiceSettled): Promise<void> => {
    const values = [event.id, JSON.stringify(event)]
    await tx.run({
      name: undefined,
      text: 'insert into outbox (id, body) values ($1, $2) on conflict (id) do nothing',
      values,
    })
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.close()
    await this.simulator.stop()
    await this.transactions.close()
    await this.db.close()
    await this.#database.drop()
  }

  query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.db.many<Row>({ name: undefined, text, values })
  }

  async invoice(amount = '100', companyId = COMPANY) {
    const token = randomUUID()
    const wanted = { token, companyId, amount: parseCents(amount) }
    const created = await createInvoice(this.db, WALLET, this.clock.now(), wanted)
    if (created.kind !== 'created') throw new Error(created.kind)
    return { token, ...created }
  }

  /** Sends money, without a block. Returns the id of the transaction. */
  send(
    to: string,
    amount: string | bigint,
    { kind = 'transfer', from }: { kind?: TransactionKind; from?: string } = {},
  ) {
    const micros = typeof amount === 'bigint' ? amount : parseMicros(amount)
    return this.chain.send({ kind, from: from === undefined ? PAYER : hexOf(from), to: hexOf(to), amount: micros })
  }

  /** Sends money in a block of its own. */
  pay(...payment: Parameters<TronWorld['send']>): string {
    const id = this.send(...payment)
    this.chain.mine()
    return id
  }

  /** Walks until there is nothing more, or something hinders. */
  settle = async (): Promise<void> => {
    while (await this.walk.step());
  }

  async events(): Promise<InvoiceSettled[]> {
    const rows = await this.query<{ body: string }>('select body from outbox order by number')
    return rows.map(({ body }) => JSON.parse(body) as InvoiceSettled)
  }

  /** Token and amount of each payment that the server is told. */
  async payments(): Promise<(readonly [string, string])[]> {
    return (await this.events()).map(({ data }) => [data.token, data.amount] as const)
  }

  /** Payment id and cause of what waits for a decision. */
  async open(): Promise<(readonly [string, string | null])[]> {
    return (await listUnattributed(this.db)).map(({ payment_id, cause }) => [payment_id, cause] as const)
  }

  async cursor(): Promise<number> {
    const [row] = await this.query<{ height: bigint }>('select height from issuer_adapter.tron_chain')
    return Number(must(row).height)
  }
}
