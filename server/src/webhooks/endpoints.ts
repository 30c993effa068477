// Creates, changes and operates a company's webhook endpoints. A secret is in plain text only here and where it signs.
import type { Db } from '../db/pool.ts'
import { ALL_EVENTS, type EventRetention, oldestKept } from '../events/catalogue.ts'
import { findEvent } from '../events/queries.ts'
import type { EventRow } from '../events/render.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import { parseInstant } from '../http/instant.ts'
import type { Clock } from '../lib/clock.ts'
import { firstIdAt, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import * as queries from './queries.ts'
import type { EndpointChange } from './schema.ts'
import { makeSecret, type SecretBox } from './secrets.ts'
import { requireUrl, type UrlRules } from './url.ts'

/** The limit per company and environment. */
const ENDPOINTS_MAX = 10

export interface EndpointDeps {
  db: Db
  clock: Clock
  secretBox: SecretBox
  urlRules: UrlRules
}

export interface EndpointWithSecret {
  endpoint: queries.EndpointRow
  secret: string
}

export async function createEndpoint(
  { db, clock, secretBox, urlRules }: EndpointDeps,
  scope: Scope,
  wanted: { url: string; events?: readonly string[]; description?: string },
): Promise<EndpointWithSecret> {
  const now = clock.now()
  const id = newId(now)
  const secret = makeSecret()
  const place = { scope, endpointId: id, id: newId(now) }
  const { made } = must(
    await queries.createEndpoint(db, scope, now, {
      id,
      url: requireUrl(wanted.url, scope.environment, urlRules),
      events: normalEvents(wanted.events ?? [ALL_EVENTS]),
      description: wanted.description === '' ? null : (wanted.description ?? null),
      secret: { id: place.id, ...secretBox.encrypt(place, secret) },
      limit: ENDPOINTS_MAX,
    }),
  )
  if (!made) {
    throw new ApiError(
      'webhook_endpoint_limit',
      `This company already has ${ENDPOINTS_MAX} webhook endpoints, which is the maximum. Delete or change one of them.`,
      { details: { limit: ENDPOINTS_MAX } },
    )
  }
  return { endpoint: await getEndpoint(db, scope, id), secret }
}

/** Reduces a list with `*` to `*` alone, and removes duplicates. */
function normalEvents(events: readonly string[]): string[] {
  return events.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(events)]
}

export async function getEndpoint(db: Db, scope: Scope, id: string): Promise<queries.EndpointRow> {
  return requireFound(await queries.findEndpoint(db, scope, id))
}

export async function changeEndpoint(
  { db, clock, urlRules }: EndpointDeps,
  scope: Scope,
  id: string,
  change: EndpointChange,
): Promise<queries.EndpointRow> {
  // The object is checked before the body: another company's endpoint is not found, whatever the body says.
  await getEndpoint(db, scope, id)
  const { found } = must(
    await queries.updateEndpoint(db, scope, id, clock.now(), {
      ...change,
      ...(change.url === undefined ? {} : { url: requireUrl(change.url, scope.environment, urlRules) }),
      ...(change.events === undefined ? {} : { events: normalEvents(change.events) as typeof change.events }),
    }),
  )
  if (!found) throw notFound()
  return getEndpoint(db, scope, id)
}

export async function deleteEndpoint({ db }: Pick<EndpointDeps, 'db'>, scope: Scope, id: string): Promise<void> {
  if ((await queries.deleteEndpoint(db, scope, id))?.deleted !== true) throw notFound()
}

export async function rotateSecret(
  { db, clock, secretBox }: EndpointDeps,
  scope: Scope,
  endpointId: string,
  overlapSeconds: number,
): Promise<EndpointWithSecret> {
  const now = clock.now()
  const secret = makeSecret()
  const place = { scope, endpointId, id: newId(now) }
  const { rotated } = must(
    await queries.rotateSecret(db, scope, endpointId, now, {
      secret: { id: place.id, ...secretBox.encrypt(place, secret) },
      oldUntil: new Date(now.getTime() + overlapSeconds * 1000),
    }),
  )
  if (!rotated) throw notFound()
  return { endpoint: await getEndpoint(db, scope, endpointId), secret }
}

/** Emits a ping to this endpoint alone and returns its event. */
export async function pingEndpoint(
  { db, clock }: Pick<EndpointDeps, 'db' | 'clock'>,
  scope: Scope,
  id: string,
): Promise<EventRow> {
  await getEndpoint(db, scope, id)
  const now = clock.now()
  const { event_id: eventId } = must(await queries.pingEndpoint(db, scope, id, now))
  if (eventId === null) throw disabled()
  return must(await findEvent(db, scope, eventId, now))
}

/** Starts a recovery and returns the time it begins from. A job makes everything since then due that is not acknowledged. */
export async function recoverEndpoint(
  { db, clock, retention }: Pick<EndpointDeps, 'db' | 'clock'> & { retention: EventRetention },
  scope: Scope,
  id: string,
  since: string | undefined,
): Promise<Date> {
  const asked = since === undefined ? null : parseInstant('body.since', since).start
  const endpoint = await getEndpoint(db, scope, id)
  if (endpoint.status === 'disabled') throw disabled()
  const now = clock.now()
  const oldest = oldestKept(now, retention)
  const wanted = asked ?? endpoint.created_at
  const from = wanted > oldest ? wanted : oldest
  const until = firstIdAt(new Date(now.getTime() + 1))
  await queries.startRecovery(db, scope, id, { after: firstIdAt(from), until })
  return from
}

function disabled(): ApiError {
  return new ApiError('webhook_endpoint_disabled', 'This webhook endpoint is disabled. Enable it first (PATCH status).')
}
