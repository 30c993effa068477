// One route as an OpenAPI operation.
import type { TSchema } from 'typebox'
import type { Access, Route } from '../route.ts'
import { type Components, toSchema } from './components.ts'
import { type Examples, jsonExample } from './examples.ts'
import { successHeaders } from './headers.ts'
import type { Json } from './json.ts'
import { documentedRefusals } from './refusals.ts'
import { refusalReferences } from './responses.ts'

export interface OperationContext {
  readonly components: Components
  readonly examples: Examples
  /** Finds the route that reads what a route created. */
  findReader(route: Route): Route | undefined
}

const SUCCESS_DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'The request was carried out.',
  201: 'The object was created. A repeated request with the same `Idempotency-Key`, where the call takes one, gets the same answer.',
  202: 'The request was accepted and is carried out shortly.',
  204: 'The request was carried out. There is no body.',
  304: 'What you have, as named in `If-None-Match`, is still current.',
}

export function toOperation(route: Route, context: OperationContext): Json {
  const { components, examples } = context
  const description = [route.description, describeAccess(route.access)].filter((text) => text !== '').join('\n\n')
  return {
    operationId: route.id,
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    tags: [route.tag],
    security: securityOf(route.access),
    parameters: toParameters(route, context),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: isBodyRequired(route.body),
            content: {
              'application/json': {
                schema: toSchema(route.body, components),
                ...jsonExample(examples.operations[route.id]?.requests),
              },
            },
          },
        }),
    responses: { ...successResponses(route, context), ...refusalReferences(route) },
    'x-error-codes': documentedRefusals(route),
  }
}

/** A body whose fields are all optional may be left out. */
function isBodyRequired(body: TSchema): boolean {
  const { required, oneOf } = body as { required?: string[]; oneOf?: unknown[] }
  return oneOf !== undefined || (required ?? []).length > 0
}

/** The console makes a company's calls with a session too. Generators would take that for a second way to sign in a program. */
function securityOf(access: Access): Json[] {
  if (access.by === 'anyone') return []
  if (access.by === 'operator') return [{ operatorToken: [] }, { session: [] }]
  return [access.by === 'company' ? { apiKey: [] } : { session: [] }]
}

function describeAccess(access: Access): string {
  if (access.by === 'member') {
    const rights = access.anyOf.map((right) => `\`${right}\``).join(' or ')
    return `Only people may make this call. Their role in the company must include ${rights}.`
  }
  if (access.by !== 'company') return ''
  const scopes = access.anyOf.map((scope) => `\`${scope}\``).join(' or ')
  return [
    access.anyOf.length === 0 ? 'Any API key may make this call.' : `The key needs the scope ${scopes}.`,
    ...(access.sandboxOnly === true ? ['This call exists in the sandbox only.'] : []),
  ].join(' ')
}

function toParameters(route: Route, { components, examples }: OperationContext): Json[] {
  const values = examples.operations[route.id]?.parameters ?? {}
  const parameters = [
    ...propertiesOf(route.params, 'path', components),
    ...propertiesOf(route.query, 'query', components),
    ...(route.idempotent === true ? [IDEMPOTENCY_KEY] : []),
  ]
  return parameters.map((parameter) => {
    const value = values[String(parameter['name'])]
    if (value === undefined) return parameter
    const isNumber = (parameter['schema'] as Json)['type'] === 'integer'
    return { ...parameter, example: isNumber ? Number(value) : value }
  })
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'A value that you choose for this request, such as a UUID: 1 to 128 visible ASCII characters. Send the same key with the same body again after a lost answer; nothing is done twice.',
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[!-~]+$' },
}

function propertiesOf(schema: TSchema | undefined, place: 'path' | 'query', components: Components): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = toSchema(property, components) as Json
    return {
      name,
      in: place,
      // Absent means false.
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function successResponses(route: Route, context: OperationContext): Json {
  const responses: Json = {}
  for (const [status, schema] of Object.entries(route.responses)) {
    const links = status === '201' ? linksOf(route, context) : undefined
    responses[status] = {
      description: SUCCESS_DESCRIPTIONS[Number(status)] ?? 'The request was carried out.',
      headers: successHeaders(route, Number(status)),
      ...(schema === null ? {} : { content: successContent(route, schema, status, context) }),
      ...(links === undefined ? {} : { links }),
    }
  }
  return responses
}

function successContent(route: Route, schema: TSchema, status: string, context: OperationContext): Json {
  const { components, examples } = context
  const answers = examples.operations[route.id]?.responses[status]
  const { contentMediaType } = schema as { contentMediaType?: string }
  if (contentMediaType !== undefined) {
    return { [contentMediaType]: { schema: { type: 'string' }, ...jsonExample(answers) } }
  }
  const others = (route.alsoAs ?? []).map((type) => [type, { schema: documentSchema(type) }])
  return {
    'application/json': { schema: toSchema(schema, components), ...jsonExample(answers) },
    ...(Object.fromEntries(others) as Json),
  }
}

/** Generators give text as a string, and everything else as bytes if its format is binary. */
function documentSchema(type: string): Json {
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }
}

/** From what was created to the call that reads it. */
function linksOf(route: Route, { findReader }: OperationContext): Json | undefined {
  const reader = findReader(route)
  if (reader === undefined) return undefined
  return {
    [reader.id]: {
      operationId: reader.id,
      parameters: { id: '$response.body#/id' },
      description: `Read it with \`GET ${reader.path.replace(':id', '{id}')}\`.`,
    },
  }
}
