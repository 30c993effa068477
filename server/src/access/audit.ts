// A record of the audit log: who did what, to what, when, from where. It is written together with the change, never later.
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'
import type { Caller } from './caller.ts'
import type { OperatorToken } from './keyring.ts'
import type { Right } from './right.ts'
import type { Session } from './session.ts'

/**
 * What acts. `link` is whoever has a one-time link, which proves less than a password; `program` is the server itself, or a command
 * on its machine.
 */
export const ACTOR_KINDS = ['person', 'key', 'operator_token', 'link', 'program', 'issuer'] as const
export type ActorKind = (typeof ACTOR_KINDS)[number]

export interface Actor {
  readonly kind: ActorKind
  /** The id of the person, key or token; of a link, the person it was made for. Null for the program and the issuer, which have none. */
  readonly id: string | null
  /** What the person, key or token is called now. They can be renamed, and two may have the same name. */
  readonly ownName: string | null
  /** All of it as one text. */
  readonly name: string
  readonly address: string | null
  readonly requestId: string | null
  /** By which right they change who may do what. Left out when the program itself acts. */
  readonly right?: Right
}

type Origin = Pick<Actor, 'address' | 'requestId'>

/** The e-mail address tells people with the same name apart. */
export function personActor(
  { personId, name, email }: Pick<Session, 'personId' | 'name' | 'email'>,
  { address, requestId }: Origin,
): Actor {
  return { kind: 'person', id: personId, ownName: name, name: `${name} <${email}>`, address, requestId }
}

/** Returns who acts when a company's route is called. */
export function callerActor({ by }: Pick<Caller, 'by'>, { address, requestId }: Origin): Actor {
  if ('personId' in by) return personActor(by, { address, requestId })
  const { keyId: id, name } = by
  return { kind: 'key', id, ownName: name, name: `key ${formatId('key', id)}`, address, requestId }
}

export function tokenActor({ id, name }: OperatorToken, { address, requestId }: Origin): Actor {
  return { kind: 'operator_token', id, ownName: name, name: `operator ${formatId('key', id)}`, address, requestId }
}

/** Returns the actor of whoever has a one-time link of a person. */
export function linkActor(
  { personId, name }: { personId: string; name: string },
  { address, requestId }: Origin,
): Actor {
  return { kind: 'link', id: personId, ownName: null, name, address, requestId }
}

export function programActor(name: string): Actor {
  return { kind: 'program', id: null, ownName: null, name, address: null, requestId: null }
}

/** Returns the id as it is shown, with the prefix of its kind; null for a record that has none. */
export function formatActorId(kind: string | null, id: string | null): string | null {
  if (id === null) return null
  return formatId(kind === 'person' || kind === 'link' ? 'per' : 'key', id)
}

export interface AuditRecord extends Pick<Actor, 'address' | 'requestId'> {
  readonly id: string
  readonly actor: string
  readonly actorKind: ActorKind
  readonly actorId: string | null
  readonly actorName: string | null
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
    actorKind: actor.kind,
    actorId: actor.id,
    actorName: actor.ownName,
    action: what.action,
    object: what.object ?? null,
    details: what.details ?? {},
    address: actor.address,
    requestId: actor.requestId,
    createdAt,
  }
}
