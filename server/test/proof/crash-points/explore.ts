// Runs a scenario once to count its calls, and then once for every crash point: before and after each call that writes or
// leaves the node, and on demand at each read in between.
import { sql } from '../../../src/db/sql.ts'
import { findId } from '../../../src/lib/ids.ts'
import type { ClientAnswer as JudgedAnswer, ClientRequest } from '../judge/evidence.ts'
import { judgeSnapshot } from '../judge/judge.ts'
import { readSnapshot } from '../judge/snapshot.ts'
import type { Asked, Scenario } from './scenario.ts'
import type { Subject } from './subject.ts'
import type { Call, CrashPoint } from './node.ts'
import type { ClientAnswer, World } from './world.ts'

export interface Explored {
  readonly scenario: string
  readonly outcome: string
  /** The calls of a run without a crash. */
  readonly calls: readonly Call[]
  readonly points: number
  /** Points at which a node has crashed. */
  readonly reached: number
  readonly violations: readonly string[]
  readonly seconds: number
}

/** A client gives up after so many requests without an answer; no run needs more than three. */
const REQUESTS_MAX = 8
/** Another run may already have done what this one would do, such as sealing entries; then the point is tried again. */
const ATTEMPTS_MAX = 5
/** Background work of a node, such as writing its request log, runs at least this often. */
const BACKGROUND_MS = 5_000
/** Entries are sealed after ten seconds; everything else has ended before. */
const QUIET_MS = 15_000

/**
 * Calls are made one after the other, so nothing changes between the end of one and the beginning of the next. What a crash
 * leaves is the database, the other parties and what the client was told; so a crash at a call that only reads leaves the same
 * as one after the last change before it, or, once the client has its answer, as one before the next change.
 */
export function crashPointsOf(calls: readonly Call[], { reads }: { reads: boolean }): CrashPoint[] {
  const points: CrashPoint[] = []
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  let changes = 0
  for (const { label, wrote } of calls) {
    if (wrote) {
      changes += 1
      const nth = (counts.get(label) ?? 0) + 1
      counts.set(label, nth)
      points.push({ label, wrote, nth, when: 'before' }, { label, wrote, nth, when: 'after' })
    } else if (reads && !seen.has(`${changes} ${label}`)) {
      // A poll that comes again before anything has changed is the same point.
      seen.add(`${changes} ${label}`)
      points.push({ label, wrote, nth: changes, when: 'before' })
    }
  }
  return points
}

export class Explorer {
  readonly #world: World
  /** Everything that clients asked, for the judge. */
  readonly #requests: ClientRequest[] = []

  constructor(world: World) {
    this.#world = world
  }

  /** With `reads`, also crashes at every call that only reads. */
  async explore(scenario: Scenario, outcome: string, options: { reads: boolean }): Promise<Omit<Explored, 'seconds'>> {
    const world = this.#world
    const [first] = await this.#prepare(scenario, outcome, 1)
    const { calls, violations } = await this.#run(scenario, outcome, first as Subject, undefined)
    const points = crashPointsOf(calls, options)
    let waiting: readonly CrashPoint[] = points
    for (let attempt = 0; attempt < ATTEMPTS_MAX && waiting.length > 0; attempt += 1) {
      const missed: CrashPoint[] = []
      const subjects = await this.#prepare(scenario, outcome, waiting.length)
      for (const [index, point] of waiting.entries()) {
        const run = await this.#run(scenario, outcome, subjects[index] as Subject, point)
        violations.push(...run.violations.map((violation) => `${nameOf(scenario, outcome, point)}: ${violation}`))
        if (!world.hasCrashed) missed.push(point)
      }
      waiting = missed
    }
    violations.push(...waiting.map((point) => `${nameOf(scenario, outcome, point)}: no run made this call`))
    const reached = points.length - waiting.length
    return { scenario: scenario.name, outcome, calls, points: points.length, reached, violations }
  }

