// Webhook endpoints, events and attempts on the wire.
import { type Static, Type } from 'typebox'
import { ALL_EVENTS, EVENT_TYPES } from '../events/catalogue.ts'
import { EnvironmentSchema, instantQuery, nullable, object, pageQuery, Timestamp } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import type { AttemptRow, EndpointRow } from './queries.ts'

/** What servers and proxies take without complaint. */
const URL_LENGTH_MAX = 2048
const DESCRIPTION_LENGTH_MAX = 255
/** CONTRACT 10: default 24 h; as long as that of an API key at most. */
export const OVERLAP_DEFAULT_S = 86_400
const OVERLAP_MAX_S = 604_800

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const

const Url = Type.String({ minLength: 1, maxLength: URL_LENGTH_MAX, description: 'an https:// address' })
const Events = Type.Array(Type.Enum([ALL_EVENTS, ...EVENT_TYPES]), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  description: 'a list of event types, or ["*"] for all',
})
const Description = Type.String({
  maxLength: DESCRIPTION_LENGTH_MAX,
  description: `a text of up to ${DESCRIPTION_LENGTH_MAX} characters`,
})

const endpointFields = {
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: nullable(Type.String()),
  status: Type.Enum([...ENDPOINT_STATUSES]),
  disabledReason: nullable(
    Type.String({ description: 'request, gone (the receiver answered 410) or failures (five days of nothing else)' }),
  ),
  health: object({
    lastSuccessAt: nullable(Timestamp),
    failingSince: nullable(Timestamp),
    failures: Type.Integer({ description: 'in a row, since the last success' }),
  }),
  environment: EnvironmentSchema,
  createdAt: Timestamp,
}

export const Endpoint = object(endpointFields, 'WebhookEndpoint')
export const EndpointWithSecret = object(
  { ...endpointFields, secret: Type.String({ description: 'signs the deliveries; shown only here' }) },
  'WebhookEndpointWithSecret',
)

export const NewEndpoint = object({
  url: Url,
  events: Type.Optional(Events),
  description: Type.Optional(Description),
})
export const EndpointChange = object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  description: Type.Optional(Description),
  status: Type.Optional(Type.Enum([...ENDPOINT_STATUSES])),
})
export type EndpointChange = Static<typeof EndpointChange>

export const SecretRotation = object({
  overlapSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_MAX_S,
      description: `a whole number of seconds from 0 to ${OVERLAP_MAX_S}`,
    }),
  ),
})

export const Recovery = object({ since: Type.Optional(instantQuery) })
export const RecoveryStarted = object({ since: Timestamp }, 'WebhookRecovery')

export const Event = object(
  {
    id: Type.String(),
    type: Type.Enum([...EVENT_TYPES]),
    createdAt: Timestamp,
    environment: EnvironmentSchema,
    companyId: Type.String(),
    version: Type.String(),
    sequence: Type.Integer({ description: 'grows by one with each event of the same object' }),
    data: Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: 'the object as it was' }),
  },
  'Event',
)

export const EventQuery = object({
  ...pageQuery,
  type: Type.Optional(Type.Enum([...EVENT_TYPES])),
  from: Type.Optional(instantQuery),
  to: Type.Optional(instantQuery),
})

export const Attempt = object(
  {
    id: Type.String(),
    eventId: Type.String(),
    endpointId: Type.String(),
    number: Type.Integer(),
    succeeded: Type.Boolean(),
    statusCode: nullable(Type.Integer()),
    error: nullable(Type.String()),
    latencyMs: Type.Integer(),
    response: nullable(Type.String({ description: 'the first kilobyte of the answer' })),
    createdAt: Timestamp,
  },
  'WebhookAttempt',
)

export const Resend = object({ endpointId: Type.Optional(Type.String({ maxLength: 100 })) })
export const Resent = object({ deliveries: Type.Integer({ description: 'to how many endpoints' }) }, 'EventResend')

/** The database's webhook_endpoint_json says the same. */
export function toEndpoint(row: EndpointRow): Static<typeof Endpoint> {
  return {
    id: formatId('we', row.id),
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    health: {
      lastSuccessAt: row.last_success_at?.toISOString() ?? null,
      failingSince: row.failing_since?.toISOString() ?? null,
      failures: row.failures,
    },
    environment: row.environment,
    createdAt: row.created_at.toISOString(),
  }
}

export function toAttempt(row: AttemptRow): Static<typeof Attempt> {
  return {
    id: formatId('att', row.id),
    eventId: formatId('evt', row.event_id),
    endpointId: formatId('we', row.endpoint_id),
    number: row.number,
    succeeded: row.status_code !== null && row.status_code >= 200 && row.status_code < 300,
    statusCode: row.status_code,
    error: row.error,
    latencyMs: row.latency_ms,
    response: row.response,
    createdAt: row.started_at.toISOString(),
  }
}
