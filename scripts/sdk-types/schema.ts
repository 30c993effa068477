// Turns JSON schemas of the OpenAPI document into TypeScript types. It knows nothing of endpoints.

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  description?: string
}

export interface WriteOptions {
  /** True for types that a caller writes. Their optional properties may be undefined, and their arrays are read-only. */
  readonly input: boolean
  /** Called with the name of each component that is referred to; returns the name of its type. */
  readonly refer: (component: string) => string
  /** Returns the description of a component. */
  readonly describe: (component: string) => string | undefined
  /** Returns the name of the type that has exactly these values, if there is one. */
  readonly nameValues: (values: readonly string[]) => string | undefined
}

export function writeType(schema: Schema, options: WriteOptions): string {
  if (schema.$ref !== undefined) return options.refer(schema.$ref.split('/').at(-1) ?? '')
  if (schema.const !== undefined) return quote(schema.const)
  if (schema.enum !== undefined) return writeEnum(schema.enum, options)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return [...new Set(variants.map((variant) => writeType(variant, options)))].join(' | ')
  if (schema.allOf !== undefined) return schema.allOf.map((part) => `(${writeType(part, options)})`).join(' & ')
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return schema.properties === undefined ? 'unknown' : writeObject(schema, options)
  return types.map((type) => writeSimple(type, schema, options)).join(' | ')
}

/** A list that a caller chooses from may contain `*`, which stands for all values. */
function writeEnum(values: readonly unknown[], { nameValues }: WriteOptions): string {
  const name = nameValues(values.filter((value) => value !== '*' && value !== null).map(String))
  if (name === undefined) return [...new Set(values.map(quote))].join(' | ')
  return [name, ...values.filter((value) => value === '*' || value === null).map(quote)].join(' | ')
}

function writeSimple(type: string, schema: Schema, options: WriteOptions): string {
  if (type === 'object') return writeObject(schema, options)
  if (type === 'array') return writeArray(schema, options)
  return type === 'integer' ? 'number' : type
}

function writeArray({ items = {} }: Schema, options: WriteOptions): string {
  return `${options.input ? 'readonly ' : ''}(${writeType(items, options)})[]`
}

export function writeObject(schema: Schema, options: WriteOptions): string {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0)
    return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>'
  const lines = properties.map(([name, property]) => {
    const isOptional = schema.required?.includes(name) !== true
    const type = writeType(property, options) + (isOptional && options.input ? ' | undefined' : '')
    return `${writeComment(describe(property, options))}${name}${isOptional ? '?' : ''}: ${type}`
  })
  return `{\n${lines.join('\n')}\n}`
}

/** A property without a description of its own has that of the component that it refers to. */
function describe({ description, $ref }: Schema, options: WriteOptions): string | undefined {
  return description ?? ($ref === undefined ? undefined : options.describe($ref.split('/').at(-1) ?? ''))
}

/** The longest line of a comment, as editors show it. */
const COMMENT_WIDTH = 120

/** Returns a comment with the text in lines, as prettier leaves them. */
export function writeComment(description: string | undefined): string {
  const words = (description ?? '')
    .replaceAll('*/', '')
    .split(/\s+/)
    .filter((word) => word !== '')
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line === undefined || line.length + word.length >= COMMENT_WIDTH) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  if (lines.length === 0) return ''
  return lines.length === 1 ? `/** ${lines[0]} */\n` : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`
}

/** Returns the values of an enumeration, wherever JSON Schema allows them. */
export function listValues(schema: Schema, resolve: (component: string) => Schema): string[] {
  if (schema.$ref !== undefined) return listValues(resolve(schema.$ref.split('/').at(-1) ?? ''), resolve)
  if (schema.items !== undefined) return listValues(schema.items, resolve)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return variants.flatMap((variant) => listValues(variant, resolve))
  return (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).filter(
    (value) => typeof value === 'string',
  )
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : String(value)
}
