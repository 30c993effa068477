// Webhook endpoints, events and attempts on the wire.
import { type Static, Type } from 'typebox'
import { ALL_EVENTS, EVENT_TYPES } from '../events/catalogue.ts'
import {
  EnvironmentSchema,
  field,
  INSTANT_NOTE,
  instantQuery,
  nullable,
  object,
  PRINTABLE_PATTERN,
  printableText,
  Timestamp,
} from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'
import type { AttemptRow, EndpointRow } from './queries.ts'

/** The longest URL that servers and proxies commonly accept. */
const URL_LENGTH_MAX = 2048
/** Room for a sentence. */
const DESCRIPTION_LENGTH_MAX = 255

/** 24 hours by default, and at most as long as the overlap of an API key. */
export const OVERLAP_DEFAULT_S = 86_400
const OVERLAP_MAX_S = 604_800
export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const

const Url = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  format: 'uri',
  pattern: PRINTABLE_PATTERN,
  hint: 'an https:// address',
  description:
    'Where events are sent: an `https://` address that is publicly reachable. The sandbox also takes `http://`, and a server that only its own machine can reach takes addresses of that machine.',
})

const Events = Type.Array(Type.Enum([ALL_EVENTS, ...EVENT_TYPES]), {
  minItems: 1,
  maxItems: EVENT_TYPES.length,
  hint: 'a list of event types, or ["*"] for all',
  description: 'The types of events to send, or `["*"]` for all types, including those that are added later.',
})

const Description = field(printableText(DESCRIPTION_LENGTH_MAX, 'a text'), 'A note for you.')

const Health = object(
  {
    lastSuccessAt: nullable(field(Timestamp, 'When a delivery last succeeded.')),
    failingSince: nullable(field(Timestamp, 'Since when every delivery has failed. Null when the last one succeeded.')),
    failures: field(Type.Integer(), 'How many attempts have failed in a row.'),
  },
  'WebhookHealth',
  'How well deliveries to the endpoint have gone.',
)

const endpointFields = {
  id: field(Type.String(), 'The id of the endpoint, `we_…`.'),
  url: field(Type.String(), 'Where events are sent.'),
  events: field(Type.Array(Type.String()), 'The types of events that are sent, or `["*"]` for all.'),
  description: nullable(field(Type.String(), 'Your note.')),
  status: field(Type.Enum([...ENDPOINT_STATUSES]), 'A disabled endpoint gets no events.'),
  disabledReason: nullable(
    field(
      Type.String(),
      'Why the endpoint is disabled: `request` (you disabled it), `gone` (the receiver answered 410) or `failures` (every attempt of five days failed).',
    ),
  ),
  health: Health,
  environment: EnvironmentSchema,
  createdAt: field(Timestamp, 'When the endpoint was registered.'),
}

export const Endpoint = object(endpointFields, 'WebhookEndpoint', 'A URL that receives events.')

export const EndpointWithSecret = object(
  { ...endpointFields, secret: field(Type.String(), 'The secret that signs deliveries. It is shown only here.') },
  'WebhookEndpointWithSecret',
  'An endpoint with its new secret.',
)

export const NewEndpoint = object(
  { url: Url, events: Type.Optional(Events), description: Type.Optional(Description) },
  'WebhookEndpointCreate',
  'An endpoint to register. Without `events` it gets all of them.',
)

export const EndpointChange = object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    status: Type.Optional(field(Type.Enum([...ENDPOINT_STATUSES]), 'Disable or enable the endpoint.')),
  },
  'WebhookEndpointChange',
  'What to change. Fields that are left out stay as they are.',
)
export type EndpointChange = Static<typeof EndpointChange>

export const SecretRotation = object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_MAX_S,
        hint: `a whole number of seconds from 0 to ${OVERLAP_MAX_S}`,
        description:
          'For how long deliveries are signed with the old secret too. The default is 24 hours, the maximum 7 days.',
      }),
    ),
  },
  'WebhookSecretRotation',
  'How to replace the secret.',
)

export const Recovery = object(
  {
    since: Type.Optional(
      field(
        instantQuery,
        `The start of the recovery. The default is the time when the endpoint was registered. ${INSTANT_NOTE}`,
      ),
    ),
  },
  'WebhookRecoveryCreate',
  'Which events to recover.',
)

export const RecoveryStarted = object(
  { since: field(Timestamp, 'Every event since this time that was not acknowledged is sent.') },
  'WebhookRecovery',
  'A recovery that has begun.',
)

export const Attempt = object(
  {
    id: field(Type.String(), 'The id of the attempt, `att_…`.'),
    eventId: field(Type.String(), 'The event.'),
    endpointId: field(Type.String(), 'The endpoint.'),
    number: field(Type.Integer(), 'The number of the attempt. The first is 1.'),
    succeeded: field(Type.Boolean(), 'Whether the receiver answered with 2xx in time.'),
    statusCode: nullable(field(Type.Integer(), 'The status of the answer. Null when there was none.')),
    error: nullable(field(Type.String(), 'Why there was no answer. Null when there was one.')),
    latencyMs: field(Type.Integer(), 'How long the attempt took, in milliseconds.'),
    response: nullable(field(Type.String(), 'The first kilobyte of the answer.')),
    createdAt: field(Timestamp, 'When the attempt was made.'),
    nextAttemptAt: nullable(
      field(
        Timestamp,
        'When the event is sent to the endpoint again, at the earliest. Null when it was delivered or given up, and for all but the newest attempt.',
      ),
    ),
  },
  'WebhookAttempt',
  'One attempt to deliver an event to an endpoint.',
)

export const Resend = object(
  {
    endpointId: Type.Optional(
      field(
        Type.String({ maxLength: 100 }),
        'The only endpoint to send to. The default is every enabled endpoint that receives events of this type.',
      ),
    ),
  },
  'EventResendCreate',
  'Where to send the event again.',
)

export const Resent = object(
  { deliveries: field(Type.Integer(), 'To how many endpoints the event is sent.') },
  'EventResend',
  'An event that is sent again.',
)

/** webhook_endpoint_json writes the same object in the database. */
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
    nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  }
}
