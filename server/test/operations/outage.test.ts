// An issuer, or a part of it, is out of service for ten minutes under load: few outcomes are unknown, whatever else it answers, and
// everything else waits or goes on. The test controls the clock and decides when the deadline of a hanging call is over.
import { afterAll, beforeEach, expect, it } from 'vitest'
import { FAILURES_MAX, PAUSES_MS } from '../../src/issuer/circuit.ts'
import { createGate, type Gates } from '../../src/issuer/gate.ts'
import { LOOK_UP_DELAYS_MS } from '../../src/issuer/http/issuer.ts'
import type { IssuerOutcome, LookUpOutcome } from '../../src/issuer/port.ts'
import { createSettler } from '../../src/ledger/settle.ts'
import { createLog } from '../../src/lib/log.ts'
import { createOperationsWorker } from '../support/operations-worker.ts'
import type { RequestWorker } from '../../src/issuer/requests/worker.ts'
import { Book, type BookCompany, issue, service } from '../ledger/book.ts'
import { createGates, type IssuerScript } from '../support/gates.ts'
import { testGrouping } from '../support/on-citus.ts'

const CALLS_MAX = 20
const OUTAGE_MS = 10 * 60_000
const TIMEOUT_MS = 30_000
const STEP_MS = 30_000
const STEPS = OUTAGE_MS / STEP_MS
/** Accepted in each step: half of them issues, and of both together more than there are places. */
const LOAD = 24
/** Far more steps than the recovery takes. */
const STEPS_MAX = 200
/** One per trial: the pauses add up to more than the outage. */
const UNKNOWN_MAX = CALLS_MAX + PAUSES_MS.length

const log = createLog({ level: 'silent' })
const book = await Book.open()
afterAll(() => book.close())
let company: BookCompany
beforeEach(async () => {
  company = await book.addCompany(1_000_000_000n)
})

type Behaviour = 'answers' | 'hangs' | 'fails' | 'says it does not know'
interface Fault {
  readonly issue: Behaviour
  readonly service: Behaviour
  readonly lookUp: Behaviour
}
const HEALTHY: Fault = { issue: 'answers', service: 'answers', lookUp: 'answers' }
const NO_REQUESTS = { issue: 'hangs', service: 'hangs', lookUp: 'answers' } as const

/** What was sent without an answer is never carried out. */
class FaultyIssuer implements IssuerScript {
  readonly lookUpDelaysMs = LOOK_UP_DELAYS_MS
  readonly callsMax = CALLS_MAX
  readonly sent: string[] = []
  fault: Fault = HEALTHY
  unknown = 0
  lookUpsUnanswered = 0
  inFlight = 0
  inFlightMost = 0
  #hanging: (() => void)[] = []

  issueCard = ({ token }: { token: string }) => this.#send(token, this.fault.issue)
  orderService = ({ token }: { token: string }) => this.#send(token, this.fault.service)
  topUpCard = this.orderService

  async lookUp(): Promise<LookUpOutcome> {
    const notFound = { kind: 'unknown', reason: 'the issuer does not know this token', answered: true } as const
    if (this.fault.lookUp === 'answers') return notFound
    this.lookUpsUnanswered += 1
    return this.#spoil(this.fault.lookUp)
  }

  async #send(token: string, behaviour: Behaviour): Promise<IssuerOutcome> {
    this.sent.push(token)
    if (behaviour === 'answers') return { kind: 'confirmed', receipt: token, last4: '4242' }
    this.unknown += 1
    return this.#spoil(behaviour)
  }

  async #spoil(behaviour: Behaviour): Promise<{ kind: 'unknown'; reason: string; answered?: boolean }> {
    if (behaviour === 'fails') return { kind: 'unknown', reason: 'the issuer answered with status 500' }
    if (behaviour === 'says it does not know') return { kind: 'unknown', reason: 'not found', answered: true }
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

function start(gates: Gates): RequestWorker {
  const { db, clock } = book
  const grouping = testGrouping()
  const settler = createSettler({ db, clock, grouping })
  return createOperationsWorker({
    db,
    clock,
    log,
    settler,
    gates,
    issuerTimeoutMs: TIMEOUT_MS,
    grouping,
    onRoom: () => {},
  })
}
const openGates = (issuer: FaultyIssuer) => createGates(issuer, { clock: book.clock, timeoutMs: 10 * TIMEOUT_MS })

async function accept(): Promise<void> {
  const candidates = Array.from({ length: LOAD }, (_, index) => (index % 2 === 0 ? service(company) : issue(company)))
  expect(await book.acceptBatch(candidates)).toEqual([])
}

async function step(processors: readonly RequestWorker[], issuer: FaultyIssuer): Promise<void> {
  for (const processor of processors) while ((await processor.lookUps.run()) || (await processor.claims.run()));
  book.clock.advance(STEP_MS)
  issuer.expire()
  for (const processor of processors) await processor.idle()
}

async function count(status: string, type = '%'): Promise<number> {
  const text = 'select count(*)::int as count from operation where company_id = $1 and status = $2 and type like $3'
  const [row] = await book.many<{ count: number }>(text, [company.scope.companyId, status, type])
  return row?.count ?? -1
}

