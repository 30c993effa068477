// Runs faults one after the other under load, lets everything come to rest, and has the judge look at what is left.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { findId } from '../../../src/lib/ids.ts'
import { parseCents } from '../../../src/lib/money.ts'
import { SKEW_MAX_MS } from '../../../src/db/health.ts'
import type { Evidence } from '../judge/evidence.ts'
import { judge } from '../judge/judge.ts'
import type { Fault } from './faults.ts'
import type { Ground } from './ground.ts'
import { Load } from './load.ts'

/** Between two faults, so that service returns and the next fault meets a working system. */
const CALM_MS = 1_500
/** After this long, what is not at rest is reported as a violation. */
const REST_MS_MAX = 180_000

export interface Done {
  readonly kind: string
  /** The longest time without an accepted request, from the beginning of the fault until the next calm. */
  readonly gapMs: number
}

export interface ChaosReport {
  readonly faults: readonly Done[]
  readonly sent: number
  readonly accepted: number
  readonly unanswered: number
  /** Refusals by code. */
  readonly refused: ReadonlyMap<string, number>
  /** Accepted operations that the database does not have. */
  readonly lost: number
  /** Operations that reached the issuer more than once, and keys with more than one operation. */
  readonly duplicates: number
  readonly reviews: number
  readonly deliveries: number
  readonly deliveredAgain: number
  readonly violations: readonly string[]
}

/** `next` returns the next fault, or undefined at the end. */
export async function runChaos(
  ground: Ground,
  next: () => Fault | undefined,
  tell: (what: string) => void = () => {},
): Promise<ChaosReport> {
  const load = new Load(ground)
  load.start()
  await delay(CALM_MS)
  const faults: Done[] = []
  for (let fault = next(); fault !== undefined; fault = next()) {
    const startedAtMs = performance.now()
    tell(fault.kind)
    await fault.run(ground)
    await waitForService(load)
    await delay(CALM_MS)
    faults.push({ kind: fault.kind, gapMs: longestGap(load.acceptedAtMs, startedAtMs) })
  }
  tell('The faults are over; what is under way comes to rest.')
  await load.stop()
  ground.disk?.clear()
  const isAtRest = await rest(ground)
  tell('The judge looks at everything.')
  const evidence = await collect(ground, load)
  const violations = await judge(ground.connection, { ...evidence, isQuiet: true })
  violations.push(...ground.violations)
  if (!isAtRest) violations.unshift('Not everything came to rest.')
  return { faults, violations, ...(await count(ground, load)) }
}

/** Resolves when a request is accepted, however long that takes. The report shows how long there was no service. */
async function waitForService(load: Load): Promise<void> {
  const before = load.acceptedAtMs.length
  const endMs = performance.now() + REST_MS_MAX / 3
  while (load.acceptedAtMs.length === before && performance.now() < endMs) await delay(20)
  if (load.acceptedAtMs.length === before)
    throw new Error(
      `Nothing was accepted any more: ${JSON.stringify([...load.refused])}, ${load.unanswered} unanswered`,
    )
}

function longestGap(times: readonly number[], sinceMs: number): number {
  const first = times.findIndex((atMs) => atMs >= sinceMs)
  const window = [sinceMs, ...(first < 0 ? [] : times.slice(first)), performance.now()]
  return Math.max(...window.map((atMs, index) => atMs - (window[index - 1] ?? atMs)))
}

/** Look-ups and retries wait for minutes and hours; this makes them due at once. Everything else takes its own time. */
async function rest({ db }: Ground): Promise<boolean> {
  const endMs = performance.now() + REST_MS_MAX
  while (performance.now() < endMs) {
    // What the server is working on is left alone: to wait for it while other rows are locked would be a deadlock.
    await db.run(sql`
      update issuer_request set due_at = now() where id in (
        select id from issuer_request
        where status = 'processing' and due_at > now() + interval '4 s' for update skip locked)`)
    await db.run(sql`
      update delivery set due_at = now() where (event_id, endpoint_id) in (
        select event_id, endpoint_id from delivery
        where status = 'pending' and due_at > now() for update skip locked)`)
    await db.run(sql`
      update delivery_queue set due_at = now(), not_before = now(), failures = 0
      where worker_id is null and greatest(due_at, not_before) > now()`)
    const open = await db.find<{ count: bigint }>(sql`
      select (select count(*) from operation where status in ('queued', 'processing'))
           + (select count(*) from delivery where status = 'pending')
           + (select count(*) from account a where a.sequence > coalesce((
               select max(s.number) from seal s where s.company_id = a.company_id and s.environment = a.environment), 0)) as count`)
    if (open?.count === 0n) return true
    await delay(500)
  }
  return false
}

async function collect({ issuerDb, db, receiver }: Ground, load: Load): Promise<Evidence> {
  const requests = await issuerDb.many<{ token: string; at: Date; company: string | null; amount: string | null }>(sql`
    select a.token, a.arrived_at as at, r.content->>'companyId' as company, r.content->>'amount' as amount
    from issuer_adapter.arrival a left join issuer_adapter.request r on r.token = a.token and r.kind <> 'fence'
    where a.kind <> 'look_up'`)
  const operations = await db.many<{ id: string; company_id: string; amount: bigint }>(sql`
    select id, company_id, amount from operation where environment = 'live'`)
  const stored = new Map(operations.map((row) => [row.id, row]))
  const effects = await issuerDb.many<{ token: string; amount: string }>(sql`
    select token, content->>'amount' as amount from issuer_adapter.request where answer->>'outcome' = 'done'`)
  const endpoint = await db.find<{ id: string }>(sql`select id from webhook_endpoint`)
  return {
    clients: load.requests,
    issuers: [
      {
        environment: 'live',
        requests: requests.map(({ token, at, company, amount }) => ({
          token,
          // The issuer keeps no content of a request that it did not act on.
          companyId: company === null ? (stored.get(token)?.company_id ?? '') : (findId('co', company) ?? ''),
          amount: amount === null ? stored.get(token)?.amount : parseCents(amount),
          // A claim carries the time of a server whose clock may be ahead.
          atMs: at.getTime() + SKEW_MAX_MS,
        })),
        effects: effects.map(({ token, amount }) => ({ token, amount: parseCents(amount) })),
      },
    ],
    arrivals: receiver.eventIds.map((eventId) => ({ endpointId: endpoint?.id ?? '', eventId, statusCode: 200 })),
  }
}

async function count(
  { db, issuerDb, receiver }: Ground,
  load: Load,
): Promise<Omit<ChaosReport, 'faults' | 'violations'>> {
  const accepted = new Set(load.requests.flatMap(({ answer }) => (answer?.kind === 'accepted' ? [answer.id] : [])))
  const ids = new Set((await db.many<{ id: string }>(sql`select id from operation`)).map(({ id }) => id))
  const twice = await issuerDb.many(sql`
    select token from issuer_adapter.arrival where kind <> 'look_up' group by token having count(*) > 1`)
  const keys = await db.many(sql`
    select idempotency_key from operation group by company_id, environment, idempotency_key having count(*) > 1`)
  const reviews = await db.find<{ count: bigint }>(sql`
    select count(*) as count from operation where status = 'manual_review'`)
  return {
    sent: load.requests.length,
    accepted: accepted.size,
    unanswered: load.unanswered,
    refused: load.refused,
    lost: [...accepted].filter((id) => !ids.has(id)).length,
    duplicates: twice.length + keys.length,
    reviews: Number(reviews?.count ?? 0n),
    deliveries: new Set(receiver.eventIds).size,
    deliveredAgain: receiver.eventIds.length - new Set(receiver.eventIds).size,
  }
}
