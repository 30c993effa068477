// The OpenAPI 3.1 document, made from the same routes and schemas that validate and serialise.
import type { TSchema } from 'typebox'
import type { Access, Route } from './route.ts'

type Json = Record<string, unknown>

/** SPEC: "The interface description carries version 1.1.0." */
export const API_VERSION = '1.1.0'

const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['statusCode', 'message', 'code', 'requestId'],
  properties: {
    statusCode: { type: 'integer' },
    message: { type: 'string', description: 'for people; says what to do next' },
    code: { type: 'string', description: 'stable; see docs/errors.md' },
    requestId: { type: 'string' },
    details: { type: 'object' },
  },
}

export function toOpenApi(routes: readonly Route[]): Json {
  const components: Record<string, Json> = { Error: ERROR_SCHEMA }
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cardstock',
      version: API_VERSION,
      description:
        'Issue and top up cards, order services, fund the card account, and read balances, cards, holders and transactions.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: cstk_sandbox_… or cstk_live_…' },
        operatorToken: { type: 'http', scheme: 'bearer', description: 'The operator token: cstk_operator_…' },
      },
    },
  }
}

function toOperation(route: Route, components: Record<string, Json>): Json {
  const errors = ['400', '401', '403', '404', '429', ...(route.idempotent === true ? ['409'] : [])]
  const responses: Json = {}
  for (const [status, schema] of Object.entries(route.responses)) {
    responses[status] = {
      description: 'Success',
      ...(schema === null ? {} : successContent(route, hoist(schema, components))),
    }
  }
  if (route.access.by !== 'anyone') {
    for (const status of errors)
      responses[status] = { description: 'Refused', ...jsonContent({ $ref: '#/components/schemas/Error' }) }
  }
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [route.tag],
    ...describeAccess(route.access),
    parameters: toParameters(route),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, ...jsonContent(hoist(route.body, components)) } }),
    responses,
  }
}

function describeAccess(access: Access): Json {
  if (access.by === 'anyone') return { security: [] }
  if (access.by === 'operator') return { security: [{ operatorToken: [] }] }
  const scopes = access.anyOf.length === 0 ? 'any key' : access.anyOf.join(' or ')
  const sandbox = access.sandboxOnly === true ? ' Sandbox only.' : ''
  return { security: [{ apiKey: [] }], description: `Permission: ${scopes}.${sandbox}` }
}

function toParameters(route: Route): Json[] {
  const parameters = [...propertiesOf(route.params, 'path'), ...propertiesOf(route.query, 'query')]
  if (route.idempotent === true) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 128 },
    })
  }
  return parameters
}

function propertiesOf(schema: TSchema | undefined, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }))
}

function successContent({ alsoAs = [] }: Route, schema: unknown): Json {
  const others = alsoAs.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }])
  return { content: { 'application/json': { schema }, ...(Object.fromEntries(others) as Json) } }
}

function jsonContent(schema: unknown): Json {
  return { content: { 'application/json': { schema } } }
}

/** Schemas with a title become shared components, wherever they stand. */
function hoist(schema: unknown, components: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (typeof schema !== 'object' || schema === null) return schema
  const { title, ...rest } = schema as { title?: unknown }
  const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, hoist(value, components)]))
  if (typeof title !== 'string') return plain
  components[title] = plain
  return { $ref: `#/components/schemas/${title}` }
}

/** GET /api/v1/cards/:id → getCardsById */
function operationId(route: Route): string {
  const words = route.path.replace(/^\/(api|admin)\/v1/, route.path.startsWith('/admin') ? '/admin' : '')
  const parts = words.split(/[/.-]/).filter((part) => part !== '')
  const name = parts.map((part) => (part.startsWith(':') ? `By${capital(part.slice(1))}` : capital(part)))
  return route.method.toLowerCase() + name.join('')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
