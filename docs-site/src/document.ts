// The OpenAPI documents as the pages read them: only the parts that are shown.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> }
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: string | number
}

export interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
  readonly content?: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response | Reference>>
  /** The codes that the call can refuse with. */
  readonly 'x-error-codes': readonly string[]
}

export interface Reference {
  readonly $ref: string
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly $ref: string }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly headers?: Readonly<Record<string, { readonly description: string }>>
    readonly pathItems?: Readonly<Record<string, { readonly post: Operation }>>
  }
}

/** One call: an operation with its method and path. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export const JSON_TYPE = 'application/json'

export function listCalls({ paths }: Document): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** The types of events, each with the operation that delivers it. */
export function listEvents({ webhooks = {}, components }: Document): [type: string, operation: Operation][] {
  return Object.entries(webhooks).flatMap(([type, reference]) => {
    const item = components.pathItems?.[referenceOf(reference) ?? '']
    return item === undefined ? [] : [[type, item.post]]
  })
}

/** The name of the component that a schema refers to. */
export function referenceOf({ $ref }: Pick<Schema, '$ref'>): string | undefined {
  return $ref?.split('/').at(-1)
}

/** The schema itself, or the component that it refers to. What is said at the reference goes before the component's text. */
export function resolve(schema: Schema, { components }: Document): Schema {
  const name = referenceOf(schema)
  const found = name === undefined ? undefined : components.schemas[name]
  if (found === undefined) return schema
  return schema.description === undefined ? found : { ...found, description: schema.description }
}

/** All properties of an object, those of the parts of an `allOf` included. A later part replaces an earlier one's. */
export function flatten(schema: Schema, document: Document): Schema {
  const resolved = resolve(schema, document)
  if (resolved.allOf === undefined) return resolved
  const parts = resolved.allOf.map((part) => flatten(part, document))
  return {
    type: 'object',
    ...(resolved.description === undefined ? {} : { description: resolved.description }),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
    required: [...new Set(parts.flatMap(({ required = [] }) => required))],
  }
}

/** The successes of an operation, by status. */
export function successesOf({ responses }: Operation): [status: string, response: Response][] {
  return Object.entries(responses).filter((entry): entry is [string, Response] => entry[0].startsWith('2'))
}

/** The refusals of an operation, by status. All of them are shared responses. */
export function refusalsOf({ responses }: Operation, { components }: Document): [status: string, response: Response][] {
  return Object.entries(responses).flatMap(([status, response]) => {
    const shared = '$ref' in response ? components.responses[referenceOf(response) ?? ''] : undefined
    return shared === undefined ? [] : [[status, shared]]
  })
}

export function firstExample(media: Media | undefined): unknown {
  return Object.values(media?.examples ?? {})[0]?.value
}
