// Lets two requests meet in every way that a play knows, and finds the results that neither order of the two whole requests has.
import type { App } from '../../../src/app/app.ts'
import type { PairCall } from './calls.ts'
import { explain, hasFailed, type Reference, type Result, type Told } from './explain.ts'
import type { Play } from './plays.ts'
import type { Footprint } from './saved.ts'
import type { Snapshots } from './snapshot.ts'
import { asRequest, type Side } from './stage.ts'

export interface Laboratory {
  readonly play: Play
  readonly snapshots: Snapshots
  /** Returns a server for each of the two requests. They remember nothing of what was undone. */
  use(calls: readonly PairCall[]): Promise<Readonly<Record<Side, App>>>
}

/** More statements than any request makes. */
const STATEMENTS_MAX = 40
/** The pause between two checks whether a statement waits for a lock, while a request has no answer. */
const LOOK_INTERVAL_MS = 2
/** Ends a wait that would never end, if the second request waits for something that the first one keeps in memory. */
const ANSWER_MAX_MS = 120_000

/** Returns the result of a request that meets no other one. */
export async function runAlone({ play, snapshots, use }: Laboratory, call: PairCall): Promise<Result> {
  const servers = await use([call])
  return play.perform(STATEMENTS_MAX, async () => {
    const answers = [await send(servers.first, call)]
    return { answers, changes: await snapshots.readChanges(), pausedAt: undefined }
  })
}

/** What the transaction has done so far. Every request writes to the audit log, and none reads it. */
const FOOTPRINT = `
  select relname as name, n_tup_ins + n_tup_upd + n_tup_del > 0 as is_written from pg_stat_xact_user_tables
  where schemaname = current_schema() and relname <> 'audit_log'
    and seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del > 0`

/** Returns which tables a request reads and changes when nothing else happens. The play must be one between statements. */
export async function footprintOf({ play, use }: Laboratory, call: PairCall): Promise<Footprint> {
  const servers = await use([call])
  const db = play.stage.dbOf(undefined)
  // What earlier transactions of the connection did counts until it is flushed.
  await db.many({ name: undefined, text: 'select pg_stat_force_next_flush()', values: [] })
  const rows = await play.perform(STATEMENTS_MAX, async () => {
    await send(servers.first, call)
    return db.many<{ name: string; is_written: boolean }>({ name: undefined, text: FOOTPRINT, values: [] })
  })
  const read = new Set(rows.map(({ name }) => name))
  return { read, written: new Set(rows.filter(({ is_written }) => is_written).map(({ name }) => name)) }
}

/**
 * These take effect in two steps, between which they wait for the issuer. What others see then is a state of its own, such as a card with a
 * `pendingStatus`. So there is one more result that is right, whenever between the two steps the other request comes.
 */
const ASKS_ISSUER = new Set(['freezeCard', 'unfreezeCard', 'closeCard', 'createInvoice'])

/** Returns a description of each result that no order of the two whole requests explains. */
export async function meet(laboratory: Laboratory, one: PairCall, another: PairCall): Promise<string[]> {
  const other = one === another ? repeated(one) : another
  const references: Reference[] = [
    await runOnce(laboratory, { first: one, second: other, number: STATEMENTS_MAX }),
    await runOnce(laboratory, { first: other, second: one, number: STATEMENTS_MAX }),
    // A request may also be refused because of the other one. Then it must have done nothing.
    { ...(await runAlone(laboratory, one)), refused: other },
    { ...(await runAlone(laboratory, other)), refused: one },
  ]
  const anomalies: string[] = []
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const known = [...references]
    for (let number = 0; ; number += 1) {
      const result = await runOnce(laboratory, { first, second, number })
      if (result.pausedAt === undefined) break
      if (number > STATEMENTS_MAX) throw new Error(`${first.name} has too many statements`)
      const explanation = explain(result, known)
      if (explanation === undefined) continue
      const isWaiting = ASKS_ISSUER.has(first.route.id) && known.length === references.length && !hasFailed(result)
      if (isWaiting) known.push(result)
      else anomalies.push(`${first.name} pauses for ${second.name} at: ${result.pausedAt}\n${explanation}`)
    }
  }
  return anomalies
}

/** The same request once more. What two requests with one idempotency key do is the matter of other tests. */
function repeated(call: PairCall): PairCall {
  const isIdempotent = 'idempotency-key' in call.headers
  return { ...call, headers: isIdempotent ? { ...call.headers, 'idempotency-key': 'repeated' } : call.headers }
}

/** The first request pauses at its statement with this number, if it makes that many. */
async function runOnce(
  { play, snapshots, use }: Laboratory,
  { first, second, number }: { first: PairCall; second: PairCall; number: number },
): Promise<Result> {
  const servers = await use([first, second])
  return play.perform(number, async (pause, isStuck) => {
    const answering = send(servers.first, first)
    await Promise.race([pause.reached, answering])
    const telling = send(servers.second, second)
    await untilStuck(telling, isStuck)
    pause.end()
    const answers = [await answering, await telling]
    return { answers, changes: await snapshots.readChanges(), pausedAt: pause.at }
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

async function send(app: App, call: PairCall): Promise<Told> {
  const { route, path, headers, body } = call
  const answer = await asRequest(async () =>
    app.server.inject({
      method: route.method as 'POST',
      url: path,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    }),
  )
  const { statusCode: status } = answer
  return { call, status, code: status >= 400 ? answer.json<{ code: string }>().code : '' }
}
