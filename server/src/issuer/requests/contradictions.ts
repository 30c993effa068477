// Keeps events of the live issuer that do not match what is known here, or say the opposite of it. Such an event changes
// nothing; a person finds it in the audit log and in the server's log.
import { type Actor, auditRecord, programActor } from '../../access/audit.ts'
import type { Db } from '../../db/pool.ts'
import type { Clock } from '../../lib/clock.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { Log } from '../../lib/log.ts'
import type { Scope } from '../../lib/scope.ts'
import { insertContradiction } from '../queries.ts'

export interface ReportDeps {
  db: Db
  clock: Clock
  log: Log
}

/** Who changed something, when an event of the issuer did. */
export const ISSUER: Actor = { ...programActor('issuer'), kind: 'issuer' }

export interface Contradiction {
  /** The id of the operation or card change, as the API shows it. */
  readonly object: string
  readonly createdAt: Date
  readonly event: { readonly id: string; readonly type: string; readonly data: unknown }
  readonly problem: string
}

/** Records the contradiction once per event, and returns how the event is answered. */
export async function contradict(
  { db, clock, log }: ReportDeps,
  scope: Scope,
  { object, createdAt, event, problem }: Contradiction,
): Promise<'conflict'> {
  log.warn(
    { object, eventId: event.id, problem },
    'an event of the issuer contradicts what is known; it changed nothing',
  )
  const details = { eventId: event.id, problem, type: event.type, data: event.data }
  const record = auditRecord(clock, ISSUER, { action: 'issuer.contradiction', object, details })
  await insertContradiction(db, scope, firstIdAt(createdAt), { ...record, details })
  return 'conflict'
}
