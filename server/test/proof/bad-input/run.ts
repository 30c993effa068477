// Sends bad requests in batches, judges every answer, and compares the database before and after.
import { setTimeout as delay } from 'node:timers/promises'
import type { Call } from './calls.ts'
import { type Case, makeCase } from './cases.ts'
import { type Answer, Connection, sendBroken } from './client.ts'
import type { World } from './world.ts'

const BATCH = 500
const CONNECTIONS = 8
const FAILURES_MAX = 20
/** A busy machine may refuse any request, good or bad, for a moment. If the request is the reason, it is refused each time. */
const UNAVAILABLE_PAUSES_MS = [100, 500, 2_000, 5_000, 10_000]

export interface Report {
  sent: number
  /** Refused as the documents say. */
  refused: number
  /** Reads and writes that were right by chance. */
  answered: number
  accepted: number
  /** How often a request was refused because the server was busy, and sent again. */
  repeated: number
  readonly statuses: Map<number, number>
  readonly codes: Map<string, number>
  readonly calls: Map<string, number>
  /** The calls that some requests reached: they passed the checks of path, method and caller. */
  readonly reached: Set<string>
  /** How long the answers of each call took together. */
  readonly ms: Map<string, number>
  slowestMs: number
  slowest: string
  residentBytesMax: number
  readonly failures: string[]
}

interface Plan {
  readonly seed: number
  /** The indexes of the requests to make. */
  readonly indexes: readonly number[]
}

export async function sendBadInput(world: World, calls: readonly Call[], { seed, indexes }: Plan): Promise<Report> {
  const report: Report = {
    sent: 0,
    refused: 0,
    answered: 0,
    accepted: 0,
    repeated: 0,
    statuses: new Map(),
    codes: new Map(),
    calls: new Map(),
    reached: new Set(),
    ms: new Map(),
    slowestMs: 0,
    slowest: '',
    residentBytesMax: 0,
    failures: [],
  }
  const sender = new Sender(world, report, seed)
  for (let start = 0; start < indexes.length && report.failures.length < FAILURES_MAX; start += BATCH) {
    const cases = indexes.slice(start, start + BATCH).map((index) => makeCase(world, calls, seed, index))
    await world.keepVerified()
    await sendBatch(world, sender, cases)
    report.residentBytesMax = Math.max(report.residentBytesMax, (await world.usage()).residentBytes)
  }
  sender.close()
  return report
}

/** Sends the requests that must be refused first, then the others, and then repeats those of the others that were refused. */
async function sendBatch(world: World, sender: Sender, cases: readonly Case[]): Promise<void> {
  const before = await world.fingerprint()
  const wrong = cases.filter(({ mustBeRefused }) => mustBeRefused)
  await sender.sendAll(wrong)
  await sender.expectSame(before, wrong)
  const others = cases.filter(({ mustBeRefused }) => !mustBeRefused)
  const refused = await sender.sendAll(others)
  const repeated = refused.filter(({ isWrite }) => isWrite)
  const between = await world.fingerprint()
  const again = await sender.sendAll(repeated)
  // What one request changed may have made another one right; then the comparison says nothing.
  if (again.length === repeated.length) await sender.expectSame(between, repeated)
}

class Sender {
  readonly #world: World
  readonly #report: Report
  readonly #seed: number
  readonly #connections: Connection[]

  constructor(world: World, report: Report, seed: number) {
    this.#world = world
    this.#report = report
    this.#seed = seed
    this.#connections = Array.from({ length: CONNECTIONS }, () => new Connection(world.baseUrl))
  }

  /** Returns those that were refused. */
  async sendAll(cases: readonly Case[]): Promise<Case[]> {
    const refused: Case[] = []
    const queue = [...cases]
    const work = async (connection: Connection) => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        if ((await this.#send(connection, next)) === 'refused') refused.push(next)
      }
    }
    await Promise.all(this.#connections.map(work))
    return refused
  }

  async #send(connection: Connection, sent: Case): Promise<'refused' | 'accepted'> {
    const report = this.#report
    let answers = await this.#exchange(connection, sent)
    for (const pauseMs of UNAVAILABLE_PAUSES_MS) {
      if (codeOf(answers[0]) !== 'unavailable' || asksIssuer(sent)) break
      report.repeated += 1
      await delay(pauseMs)
      answers = await this.#exchange(connection, sent)
    }
    report.sent += 1
    count(report.calls, sent.call.id)
    for (const { status, ms } of answers) {
      count(report.statuses, status)
      report.ms.set(sent.call.id, (report.ms.get(sent.call.id) ?? 0) + ms)
      if (ms > report.slowestMs) Object.assign(report, { slowestMs: ms, slowest: `${sent.call.id}, ${sent.what}` })
    }
    if (answers.some(({ status }) => ![401, 403, 405].includes(status)) && !sent.isElsewhere)
      report.reached.add(sent.call.id)
    const problem = findProblem(sent, answers)
    if (problem !== undefined) this.#fail(sent, problem)
    const [answer] = answers
    const isRefused = answer === undefined || answer.status >= 400
    if (isRefused) {
      report.refused += 1
      count(report.codes, codeOf(answer))
    } else if (sent.isWrite) report.accepted += 1
    else report.answered += 1
    return isRefused ? 'refused' : 'accepted'
  }