  /** With a node that ends before the first run. */
  async #prepare(scenario: Scenario, outcome: string, count: number): Promise<Subject[]> {
    const world = this.#world
    const node = await world.startNode()
    const subjects: Subject[] = []
    for (let index = 0; index < count; index += 1) subjects.push(await scenario.prepare(world, outcome))
    await world.rest()
    node.crash()
    return subjects
  }

  async #run(
    scenario: Scenario,
    outcome: string,
    subject: Subject,
    crash: CrashPoint | undefined,
  ): Promise<{ calls: readonly Call[]; violations: string[] }> {
    const world = this.#world
    world.beginRun()
    scenario.arrange(world, outcome)
    const { serves } = scenario
    const node = await world.startNode(crash === undefined ? { watch: true, serves } : { crash, serves })
    const asked: Asked[] = []
    try {
      await this.#askUntilAnswered(scenario, outcome, subject, asked)
      await this.#settle(scenario, subject)
      const calls = [...node.calls]
      // The client repeats its request with the same key.
      await this.#askUntilAnswered(scenario, outcome, subject, asked)
      await this.#settle(scenario, subject)
      if (crash !== undefined && !world.hasCrashed) {
        await world.pass(BACKGROUND_MS)
        await this.#settle(scenario, subject)
      }
      const violations = await scenario.check(world, subject, asked, outcome)
      violations.push(...(await audit(world, subject)))
      return { calls, violations }
    } catch (error) {
      return { calls: [...node.calls], violations: [String(error)] }
    } finally {
      world.endRun()
      this.#requests.push(...toRequests(scenario, subject, asked))
    }
  }

  /** Waits until everything that can end has ended, and has the judge look at all runs together. */
  async judge(): Promise<string[]> {
    const world = this.#world
    const node = await world.startNode()
    await world.pass(QUIET_MS)
    node.crash()
    const { issuer } = world.wire
    const snapshot = await readSnapshot(world.client)
    const { arrivals } = world.receivers
    const evidence = { clients: this.#requests, issuers: [issuer.book()], arrivals, isQuiet: true }
    return [...judgeSnapshot(snapshot, evidence), ...issuer.violations]
  }

  async #askUntilAnswered(scenario: Scenario, outcome: string, subject: Subject, asked: Asked[]): Promise<void> {
    const world = this.#world
    for (let count = 0; count < REQUESTS_MAX; count += 1) {
      if (world.isNodeDead) await world.startNode({ serves: scenario.serves })
      if (world.isNodeDead) continue
      const sentAtMs = world.time.now().getTime()
      const answer = await world.send(scenario.request(subject, outcome))
      asked.push({ outcome, answer, sentAtMs, answeredAtMs: world.time.now().getTime() })
      if (answer !== undefined && answer.status < 500) return
    }
    throw new Error('the client got no answer')
  }

  async #settle(scenario: Scenario, subject: Subject): Promise<void> {
    const world = this.#world
    for (;;) {
      if (world.isNodeDead) await world.startNode({ serves: scenario.serves })
      await world.until('everything had ended', async () => world.isNodeDead || scenario.isSettled(world, subject))
      if (!world.isNodeDead) return
    }
  }
}

/** Longer statements are cut. */
const LABEL_LENGTH = 80

function nameOf({ name }: Scenario, outcome: string, { label, nth, when }: CrashPoint): string {
  return `${name}, ${outcome}, crash ${when} ${nth}. call (${label.slice(0, LABEL_LENGTH)})`
}

/** The judge knows requests that create something under a key. */
function toRequests({ object, ...scenario }: Scenario, subject: Subject, asked: readonly Asked[]): ClientRequest[] {
  if (object === undefined) return []
  const { scope, requestKey } = subject
  return asked.map(({ answer, sentAtMs, answeredAtMs, outcome }) => ({
    ...scope,
    object,
    idempotencyKey: requestKey,
    payload: JSON.stringify(scenario.request(subject, outcome).body),
    sentAtMs,
    ...(answer === undefined ? {} : { answeredAtMs, answer: toAnswer(object, answer) }),
  }))
}

function toAnswer(object: 'operation' | 'invoice', { status, body }: ClientAnswer): JudgedAnswer {
  const id = findId(object === 'operation' ? 'op' : 'inv', String(body['id']))
  if (status < 300 && id !== undefined) return { kind: 'accepted', id }
  return status === 409 && body['code'] === 'idempotency_conflict'
    ? { kind: 'conflict' }
    : { kind: 'refused', code: String(body['code']) }
}

async function audit({ db }: World, { scope }: Subject): Promise<string[]> {
  const rows = await db.many<{ difference: string | null }>(sql`
    select difference from audit_account(${scope.companyId}, ${scope.environment})`)
  return rows.flatMap(({ difference }) => (difference === null ? [] : [`the audit found: ${difference}`]))
}
