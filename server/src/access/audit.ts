// A record of the audit log: who did what, to what, when, from where. It is written together with the change, never later.
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'

/** Who acts without an API key: an operator's token, or the program itself on its first start. */
export interface Actor {
  readonly name: string
  readonly address: string | null
  readonly requestId: string | null
}

export interface AuditRecord extends Pick<Actor, 'address' | 'requestId'> {
  readonly id: string
  readonly actor: string
  readonly action: string
  readonly object: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly createdAt: Date
}

export function auditRecord(
  clock: Clock,
  actor: Actor,
  what: { action: string; object?: string; details?: Readonly<Record<string, unknown>> },
): AuditRecord {
  const createdAt = clock.now()
  return {
    id: newId(createdAt),
    actor: actor.name,
    action: what.action,
    object: what.object ?? null,
    details: what.details ?? {},
    address: actor.address,
    requestId: actor.requestId,
    createdAt,
  }
}
