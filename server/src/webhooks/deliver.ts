// Delivering: claim an endpoint's line, send what is due from it, write down what became of it. A line has one holder at
// a time, so that nothing is sent twice on purpose; a holder that dies loses it to another, and nothing is lost.
import { randomUUID } from 'node:crypto'
import type { Dispatcher } from 'undici'
import type { Db } from '../db/pool.ts'
import { type ShowOperation, toEnvelope } from '../events/render.ts'
import { createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Job } from '../worker/loop.ts'
import {
  type AttemptRecord,
  claimLines,
  disableEndpoint,
  type LineKey,
  recordAttempts,
  type Round,
  type TakenRow,
  takeDeliveries,
} from './queries.ts'
import { breakerPauseMs, FAILING_MAX_MS, judge, type Judgement } from './schedule.ts'
import type { SecretBox } from './secrets.ts'
import { DEADLINE_MS, send } from './send.ts'
import { signatureHeaders } from './sign.ts'

/** The literals in claim_lines and take_deliveries. */
const CLAIM_SIZE = 10
const TAKE_SIZE = 16
/** Lines in hand at most. Those that are failing have places of their own: they never take one from the others. */
const LINES_MAX = 300
/** Lines that one statement is for, taking or recording. */
const STATEMENT_LINES_MAX = 50
/** Longer than a deadline and all around it; after this the holder is taken for dead. */
const LEASE_MS = 30_000
/** A holder that was suspended for this long sends nothing any more: another may have taken over. */
const SEND_WITHIN_MS = 10_000
/** A busy line is given back after this, behind those that wait: for other lines, and for other workers. */
const HOLD_MAX_MS = 2_000
/** Polling is what can be relied on: a delivery starts within this when nobody wakes the worker. */
const POLL_INTERVAL_MS = 50
/** On a stop: what is still under way then is given up, and sent again by another. */
const STOP_WITHIN_MS = 5_000

export interface DelivererDeps {
  db: Db
  clock: Clock
  log: Log
  openAgent(): Promise<Dispatcher>
  secretBox: SecretBox
  showOperation: ShowOperation
  deadlineMs?: number
  onAttempt?(status: AttemptRecord['status']): void
}

export interface Deliverer {
  readonly jobs: readonly Job[]
  /** To be called after the jobs have stopped. */
  stop(): Promise<void>
}

type ClaimedLine = LineKey & { failures: number }

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { db, clock, log } = deps
  const holder = randomUUID()
  const state = { stopping: false, givenUp: false }
  const desk = createDesk(deps, holder, state)
  const serving = { working: new Map<string, Promise<void>>(), failing: new Map<string, Promise<void>>() }
  /** Claimed while this worker still has it in hand: given back a moment ago, or its lease ran out. Served next. */
  const again = new Map<string, () => void>()
  const begin = (line: ClaimedLine, mine: Map<string, Promise<void>>) => {
    const key = keyOf(line)
    if (serving.working.has(key) || serving.failing.has(key)) {
      again.set(key, () => begin(line, mine))
      return
    }
    const work = serveLine(deps, desk, line)
      .catch((error: unknown) => log.error({ error, endpointId: line.endpoint_id }, 'a line was left to its lease'))
      .finally(() => {
        mine.delete(key)
        const next = again.get(key)
        again.delete(key)
        next?.()
      })
    mine.set(key, work)
  }
  const claimJob = (name: string, isFailing: boolean): Job => {
    const mine = isFailing ? serving.failing : serving.working
    return {
      name,
      intervalMs: POLL_INTERVAL_MS,
      async run() {
        if (mine.size + CLAIM_SIZE > LINES_MAX) return false
        const lines = await claimLines(db, clock.now(), desk.leaseUntil(), holder, isFailing)
        for (const line of lines) begin(line, mine)
        return lines.length === CLAIM_SIZE
      },
    }
  }
  return {
    jobs: [claimJob('webhooks', false), claimJob('failing-webhooks', true)],
    async stop() {
      state.stopping = true
      const finished = Promise.all([...serving.working.values(), ...serving.failing.values()])
      await Promise.race([finished, new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())])
      state.givenUp = true
    },
  }
}

/** What all lines of this worker share: statements that ask for several at once. */
interface Desk {
  isStopping(): boolean
  /** The process ends: whether an attempt arrived will not be known, and it is made again by another. */
  hasGivenUp(): boolean
  leaseUntil(): Date
  take(line: LineKey): Promise<TakenRow[]>
  /** True when the endpoint has only failed for too long. */
  record(round: Round): Promise<boolean>
}

