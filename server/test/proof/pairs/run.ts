// Lets two requests meet in every way that a play knows, and finds the results that neither order of the two whole requests has.
import type { App } from '../../../src/app.ts'
import type { PairCall } from './calls.ts'
import type { Play } from './plays.ts'
import { differenceOf, type Changes, type Snapshots } from './snapshot.ts'
import { asSide } from './stage.ts'

export interface Told {
  readonly call: PairCall
  readonly status: number
  readonly code: string
}

/** What the two clients were told, and what is stored. */
interface Result {
  readonly answers: readonly Told[]
  readonly changes: Changes
  /** Where the first request paused; undefined if it ended before. */
  readonly pausedAt: string | undefined
}

export interface Laboratory {
  readonly play: Play
  readonly snapshots: Snapshots
  /** Returns a server that remembers nothing of what was undone. */
  use(calls: readonly PairCall[]): Promise<App>
}

/** More statements than any request has. */
const STATEMENTS_MAX = 40
/** Between two looks at whether a statement waits for a lock. It is only asked for while a request has no answer. */
const LOOK_INTERVAL_MS = 2
/** Only ends a wait that would never end: the second request waits for something that the first one keeps in memory. */
const ANSWER_MAX_MS = 120_000

/** Returns what the request is answered when nothing else happens. */
export async function alone(laboratory: Laboratory, call: PairCall): Promise<Told> {
  const app = await laboratory.use([call])
  return laboratory.play.perform(STATEMENTS_MAX, () => asSide('first', () => send(app, call)))
}

/** Returns a description of each result that no order of the two whole requests explains. */
export async function meet(laboratory: Laboratory, one: PairCall, another: PairCall): Promise<string[]> {
  const other = one === another ? repeated(one) : another
  const serial = [await inOrder(laboratory, one, other), await inOrder(laboratory, other, one)]
  const anomalies: string[] = []
  for (const [paused, whole] of [
    [one, other],
    [other, one],
  ] as const) {
    for (let number = 0; ; number += 1) {
      const result = await runOnce(laboratory, { first: paused, second: whole, number })
      if (result.pausedAt === undefined) break
      if (number > STATEMENTS_MAX) throw new Error(`${paused.name} has too many statements`)
      const explanation = explain(result, serial)
      if (explanation !== undefined)
        anomalies.push(`${paused.name} pauses for ${whole.name} at: ${result.pausedAt}\n${explanation}`)
    }
  }
  return anomalies
}

/** The same request once more. What two requests with one idempotency key do is the matter of other tests. */
function repeated(call: PairCall): PairCall {
  const isIdempotent = 'idempotency-key' in call.headers
  return { ...call, headers: isIdempotent ? { ...call.headers, 'idempotency-key': 'repeated' } : call.headers }
}

/** The first request ends before its pause. */
const inOrder = (laboratory: Laboratory, first: PairCall, second: PairCall) =>
  runOnce(laboratory, { first, second, number: STATEMENTS_MAX })

async function runOnce(
  laboratory: Laboratory,
  { first, second, number }: { first: PairCall; second: PairCall; number: number },
): Promise<Result> {
  const app = await laboratory.use([first, second])
  return laboratory.play.perform(number, async (pause, isStuck) => {
    const answering = asSide('first', () => send(app, first))
    await Promise.race([pause.reached, answering])
    const telling = asSide('second', () => send(app, second))
    await untilStuck(telling, isStuck)
    pause.end()
    const answers = [await answering, await telling]
    return { answers, changes: await laboratory.snapshots.readChanges(), pausedAt: pause.at }
  })
}

/** Waits until the request has its answer, or waits for what the other one has locked. */
async function untilStuck(request: Promise<unknown>, isStuck: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + ANSWER_MAX_MS
  const answered = request.then(() => 'answered' as const)
  const paused = () => new Promise<'paused'>((resolve) => setTimeout(() => resolve('paused'), LOOK_INTERVAL_MS))
  while ((await Promise.race([answered, paused()])) === 'paused') {
    if (await isStuck()) return
    if (performance.now() > giveUpAt) throw new Error('The second request gets no answer while the first one pauses.')
  }
}

/** Returns why no order explains the result; undefined if one does. */
function explain(result: Result, serial: readonly Result[]): string | undefined {
  const told = result.answers.map(textOf).join(', ')
  if (result.answers.some(({ status }) => status >= 500)) return `answers ${told}`
  const differences = serial.map(({ answers, changes }) => {
    const stored = differenceOf(result.changes, changes)
    const fits = result.answers.every((each) => answers.some((expected) => isExplained(each, expected)))
    return fits ? stored : `answers ${told} instead of ${answers.map(textOf).join(', ')}\n${stored ?? ''}`
  })
  return differences.includes(undefined) ? undefined : differences.join('\n  or\n')
}

/** Their answers describe the session, which the other request may have ended as soon as it was there. */
const TELLS_SESSION = new Set(['signIn', 'signInWithPasskey', 'useLink', 'changePassword', 'joinCompany', 'updateMe'])

/** A refusal may have another reason than the same request would be refused for later. */
function isExplained(told: Told, expected: Told): boolean {
  if (told.call.name !== expected.call.name) return false
  const isRefused = ({ status }: Told) => status >= 400
  if (isRefused(told) === isRefused(expected)) return true
  return told.status === 401 && TELLS_SESSION.has(told.call.route.id)
}

export const textOf = ({ call, status, code }: Told) => `${call.name}: ${status}${code === '' ? '' : ` ${code}`}`

async function send(app: App, call: PairCall): Promise<Told> {
  const { route, path, headers, body } = call
  const answer = await app.server.inject({
    method: route.method as 'POST',
    url: path,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const { statusCode: status } = answer
  return { call, status, code: status >= 400 ? answer.json<{ code: string }>().code : '' }
}
