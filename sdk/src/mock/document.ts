// Reads the parts of the OpenAPI document that a mock needs: routes, examples of answers, of errors and of events.
import type { Schema, Schemas } from './validate.ts'

/** @internal */
export type Examples = Readonly<Record<string, { readonly value: unknown }>>

/** @internal */
export interface Content {
  readonly schema?: Schema
  readonly examples?: Examples
}

/** @internal */
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

/** @internal */
export interface Endpoint {
  readonly parameters?: readonly Parameter[]
  readonly security?: readonly unknown[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
  readonly 'x-error-codes'?: readonly string[]
}

/** @internal */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>
  readonly components: {
    readonly schemas: Schemas
    readonly examples: Examples
    readonly pathItems: Readonly<Record<string, { readonly post?: Endpoint }>>
  }
}

/** @internal */
export interface Match {
  /** The route as the document writes it, such as `GET /api/v1/cards/{id}`. */
  readonly route: string
  readonly endpoint: Endpoint
  readonly params: Readonly<Record<string, string>>
}

/**
 * Returns the route of a request. A fixed segment wins over a parameter: `/transactions/totals` is not a transaction.
 * @internal
 */
export function findMatch({ paths }: OpenApi, method: string, path: string): Match | undefined {
  const segments = path.split('/')
  const matches = Object.entries(paths).flatMap(([template, methods]) => {
    const endpoint = methods[method.toLowerCase()]
    const params = endpoint === undefined ? undefined : fit(template.split('/'), segments)
    return endpoint === undefined || params === undefined ? [] : [{ route: `${method} ${template}`, endpoint, params }]
  })
  return matches.toSorted((a, b) => Object.keys(a.params).length - Object.keys(b.params).length)[0]
}

function fit(template: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (template.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of template.entries()) {
    const segment = segments[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined ? part !== segment : segment === '') return undefined
    if (name !== undefined) params[name] = segment
  }
  return params
}

/**
 * Returns an answer with the data of the example that fits the request best, of those with the media type that it accepts.
 * @internal
 */
export function chooseExample(
  { endpoint, params }: Match,
  request: { readonly accept: string; readonly body: unknown },
  name?: string,
): { status: number; type: string; value: unknown } | undefined {
  const answers = Object.entries(endpoint.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content = {} }]) =>
      Object.entries(content).flatMap(([type, { examples = {} }]) =>
        Object.entries(examples).map(([key, { value }]) => ({ status: Number(status), type, key, value })),
      ),
    )
  if (name !== undefined) return answers.find(({ key }) => key === name)
  const accepted = answers.filter(({ type }) => request.accept.includes(type) || request.accept.includes('*/*'))
  const asked = endpoint.requestBody?.content['application/json']?.examples ?? {}
  const scored = accepted.map((answer) => ({
    answer,
    score: countEqual(asked[answer.key]?.value, request.body) + countEqual(answer.value, params),
  }))
  return scored.toSorted((a, b) => b.score - a.score)[0]?.answer
}

/** How many fields of two objects have the same text. */
function countEqual(one: unknown, other: unknown): number {
  const fields = Object.entries(other ?? {})
  return fields.filter(([name, value]) => (one as Record<string, unknown> | undefined)?.[name] === value).length
}