function createDesk(
  { db, clock }: DelivererDeps,
  holder: string,
  state: { stopping: boolean; givenUp: boolean },
): Desk {
  const leaseUntil = () => new Date(clock.now().getTime() + LEASE_MS)
  return {
    isStopping: () => state.stopping,
    hasGivenUp: () => state.givenUp,
    leaseUntil,
    take: createBatcher<LineKey, TakenRow[]>({
      run: async (lines) =>
        groupByItem(await takeDeliveries(db, clock.now(), leaseUntil(), holder, lines), lines.length),
      sizeMax: STATEMENT_LINES_MAX,
      inFlightMax: 2,
      queueMax: 2 * LINES_MAX,
    }).push,
    record: createBatcher<Round, boolean>({
      run: async (rounds) => {
        const now = clock.now()
        const limit = new Date(now.getTime() - FAILING_MAX_MS)
        const failing = new Set((await recordAttempts(db, now, holder, limit, rounds)).map(keyOf))
        return rounds.map(({ line }) => failing.has(keyOf(line)))
      },
      sizeMax: STATEMENT_LINES_MAX,
      inFlightMax: 2,
      queueMax: 2 * LINES_MAX,
    }).push,
  }
}

interface Made {
  readonly record: AttemptRecord
  readonly judgement: Judgement
}

async function serveLine(deps: DelivererDeps, desk: Desk, line: ClaimedLine): Promise<void> {
  const { db, clock, log } = deps
  const startedMs = performance.now()
  let { failures } = line
  for (;;) {
    const takenMs = performance.now()
    const rows = desk.isStopping() ? [] : await desk.take(line)
    const made = (await Promise.all(rows.map((row) => attempt(deps, line, row, takenMs)))).filter(
      (one) => one !== undefined,
    )
    if (desk.hasGivenUp()) return
    const hasSucceeded = made.some(({ record }) => record.status === 'delivered')
    failures = hasSucceeded ? 0 : failures + made.length
    const pauseMs = Math.max(breakerPauseMs(failures), ...made.map(({ judgement }) => judgement.pauseMs))
    const keep = rows.length === TAKE_SIZE && pauseMs === 0 && performance.now() - startedMs < HOLD_MAX_MS
    const until = keep ? desk.leaseUntil() : new Date(clock.now().getTime() + pauseMs)
    const hasFailedForLong = await desk.record({ line, attempts: made.map(({ record }) => record), until, keep })
    const isGone = made.some(({ judgement }) => judgement.isGone)
    if (isGone || hasFailedForLong) {
      await disableEndpoint(db, line, clock.now(), isGone ? 'gone' : 'failures')
      log.warn({ endpointId: formatId('we', line.endpoint_id), isGone }, 'a webhook endpoint was disabled')
    }
    if (!keep) return
  }
}

/** Undefined when it was too late to send. */
async function attempt(deps: DelivererDeps, line: LineKey, row: TakenRow, takenMs: number): Promise<Made | undefined> {
  const agent = await deps.openAgent()
  if (performance.now() - takenMs > SEND_WITHIN_MS) return undefined
  const startedAt = deps.clock.now()
  const envelope = toEnvelope(row, deps.showOperation)
  const body = Buffer.from(JSON.stringify(envelope))
  const headers = signatureHeaders(openSecrets(deps.secretBox, line, row, startedAt), {
    id: envelope.id,
    at: startedAt,
    body,
  })
  const sent = await send(agent, { url: row.url, headers, body }, deps.deadlineMs ?? DEADLINE_MS)
  const number = row.attempt_count + 1
  const { statusCode, retryAfter } = sent
  const answer =
    statusCode === undefined
      ? ({ kind: 'unanswered' } as const)
      : ({ kind: 'answered', statusCode, retryAfter } as const)
  const judgement = judge(answer, { number, now: deps.clock.now(), random: Math.random() })
  deps.onAttempt?.(judgement.status)
  return {
    judgement,
    record: {
      event_id: row.id,
      id: newId(startedAt),
      number,
      status: judgement.status,
      status_code: statusCode ?? null,
      error: sent.error ?? null,
      latency_ms: sent.latencyMs,
      response: sent.response ?? null,
      started_at: startedAt,
      due_at: judgement.dueAt,
    },
  }
}

function openSecrets(box: SecretBox, line: LineKey, row: TakenRow, at: Date): string[] {
  const scope = { companyId: line.company_id, environment: line.environment }
  return row.secrets
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > at)
    .map(({ id, sealed, keyId }) =>
      box.open({ scope, endpointId: line.endpoint_id, id }, { sealed: Buffer.from(sealed, 'base64'), keyId }),
    )
}

function keyOf(line: LineKey): string {
  return `${line.company_id} ${line.environment} ${line.endpoint_id}`
}

function groupByItem(rows: readonly TakenRow[], count: number): TakenRow[][] {
  const groups = Array.from({ length: count }, (): TakenRow[] => [])
  for (const row of rows) groups[row.item - 1]?.push(row)
  return groups
}