  async #exchange(connection: Connection, { isRaw, bytes, mustClose }: Case): Promise<Answer[]> {
    if (isRaw) return sendBroken(this.#world.baseUrl, bytes, mustClose)
    const answer = await connection.send(bytes)
    return answer === undefined ? [] : [answer]
  }

  /** Compares the database with what it was. If it differs, finds the request that changes it. */
  async expectSame(before: Map<string, string>, cases: readonly Case[]): Promise<void> {
    const changes = differences(before, await this.#world.fingerprint())
    if (changes === '') return
    for (const sent of cases) {
      const then = await this.#world.fingerprint()
      await this.sendAll([sent])
      const changed = differences(then, await this.#world.fingerprint())
      if (changed !== '') this.#fail(sent, `the request was refused and changed the database: ${changed}`)
    }
    this.#report.failures.push(`Requests that were refused changed the database: ${changes}`)
  }

  #fail({ index, call, what }: Case, problem: string): void {
    this.#report.failures.push(
      `${call.method} ${call.path}, ${what}: ${problem}\n  npm run bad-input -- --seed ${this.#seed} --only ${index}`,
    )
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }
}

function differences(before: Map<string, string>, after: Map<string, string>): string {
  const changed = [...after].filter(([table, digest]) => before.get(table) !== digest)
  return changed.map(([table, digest]) => `${table} (${before.get(table)} → ${digest})`).join(', ')
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function codeOf(answer: Answer | undefined): string {
  return /"code":"(\w+)"/.exec(answer?.body ?? '')?.[1] ?? 'none'
}

/** There is no issuer, so this is always refused with 503. */
const asksIssuer = ({ call }: Case) => call.path === '/admin/v1/reconciliation'

/** What is wrong with the answers to a request; undefined when nothing is. */
function findProblem(sent: Case, answers: readonly Answer[]): string | undefined {
  const [answer] = answers
  if (answer === undefined) return 'the connection was closed without an answer'
  if (answer.status === 503 && asksIssuer(sent)) return undefined
  if (answers.some(({ status }) => status >= 500)) return `the status is ${answer.status}: ${answer.body.slice(0, 300)}`
  if (sent.mustBeRefused && answer.status < 400)
    return `the status is ${answer.status}, but the documents forbid the request`
  // What follows a refused request is refused by the parser, and never read as a request of its own.
  if (sent.mustClose && answers.slice(1).some(({ status }) => status !== 400)) return `the server read two requests`
  return answer.status >= 400 ? findWrongRefusal(sent, answer) : undefined
}

const FIELDS = new Set(['statusCode', 'message', 'code', 'requestId', 'param', 'details', 'docUrl'])

function findWrongRefusal({ call, isElsewhere }: Case, { status, headers, body }: Answer): string | undefined {
  // Pages for people answer with an error page.
  if (/content-type: text\/html/i.test(headers) && call.by === 'anyone') return undefined
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(body) as Record<string, unknown>
  } catch {
    return `the refusal is not JSON: ${status} ${body.slice(0, 200)}`
  }
  const { statusCode, message, code, requestId } = parsed
  if (statusCode !== status || typeof message !== 'string' || message.length < 10 || typeof code !== 'string')
    return `the refusal is not the error body: ${body.slice(0, 200)}`
  if (!headers.toLowerCase().includes(`x-request-id: ${String(requestId)}`.toLowerCase()))
    return 'the request id is not in the headers'
  const unknown = Object.keys(parsed).filter((name) => !FIELDS.has(name))
  if (unknown.length > 0) return `the refusal has the unknown field ${unknown.join()}`
  if (body.length > 20_000) return `the refusal has ${body.length} characters`
  return isElsewhere ? undefined : call.findUndocumented(status, parsed)
}
