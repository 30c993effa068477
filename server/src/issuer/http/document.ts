// The OpenAPI document of the issuer protocol: the calls that an issuer answers, and the events that it sends.
import { toOpenApi } from '../../http/openapi/document.ts'
import { issuerEventRoutes } from './events.ts'
import { protocolRoutes } from './routes.ts'

/** Routes are only listed here, never called. */
const inert = {} as never
const NO_EXAMPLES = { operations: {}, errors: {}, events: {} }

export function makeIssuerDocument(): Record<string, unknown> {
  const document = toOpenApi(
    [...protocolRoutes(inert, inert), ...issuerEventRoutes(inert)],
    {
      title: 'Cardstock issuer protocol',
      version: '1.1.0',
      description:
        'The protocol between Cardstock and a live issuer. The issuer answers the calls under `/v1`; the server answers `/issuer/v1/events`. Every message is signed; [the guide](/docs/issuer-protocol) explains how.',
      tags: [{ name: 'issuer', description: 'Requests of the server to the issuer, and events of the issuer.' }],
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'Issuer-Signature',
          description:
            '`t=<unix seconds>,v1=<hex>`: the HMAC-SHA-256 of the message. [The guide](/docs/issuer-protocol#signatures) says of what.',
        },
      },
    },
    NO_EXAMPLES,
  )
  return { ...document, security: [{ signature: [] }] }
}
