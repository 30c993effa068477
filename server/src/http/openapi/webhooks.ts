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

const SIGNATURE_HEADERS: Json[] = [
  {
    name: 'Service-Signature',
    in: 'header',
    required: true,
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA-256 of `t`, a full stop and the raw body, keyed with the endpoint’s secret. During a rotation there are several `v1`.',
    schema: { type: 'string' },
    example: 't=1773144000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
  {
    name: 'webhook-id',
    in: 'header',
    required: true,
    description: 'The id of the event, the same on every attempt. Use it to recognise an event that you already have.',
    schema: { type: 'string' },
    example: 'evt_6L3wGuXmqTQ1pMZzN8aVbC',
  },
  {
    name: 'webhook-timestamp',
    in: 'header',
    required: true,
    description: 'When this attempt was signed, in seconds since 1970.',
    schema: { type: 'string' },
    example: '1773144000',
  },
  {
    name: 'webhook-signature',
    in: 'header',
    required: true,
    description: 'The signature in the form of Standard Webhooks: `v1,<Base64>`.',
    schema: { type: 'string' },
    example: 'v1,UleoaefsvtoyryvmLNyj+lHK1+d6DlblU20M6OEI2L0=',
  },
]

/** Returns the path item of each type of event. */
export function toWebhooks(texts: EventTexts, examples: Examples): Json {
  const webhooks: Json = {}
  for (const [type, { description }] of Object.entries(texts)) {
    const name = variantName(type)
    const example = examples.events[type]
    webhooks[type] = {
      post: {
        operationId: `on${name.replace(/Event$/, '')}`,
        summary: type,
        description,
        tags: ['webhooks'],
        security: [],
        parameters: SIGNATURE_HEADERS,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${name}` },
              ...jsonExample(example === undefined ? undefined : { [type]: example }),
            },
          },
        },
        responses: {
          '2XX': { description: 'The event was received. Any other answer is a failure, and the event is sent again.' },
          '410': { description: 'The receiver is gone for good. The endpoint is disabled.' },
        },
      },
    }
  }
  return webhooks
}

/**
 * Replaces the schema of an event by a union of its types, each with its own type of data. What all events have in common
 * stays one schema, `EventEnvelope`.
 */
export function defineEvents(texts: EventTexts, components: Components): void {
  const envelope = components['Event']
  if (envelope === undefined) throw new Error('No route answers with an Event.')
  components['EventEnvelope'] = { ...envelope, description: 'What all events have in common.' }
  const names = Object.entries(texts).map(([type, { description, data }]) => {
    const name = variantName(type)
    const own = {
      type: { type: 'string', const: type, description: 'The type of the event.' },
      data: toSchema(data, components),
    }
    components[name] = {
      description,
      allOf: [
        { $ref: '#/components/schemas/EventEnvelope' },
        { type: 'object', required: ['type', 'data'], properties: own },
      ],
    }
    return { type, reference: `#/components/schemas/${name}` }
  })
  components['Event'] = {
    description:
      'Something that happened to an object of the company. `type` says what, and decides the type of `data`.',
    oneOf: names.map(({ reference }) => ({ $ref: reference })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(names.map(({ type, reference }) => [type, reference])),
    },
  }
}

/** operation.manual_review → OperationManualReviewEvent */
function variantName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}
