// An issuer is out of service for ten minutes under load: few operations end in review, and all others wait. The test
// controls the clock and decides when the deadline of a hanging call is over.
import { afterAll, expect, it } from 'vitest'
import { PAUSES_MS } from '../../src/issuer/circuit.ts'
import { LOOK_UP_DELAYS_MS } from '../../src/issuer/http/issuer.ts'
import type { IssuerOutcome, LookUpOutcome } from '../../src/issuer/port.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { createProcessor, type Processor } from '../../src/operations/process.ts'
import { Book, type BookCompany, service } from '../ledger/book.ts'
import { createGates, type IssuerScript } from '../support/gates.ts'
import { testGrouping } from '../support/harness.ts'

const CALLS_MAX = 50
const OUTAGE_MS = 10 * 60_000
const TIMEOUT_MS = 30_000
const STEP_MS = 30_000
/** Accepted in each step: more than there are places. */
const LOAD = 60
/** Far more steps than the recovery takes. */
const STEPS_MAX = 200

const book = await Book.open()
afterAll(() => book.close())

/** Hangs until released; what was sent meanwhile is never carried out. */
class HangingIssuer implements IssuerScript {
  readonly lookUpDelaysMs = LOOK_UP_DELAYS_MS
  readonly callsMax = CALLS_MAX
  readonly sent: string[] = []
  isOut = false
  inFlight = 0
  inFlightMost = 0
  #hanging: (() => void)[] = []

  issueCard = ({ token }: { token: string }) => this.#send(token)
  topUpCard = this.issueCard
  orderService = this.issueCard

  async lookUp(): Promise<LookUpOutcome> {
    if (this.isOut) return this.#hang()
    return { kind: 'unknown', reason: 'the issuer does not know this token', answered: true }
  }

  async #send(token: string): Promise<IssuerOutcome> {
    this.sent.push(token)
    return this.isOut ? this.#hang() : { kind: 'confirmed', receipt: token }
  }

  async #hang(): Promise<{ kind: 'unknown'; reason: string }> {
    this.inFlight += 1
    this.inFlightMost = Math.max(this.inFlightMost, this.inFlight)
    await new Promise<void>((resolve) => this.#hanging.push(resolve))
    this.inFlight -= 1
    return { kind: 'unknown', reason: 'no answer' }
  }

  /** The deadline of everything under way is over. */
  expire(): void {
    for (const resolve of this.#hanging.splice(0)) resolve()
  }
}

async function step(processor: Processor, issuer: HangingIssuer): Promise<void> {
  while ((await processor.lookUps.run()) || (await processor.claims.run()));
  book.clock.advance(STEP_MS)
  issuer.expire()
  await processor.idle()
}

async function count(company: BookCompany, status: string): Promise<number> {
  const text = 'select count(*)::int as count from operation where company_id = $1 and status = $2'
  const [row] = await book.many<{ count: number }>(text, [company.scope.companyId, status])
  return row?.count ?? -1
}

it('an outage of ten minutes under load leaves at most twice the call limit in review, and the rest completes', async () => {
  const company = await book.addCompany(1_000_000_000n)
  const issuer = new HangingIssuer()
  const gates = createGates(issuer, { clock: book.clock, timeoutMs: 10 * TIMEOUT_MS })
  const { db, clock } = book
  const grouping = testGrouping()
  const settler = createSettler({ db, clock, grouping })
  const log = createLog({ level: 'silent' })
  const deps = { db, clock, log, settler, gates, issuerTimeoutMs: TIMEOUT_MS, grouping, onRoom: () => {} }
  const processor = createProcessor(deps)
  const accept = () => book.acceptBatch(Array.from({ length: LOAD }, () => service(company)))

  issuer.isOut = true
  for (let passedMs = 0; passedMs < OUTAGE_MS; passedMs += STEP_MS) {
    expect(await accept()).toEqual([])
    await step(processor, issuer)
  }
  expect(issuer.inFlightMost).toBeLessThanOrEqual(CALLS_MAX)
  expect(issuer.sent.length).toBeLessThanOrEqual(2 * CALLS_MAX)
  expect(gates.sandbox?.status().state).not.toBe('closed')
  expect(await count(company, 'queued')).toBeGreaterThan((OUTAGE_MS / STEP_MS) * LOAD - 2 * CALLS_MAX - 1)

  issuer.isOut = false
  book.clock.advance(PAUSES_MS.at(-1) ?? 0)
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    await step(processor, issuer)
    if ((await count(company, 'queued')) === 0 && (await count(company, 'processing')) === 0) break
  }
  const accepted = (OUTAGE_MS / STEP_MS) * LOAD
  const inReview = await count(company, 'manual_review')
  expect(inReview).toBeLessThanOrEqual(2 * CALLS_MAX)
  expect(await count(company, 'completed')).toBe(accepted - inReview)
  expect(new Set(issuer.sent).size).toBe(issuer.sent.length)
  await book.requireClean()
})
