// Reads the calls from the OpenAPI documents that a running server serves, so that a new call is tested automatically.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
  readonly security?: readonly Readonly<Record<string, unknown>>[]
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, unknown>>
}

export type By = 'key' | 'operator' | 'session' | 'issuer' | 'visitor' | 'anyone'

export interface Call {
  readonly id: string
  readonly method: string
  /** With parameters as `{name}`. */
  readonly path: string
  readonly by: By
  readonly query: readonly Parameter[]
  readonly needsIdempotencyKey: boolean
  readonly body: Schema | undefined
  /** Follows a reference of the call's document. */
  resolve(schema: Schema): Schema
  /** Whether the documents allow this body. */
  allows(body: unknown): boolean
  /** What is wrong with the body of a refusal, or undefined. */
  findUndocumented(status: number, body: unknown): string | undefined
}

const DOCUMENTS = ['/openapi.json', '/openapi-admin.json', '/openapi-console.json', '/issuer-openapi.json']
/** The issuer's document describes these calls to the server; the others are calls to an issuer. */
const ISSUER_PATHS = /^\/issuer\//

export async function readCalls(baseUrl: string): Promise<Call[]> {
  const calls: Call[] = []
  for (const address of DOCUMENTS) {
    const document = (await (await fetch(baseUrl + address)).json()) as OpenApi
    const isIssuer = address.startsWith('/issuer')
    for (const [path, methods] of Object.entries(document.paths)) {
      if (isIssuer && !ISSUER_PATHS.test(path)) continue
      for (const [method, operation] of Object.entries(methods)) calls.push(toCall(document, path, method, operation))
    }
  }
  return calls
}

function toCall(document: OpenApi, path: string, method: string, operation: Operation): Call {
  const { operationId, parameters = [], requestBody, responses } = operation
  const body = requestBody?.content['application/json']?.schema
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(lookUp(document, schema.$ref) as Schema)
  const isAllowed = body === undefined ? undefined : compiler(document)(body)
  const refusals = new Map<number, ValidateFunction | undefined>()
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    by: callerOf(path, operation),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    needsIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body,
    resolve,
    allows: (value) => isAllowed?.(value) !== false,
    findUndocumented(status, refusal) {
      if (!refusals.has(status)) {
        const response = responses[String(status)]
        const found = (response?.$ref === undefined ? response : lookUp(document, response.$ref)) as
          { content?: Content } | undefined
        const schema = found?.content?.['application/json']?.schema
        refusals.set(status, schema === undefined ? undefined : compiler(document)(schema))
      }
      const validate = refusals.get(status)
      if (validate === undefined) return `the status ${status} is not documented`
      return validate(refusal) ? undefined : JSON.stringify(validate.errors?.[0])
    },
  }
}

function callerOf(path: string, { security = [] }: Operation): By {
  const ways = new Set(security.flatMap((way) => Object.keys(way)))
  if (ways.has('apiKey')) return 'key'
  if (ways.has('operatorToken')) return 'operator'
  if (ways.has('session')) return 'session'
  if (ISSUER_PATHS.test(path)) return 'issuer'
  return path.startsWith('/console/') ? 'visitor' : 'anyone'
}

function lookUp(document: OpenApi, reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], document)
}

const compilers = new WeakMap<OpenApi, (schema: Schema) => ValidateFunction>()

/** An independent reading of the documents: formats are not checked, so that what it refuses is certainly wrong. */
function compiler(document: OpenApi): (schema: Schema) => ValidateFunction {
  const known = compilers.get(document)
  if (known !== undefined) return known
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })
  const made = (schema: Schema) => ajv.compile({ ...schema, components: document.components })
  compilers.set(document, made)
  return made
}
