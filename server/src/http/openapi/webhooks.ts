// The `webhooks` section: one entry per event type, with the type of its data.
import type { TSchema } from 'typebox'
import { type Components, toSchema } from './components.ts'
import { type Examples, jsonExample } from './examples.ts'
import type { Json } from './json.ts'

/** What is sent for a type of event, and when. */
export interface EventText {
  readonly description: string
  /** The title of a schema, which becomes the type of `data`. */
  readonly data: TSchema
}

export type EventTexts = Readonly<Record<string, EventText>>

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

/** Written out with every event, and so without examples: openapi-generator takes references to them for duplicates of each other. */
const SIGNATURE_HEADERS: readonly Json[] = [
  header(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `t`, a full stop and the raw body, keyed with the endpoint’s secret. During a rotation there are several `v1`.',
  ),
  header('webhook-id', 'The id of the event, the same on every attempt.'),
  header('webhook-timestamp', 'When this attempt was signed, in seconds since 1970.'),
  header('webhook-signature', 'The signature in the form of Standard Webhooks: `v1,<Base64>`.'),
]

/** What a receiver answers, whichever the event. */
export const RECEIVER_RESPONSES: Json = {
  EventReceived: { description: 'The event was received. Any other answer is a failure, and the event is sent again.' },
  ReceiverGone: { description: 'The receiver is gone for good. The endpoint is disabled.' },
}

/** Returns the path item of each type of event. */
export function toWebhooks(texts: EventTexts, examples: Examples): Json {
  const webhooks: Json = {}
  for (const [type, { description, data }] of Object.entries(texts)) {
    const example = examples.events[type]
    webhooks[type] = {
      post: {
        operationId: `on${toWords(type)}`,
        summary: type,
        description,
        tags: ['webhooks'],
        security: [],
        parameters: SIGNATURE_HEADERS,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: referenceOf(data) },
              ...jsonExample(example === undefined ? undefined : { [type]: example }),
            },
          },
        },
        responses: {
          '2XX': { $ref: '#/components/responses/EventReceived' },
          '410': { $ref: '#/components/responses/ReceiverGone' },
        },
      },
    }
  }
  return webhooks
}

/**
 * Replaces the schema of an event by a union of one schema for each type of `data`, such as `CardEvent`. Each lists all of its
 * properties, because generators for Python drop or merge wrongly what an `allOf` puts together.
 */
export function defineEvents(texts: EventTexts, components: Components): void {
  const envelope = components['Event'] as { properties: Record<string, Json> } | undefined
  if (envelope === undefined) throw new Error('No route answers with an Event.')
  const mapping = Object.entries(texts).map(([type, { data }]) => [type, referenceOf(data)] as const)
  const schemas = new Map(Object.values(texts).map(({ data }) => [referenceOf(data), data]))
  for (const [reference, data] of schemas) {
    const types = mapping.filter(([, each]) => each === reference).map(([type]) => type)
    components[reference.slice(SCHEMAS.length)] = {
      ...envelope,
      description: `An event about \`${titleOf(data)}\`.`,
      properties: {
        ...envelope.properties,
        type: { ...envelope.properties['type'], enum: types },
        data: toSchema(data, components),
      },
    }
  }
  components['Event'] = {
    description:
      'Something that happened to an object of the company. `type` says what, and decides the type of `data`.',
    oneOf: [...schemas.keys()].map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  }
}

const SCHEMAS = '#/components/schemas/'

function titleOf(schema: TSchema): string {
  return (schema as { title?: string }).title ?? ''
}

/** Returns where the schema of the events with such data is. */
function referenceOf(data: TSchema): string {
  return `${SCHEMAS}${titleOf(data)}Event`
}

/** operation.manual_review → OperationManualReview */
function toWords(type: string): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
