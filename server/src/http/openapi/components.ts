// Turns validation schemas into OpenAPI schemas. A schema with a title becomes a shared component wherever it is used, so
// that code generators give it one class with that name.
import { isJson, type Json } from './json.ts'

export type Components = Record<string, Json>

/** Keywords that only our validator reads. */
const PRIVATE_KEYWORDS = new Set(['title', 'hint', 'signHint', 'usage'])

export function toSchema(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((item) => toSchema(item, components))
  if (!isJson(schema)) return schema
  const plain = toPlain(schema, components)
  if (typeof schema['title'] !== 'string') return plain
  const shared = share(schema['title'], plain, components)
  return schema['usage'] === undefined ? shared : { ...shared, description: schema['usage'] }
}

function toPlain(schema: Json, components: Components): Json {
  const entries = Object.entries(schema)
    .filter(([key]) => !PRIVATE_KEYWORDS.has(key))
    .map(([key, value]) => [key, key === 'properties' ? toProperties(value, components) : toSchema(value, components)])
  const plain = Object.fromEntries(entries) as Json
  if (Array.isArray(plain['enum'])) return { type: typeOfEnum(plain['enum']), ...plain }
  if (typeof plain['const'] === 'string') return { type: 'string', ...plain }
  if (isJson(plain['discriminator'])) return toUnion(plain, components)
  return plain
}

/** A property may be named like a keyword (`title`), so its name is never filtered. */
function toProperties(properties: unknown, components: Components): Json {
  const entries = Object.entries(properties as Json).map(([name, schema]) => [name, toSchema(schema, components)])
  return Object.fromEntries(entries) as Json
}

function typeOfEnum(values: readonly unknown[]): string | string[] {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  return types.length === 1 ? (types[0] as string) : types
}

/** Without a mapping, generators guess the variant from the component's name and drop those that they cannot guess. */
function toUnion(union: Json, components: Components): Json {
  const { type: _type, required: _required, discriminator, oneOf, ...rest } = union
  const { propertyName } = discriminator as { propertyName: string }
  const references = (oneOf as { $ref: string }[]).map(({ $ref }) => $ref)
  const mapping = references.flatMap((reference) =>
    valuesOf(components[reference.split('/').at(-1) ?? ''], propertyName).map((value) => [value, reference]),
  )
  return { ...rest, oneOf, discriminator: { propertyName, mapping: Object.fromEntries(mapping) as Json } }
}

function valuesOf(variant: Json | undefined, propertyName: string): string[] {
  const property = (variant?.['properties'] as Json | undefined)?.[propertyName] as Json | undefined
  if (typeof property?.['const'] === 'string') return [property['const']]
  return (property?.['enum'] as string[] | undefined) ?? []
}

/** A reference cannot also be null, so a nullable component is a choice between the component and null. */
function share(name: string, schema: Json, components: Components): Json {
  const types = schema['type']
  const reference = { $ref: `#/components/schemas/${name}` }
  if (!Array.isArray(types) || !types.includes('null')) {
    define(name, schema, components)
    return reference
  }
  const others = types.filter((type) => type !== 'null')
  define(name, { ...schema, type: others.length === 1 ? others[0] : others }, components)
  return { anyOf: [reference, { type: 'null' }] }
}

function define(name: string, schema: Json, components: Components): void {
  const known = components[name]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`Two different schemas are titled ${name}. Give one of them another title.`)
  }
  components[name] = schema
}
