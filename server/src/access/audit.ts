// A record of the audit log: who did what, to what, when, from where. It is written together with the change, never later.
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'
import type { Caller } from './caller.ts'
import type { Right } from './right.ts'
import type { Session } from './session.ts'

/** Who acts: a person, a key, an operator's token, or the program itself on its first start. */
export interface Actor {
  readonly name: string
  readonly address: string | null
  readonly requestId: string | null
  /** By which right they change who may do what. Left out when the program itself acts. */
  readonly right?: Right
}

type Origin = Pick<Actor, 'address' | 'requestId'>

/** The e-mail address tells people with the same name apart. */
export function personActor({ name, email }: Pick<Session, 'name' | 'email'>, { address, requestId }: Origin): Actor {
  return { name: `${name} <${email}>`, address, requestId }
}

/** Returns who acts when a company's route is called. */
export function callerActor({ by }: Pick<Caller, 'by'>, { address, requestId }: Origin): Actor {
  if ('personId' in by) return personActor(by, { address, requestId })
  return { name: `key ${formatId('key', by.keyId)}`, address, requestId }
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
