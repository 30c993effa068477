// A worker works off a large backlog with a database that stores outcomes more slowly than the issuer answers: it claims no more
// than it can settle, so no outcome is lost and none has to be looked up.
import { expect, it } from 'vitest'
import type { Db } from '../../src/db/pool.ts'
import type { Statement } from '../../src/db/sql.ts'
import type { IssuerOutcome } from '../../src/issuer/port.ts'
import { createSettler, QUEUE_MAX } from '../../src/ledger/settle.ts'
import { must } from '../../src/lib/invariant.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log.ts'
import { ENVIRONMENTS } from '../../src/lib/scope.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import { UNDER_WAY_MAX } from '../../src/issuer/requests/worker.ts'
import type { ClaimedOperation } from '../../src/operations/queries.ts'
import { createGates } from '../support/gates.ts'
import { TestClock } from '../support/harness.ts'

const BACKLOG = 50_000
/** Those of the sandbox issuer, the most that there are. */
const CALLS_MAX = 512
const TIMEOUT_MS = 60_000

const clock = new TestClock()
const companyId = newId(clock.now())

function operation(): ClaimedOperation {
  const nothing = { product_id: 'prod_service_esim', holder_id: null, card_id: null, name: null, recipient: 'ada' }
  const counts = { unsent_count: 0, look_up_count: 0, created_at: clock.now() }
  const id = newId(clock.now())
  return { company_id: companyId, environment: 'sandbox', id, type: 'service', amount: 1_000n, ...nothing, ...counts }
}

/** A queue of operations, and settlements that end only when the test says so. What is settled twice or not at all shows. */
class SlowDatabase {
  left = BACKLOG
  unsettled = 0
  unsettledMost = 0
  lookUps = 0
  settled = 0
  readonly #storing: (() => void)[] = []

  readonly db = {
    many: (statement: Statement) => Promise.resolve(this.#answer(statement)),
    run: () => Promise.reject(new Error('an exchange is recorded only for what is not completed')),
  } as Partial<Db> as Db

  get isStoring(): boolean {
    return this.#storing.length > 0
  }

  storeOneBatch(): void {
    this.#storing.shift()?.()
  }

  #answer({ text, values }: Statement): unknown[] | Promise<unknown[]> {
    if (text.includes('claim_operations')) return this.#claim(Number(values[3]))
    if (text.includes('settle_operations')) return this.#settle(must(values.find(Array.isArray)).length)
    this.lookUps += 1
    return []
  }

  #claim(limit: number): ClaimedOperation[] {
    const rows = Array.from({ length: Math.min(limit, this.left) }, operation)
    this.left -= rows.length
    this.unsettled += rows.length
    this.unsettledMost = Math.max(this.unsettledMost, this.unsettled)
    return rows
  }

  #settle(count: number): Promise<unknown[]> {
    return new Promise((resolve) =>
      this.#storing.push(() => {
        this.unsettled -= count
        this.settled += count
        resolve([])
      }),
    )
  }
}

it('works off 50,000 operations although outcomes are stored slowly, and none is lost or looked up', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const slow = new SlowDatabase()
  const { db } = slow
  const send = async (): Promise<IssuerOutcome> => ({ kind: 'confirmed', receipt: 'R' })
  const script = { issueCard: send, topUpCard: send, orderService: send, lookUp: () => Promise.reject(new Error()) }
  const gates = createGates(
    { ...script, lookUpDelaysMs: [], callsMax: CALLS_MAX, isInProcess: true },
    { clock, timeoutMs: TIMEOUT_MS },
  )
  const settler = createSettler({ db, clock })
  let rooms = 0
  const onRoom = () => (rooms += 1)
  const processor = createOperationsWorker({ db, clock, log, settler, gates, issuerTimeoutMs: TIMEOUT_MS, onRoom })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  while (slow.left > 0 || slow.isStoring) {
    // The worker claims for as long as it may, and every answer is there, before one batch of outcomes is stored.
    while (await processor.claims.run()) await turn()
    await turn()
    slow.storeOneBatch()
    await turn()
  }
  await processor.idle()
  expect(lines).toEqual([])
  expect([slow.settled, slow.unsettled, gates.sandbox?.status().callsInFlight]).toEqual([BACKLOG, 0, 0])
  expect(slow.unsettledMost).toBe(UNDER_WAY_MAX)
  expect(rooms, 'whoever found no room is told').toBeGreaterThan(0)
  expect(ENVIRONMENTS.length * UNDER_WAY_MAX).toBeLessThan(QUEUE_MAX)
  await processor.lookUps.run()
  expect(slow.lookUps, 'one look for what is due, which found nothing').toBe(1)
})