/** Everything accepted completes, except what is unknown. */
async function recover(processors: readonly RequestWorker[], issuer: FaultyIssuer): Promise<void> {
  issuer.fault = HEALTHY
  book.clock.advance(PAUSES_MS.at(-1) ?? 0)
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    await step(processors, issuer)
    if ((await count('queued')) === 0 && (await count('processing')) === 0) break
  }
  expect(await count('manual_review')).toBe(issuer.unknown)
  expect(await count('completed')).toBe(STEPS * LOAD - issuer.unknown)
  expect(new Set(issuer.sent).size).toBe(issuer.sent.length)
  await book.requireClean()
}

it.each<[string, Fault]>([
  ['does not answer at all', { issue: 'hangs', service: 'hangs', lookUp: 'hangs' }],
  ['answers look-ups and no request', NO_REQUESTS],
  ['answers requests with errors', { issue: 'fails', service: 'fails', lookUp: 'answers' }],
  ['answers everything with errors', { issue: 'fails', service: 'fails', lookUp: 'fails' }],
  [
    'says of every request that it does not know it',
    { issue: 'says it does not know', service: 'says it does not know', lookUp: 'answers' },
  ],
])(
  'an issuer that %s leaves at most as many outcomes unknown as there are places, and one per trial',
  async (_, fault) => {
    const issuer = new FaultyIssuer()
    const gates = openGates(issuer)
    const processor = start(gates)
    issuer.fault = fault
    for (let steps = 0; steps < STEPS; steps += 1) {
      await accept()
      await step([processor], issuer)
    }
    expect(issuer.inFlightMost).toBeLessThanOrEqual(CALLS_MAX)
    expect(issuer.unknown).toBeGreaterThanOrEqual(FAILURES_MAX)
    expect(issuer.unknown).toBeLessThanOrEqual(UNKNOWN_MAX)
    expect(gates.sandbox?.status().stopped).toEqual(expect.arrayContaining(['issue', 'topup', 'service', 'invoice']))
    expect(gates.sandbox?.status().stopped.includes('look_up')).toBe(fault.lookUp !== 'answers')
    expect(await count('queued')).toBe(STEPS * LOAD - issuer.unknown)
    await recover([processor], issuer)
  },
)

it.each<[string, Behaviour]>([
  ['hang', 'hangs'],
  ['are answered with errors', 'fails'],
])('while only issues %s, few of them are unknown, and services are carried out', async (_, behaviour) => {
  const issuer = new FaultyIssuer()
  const gates = openGates(issuer)
  const processor = start(gates)
  issuer.fault = { ...HEALTHY, issue: behaviour }
  for (let steps = 0; steps < STEPS; steps += 1) {
    await accept()
    await step([processor], issuer)
  }
  // The last ones were accepted while the issues of the last trial held places.
  await step([processor], issuer)
  expect(issuer.unknown).toBeLessThanOrEqual(UNKNOWN_MAX)
  expect(gates.sandbox?.status().stopped).toEqual(['issue'])
  expect(await count('completed', 'service')).toBe((STEPS * LOAD) / 2)
  await recover([processor], issuer)
})

it('while only look-ups hang, requests are carried out, and one look-up per trial is made', async () => {
  const issuer = new FaultyIssuer()
  const gates = openGates(issuer)
  const processor = start(gates)
  issuer.fault = { ...HEALTHY, issue: 'hangs', lookUp: 'hangs' }
  await accept()
  await step([processor], issuer)
  issuer.fault = { ...HEALTHY, lookUp: 'hangs' }
  for (let steps = 1; steps < STEPS; steps += 1) {
    await accept()
    await step([processor], issuer)
  }
  expect(issuer.lookUpsUnanswered).toBeLessThanOrEqual(UNKNOWN_MAX)
  expect(gates.sandbox?.status().stopped).toEqual(['look_up'])
  expect(await count('completed')).toBe(STEPS * LOAD - issuer.unknown)
  await recover([processor], issuer)
})

it('each of two processes has its own limit', async () => {
  const issuer = new FaultyIssuer()
  const processors = [start(openGates(issuer)), start(openGates(issuer))]
  issuer.fault = NO_REQUESTS
  for (let steps = 0; steps < STEPS; steps += 1) {
    await accept()
    await accept()
    await step(processors, issuer)
  }
  expect(issuer.unknown).toBeLessThanOrEqual(2 * UNKNOWN_MAX)
})

it('a process that starts during an outage learns of it from a few requests, and then begins slowly', async () => {
  const issuer = new FaultyIssuer()
  issuer.fault = NO_REQUESTS
  const openLive = (): Gates => {
    const sandbox = openGates(issuer).sandbox
    if (sandbox === undefined) throw new Error('no gate')
    const { clock } = book
    const options = { clock, log, timeoutMs: TIMEOUT_MS, environment: 'sandbox', callsAtFirst: FAILURES_MAX } as const
    return { sandbox: createGate({ ...options, issuer: sandbox.issuer }), live: undefined }
  }
  const STARTS = 4
  for (let starts = 0; starts < STARTS; starts += 1) {
    await accept()
    await step([start(openLive())], issuer)
  }
  expect(issuer.unknown).toBe(STARTS * FAILURES_MAX)
})
