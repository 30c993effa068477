// Checks a value against a schema of the OpenAPI document, with the keywords that the document uses. It names the first problem only.

/** @internal */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** @internal */
export interface Problem {
  /** The field, such as `recipient.email`; empty for the value as a whole. */
  readonly param: string
  readonly text: string
}

/** @internal */
export type Schemas = Readonly<Record<string, Schema>>

/**
 * Returns the first problem of the value, or undefined if there is none.
 * @internal
 */
export function findProblem(value: unknown, schema: Schema, schemas: Schemas, param = ''): Problem | undefined {
  if (schema.$ref !== undefined) return findProblem(value, resolve(schema.$ref, schemas), schemas, param)
  const problem = (text: string): Problem => ({ param, text })
  if (schema.oneOf ?? schema.anyOf) return findUnionProblem(value, schema, schemas, param)
  if (schema.const !== undefined && value !== schema.const) return problem(`must be ${JSON.stringify(schema.const)}`)
  if (schema.enum?.includes(value) === false) return problem(`must be one of ${schema.enum.join(', ')}`)
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isOfType(value, type)))
    return problem(`must be ${[schema.type].flat().join(' or ')}`)
  if (typeof value === 'string') return findTextProblem(value, schema, problem)
  if (typeof value === 'number') {
    const isInside = value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value)
    return isInside ? undefined : problem(`must be from ${schema.minimum ?? '…'} to ${schema.maximum ?? '…'}`)
  }
  if (Array.isArray(value)) return findListProblem(value, schema, schemas, param)
  return isRecord(value) ? findObjectProblem(value, schema, schemas, param) : undefined
}

function resolve(reference: string, schemas: Schemas): Schema {
  return schemas[reference.split('/').at(-1) ?? ''] ?? {}
}

function findUnionProblem(value: unknown, schema: Schema, schemas: Schemas, param: string): Problem | undefined {
  const { discriminator } = schema
  if (discriminator !== undefined) {
    const tag = isRecord(value) ? value[discriminator.propertyName] : undefined
    const reference = typeof tag === 'string' ? discriminator.mapping[tag] : undefined
    if (reference !== undefined) return findProblem(value, resolve(reference, schemas), schemas, param)
    const values = Object.keys(discriminator.mapping).join(', ')
    return { param: join(param, discriminator.propertyName), text: `must be one of ${values}` }
  }
  const problems = (schema.oneOf ?? schema.anyOf ?? []).map((each) => findProblem(value, each, schemas, param))
  return problems.includes(undefined) ? undefined : problems[0]
}

function findTextProblem(value: string, schema: Schema, problem: (text: string) => Problem): Problem | undefined {
  const { pattern, minLength = 0, maxLength = value.length } = schema
  if (value.length < minLength || value.length > maxLength)
    return problem(`must have ${minLength} to ${schema.maxLength ?? '…'} characters`)
  // The patterns are the server's own, which take linear time.
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return problem(`must match ${pattern}`)
  return undefined
}

function findListProblem(values: readonly unknown[], schema: Schema, schemas: Schemas, param: string) {
  const { items, minItems = 0, maxItems = values.length } = schema
  if (values.length < minItems || values.length > maxItems)
    return { param, text: `must have ${minItems} to ${schema.maxItems ?? '…'} items` }
  for (const [index, value] of values.entries()) {
    const problem = items === undefined ? undefined : findProblem(value, items, schemas, join(param, String(index)))
    if (problem !== undefined) return problem
  }
  return undefined
}

function findObjectProblem(value: Record<string, unknown>, schema: Schema, schemas: Schemas, param: string) {
  const { properties = {}, required = [], additionalProperties } = schema
  const missing = required.find((name) => value[name] === undefined)
  if (missing !== undefined) return { param: join(param, missing), text: 'is required' }
  for (const [name, each] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (known === undefined && additionalProperties === false)
      return { param: join(param, name), text: 'is not a known field here; remove it' }
    const wanted = known ?? (typeof additionalProperties === 'object' ? additionalProperties : {})
    const problem = findProblem(each, wanted, schemas, join(param, name))
    if (problem !== undefined) return problem
  }
  return undefined
}

const join = (param: string, name: string) => (param === '' ? name : `${param}.${name}`)

/** @internal */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isRecord(value)
  return type === 'null' ? value === null : typeof value === type
}
