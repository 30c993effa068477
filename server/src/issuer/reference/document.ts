// The OpenAPI document of the issuer protocol: the calls that an issuer answers, and the events that it sends.
import { toOpenApi } from '../../http/openapi.ts'
import { issuerEventRoutes } from '../http/events.ts'
import { protocolRoutes } from './protocol-routes.ts'

/** Routes are only listed here, never called. */
const inert = {} as never

export function makeIssuerDocument(): Record<string, unknown> {
  const document = toOpenApi([...protocolRoutes(inert), ...issuerEventRoutes(inert)])
  return {
    ...document,
    info: {
      title: 'Cardstock issuer protocol',
      version: '1.0.0',
      description:
        'What a live issuer speaks: /v1 is answered by the issuer, /issuer/v1/events by the server. Every message is signed; see docs/issuer-protocol.md.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    components: {
      ...(document['components'] as object),
      securitySchemes: {
        signature: { type: 'apiKey', in: 'header', name: 'Issuer-Signature', description: 't=<unix seconds>,v1=<hex>' },
      },
    },
    security: [{ signature: [] }],
  }
}
