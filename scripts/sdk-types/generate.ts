// Makes the SDK's types from the OpenAPI documents: the resources, the filters and bodies, the lists of values, and a table
// of endpoints that binds each method of the SDK to what the server documents. openapi-typescript does not run on
// TypeScript 7, which has no JavaScript API, and nests everything under `paths` and `components`; these types have names.
import { format, resolveConfig } from 'prettier'
import { COMPONENT_NAMES, ENDPOINT_NAMES, VALUE_LISTS } from './names.ts'
import { listValues, type Schema, writeComment, type WriteOptions, writeType } from './schema.ts'

interface Endpoint {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  /** The codes of all refusals of this operation. */
  'x-error-codes': string[]
}

export interface Document {
  paths: Record<string, Record<string, Endpoint>>
  components: { schemas: Record<string, Schema> }
}

const HEADER = '// Generated from the OpenAPI documents by `npm run generate`. Do not edit.\n'
const PREFIX = /^\/(api|admin)\/v1\//

/** Returns the generated files by path. */
export async function makeSdkTypes(documents: readonly Document[]): Promise<Record<string, string>> {
  const model = readModel(documents)
  const config = await resolveConfig('sdk/src/index.ts')
  const { types, endpoints } = writeTypes(model)
  const write = (text: string) => format(HEADER + text, { ...config, parser: 'typescript' })
  return {
    'sdk/src/generated/types.ts': await write(types),
    'sdk/src/generated/endpoints.ts': await write(endpoints),
    'sdk/src/generated/values.ts': await write(writeValues(model)),
    'sdk/src/generated/error-code.ts': await write(writeErrorCode(model)),
  }
}

interface Model {
  endpoints: Map<string, Endpoint>
  schemas: Record<string, Schema>
}

function readModel(documents: readonly Document[]): Model {
  const endpoints = new Map<string, Endpoint>()
  for (const { paths } of documents)
    for (const [path, methods] of Object.entries(paths))
      for (const [method, endpoint] of Object.entries(methods))
        if (PREFIX.test(path) && typeof endpoint.operationId === 'string')
          endpoints.set(`${method.toUpperCase()} ${path}`, endpoint)
  return {
    endpoints,
    schemas: Object.assign({}, ...documents.map(({ components }) => components.schemas)) as Model['schemas'],
  }
}

function writeTypes(model: Model): { types: string; endpoints: string } {
  const { endpoints, schemas } = model
  const nameValues = nameOfValues(model)
  const declared = new Map<string, string>()
  const waiting: string[] = []
  const refer = (component: string) => {
    const name = nameOf(component)
    if (!declared.has(name)) {
      declared.set(name, '')
      waiting.push(component)
    }
    return name
  }
  const common = { refer, nameValues, describe: (component: string) => schemas[component]?.description }
  const declare = (name: string, schema: Schema, input: boolean) => {
    if ((declared.get(name) ?? '') !== '') return
    const type = writeType(schema, { ...common, input })
    if (type === name) return
    const isObject = type.startsWith('{') && schema.oneOf === undefined && schema.anyOf === undefined
    const start = isObject ? `export interface ${name} ` : `export type ${name} = `
    declared.set(name, writeComment(schema.description) + start + type)
  }
  const table = [...endpoints].map(([route, endpoint]) => {
    const parts = writeEndpoint(route, endpoint, { ...common, schemas, declare })
    return `'${route}': { ${parts.join('; ')} }`
  })
  for (let component = waiting.pop(); component !== undefined; component = waiting.pop()) {
    // The SDK builds the union of events itself (events.ts), from what they have in common.
    const schema = component === 'Event' ? envelopeOf(schemas) : schemas[component]
    if (schema === undefined) throw new Error(`The document refers to ${component}, which it does not have.`)
    declare(nameOf(component), schema, false)
  }
  const types = [...declared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  return {
    types: `${writeImport(listUsed(VALUE_TYPES, types.join()), './values.ts')}\n\n${types.join('\n\n')}\n`,
    endpoints:
      `// What each endpoint takes and returns. The methods of the SDK are checked against it.\n` +
      `${writeImport(listUsed([...declared.keys()].toSorted(), table.join()), './types.ts')}\n\n` +
      `export interface Endpoints {\n${table.join('\n')}\n}\n`,
  }
}

/** What is created is a `HolderCreate` in the documents, because `NewHolder` is a function of Go. The SDK calls it `NewHolder`. */
function nameOf(component: string): string {
  return COMPONENT_NAMES[component] ?? component.replace(/^(\w+)Create$/, 'New$1')
}

/** Returns one kind of event, with the types of all of them and any data. */
function envelopeOf(schemas: Model['schemas']): Schema | undefined {
  const kinds = (schemas['Event']?.oneOf ?? []).map(({ $ref = '' }) => schemas[$ref.split('/').at(-1) ?? ''])
  const [first] = kinds
  if (first === undefined) return undefined
  const properties = first.properties ?? {}
  const type = { ...properties['type'], enum: kinds.flatMap((kind) => kind?.properties?.['type']?.enum ?? []) }
  const data = { description: 'The object as it was.', type: 'object', additionalProperties: true }
  return { ...first, description: 'What happened, and to which object.', properties: { ...properties, type, data } }
}

const VALUE_TYPES = VALUE_LISTS.map(([, type]) => type)

function listUsed(names: readonly string[], text: string): string[] {
  return names.filter((name) => new RegExp(`\\b${name}\\b(?!')`).test(text))
}

function writeImport(names: readonly string[], from: string): string {
  return `import type { ${names.join(', ')} } from '${from}'`
}

interface Writer extends Omit<WriteOptions, 'input'> {
  schemas: Record<string, Schema>
  declare: (name: string, schema: Schema, input: boolean) => void
}

function writeEndpoint(route: string, endpoint: Endpoint, writer: Writer): string[] {
  const { schemas, declare } = writer
  const names = ENDPOINT_NAMES[route] ?? {}
  const fallback = endpoint.operationId.charAt(0).toUpperCase() + endpoint.operationId.slice(1)
  const parts: string[] = []
  const query = toQuerySchema(endpoint)
  if (query !== undefined) {
    const name = names.query ?? (isPageOnly(query) ? 'PageQuery' : `${fallback}Query`)
    declare(name, query, true)
    parts.push(`query: ${name}`)
  }
  const body = endpoint.requestBody?.content['application/json']?.schema
  if (body !== undefined) {
    const component = body.$ref?.split('/').at(-1)
    const name = names.body ?? (component === undefined ? `${fallback}Body` : nameOf(component))
    // A body that is a component is declared here, because a caller writes it.
    declare(name, (component === undefined ? undefined : schemas[component]) ?? body, true)
    parts.push(`body: ${name}`)
  }
  const answers = Object.entries(endpoint.responses).filter(([status]) => status.startsWith('2'))
  const results = answers.map(([, { content }]) => content?.['application/json']?.schema)
  const types = results.map((schema) => {
    if (schema === undefined) return 'void'
    // list.ts handles the other fields of a list.
    const component = schema.$ref?.split('/').at(-1)
    const { items } = (component === undefined ? schema : (schemas[component] ?? {})).properties?.['data'] ?? {}
    const isList = component === undefined || /(Page|List)$/.test(component)
    if (isList && items !== undefined) return `{ data: (${writeType(items, { ...writer, input: false })})[] }`
    return writeType(schema, { ...writer, input: false })
  })
  parts.push(`result: ${[...new Set(types)].join(' | ')}`)
  return parts
}

function toQuerySchema({ parameters = [] }: Endpoint): Schema | undefined {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  if (query.length === 0) return undefined
  return {
    type: 'object',
    required: query.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(
      query.map(({ name, schema, description }) => [name, { description, ...schema } as Schema]),
    ),
  }
}

function isPageOnly({ properties = {} }: Schema): boolean {
  return Object.keys(properties).every((name) => name === 'cursor' || name === 'limit')
}

function valuesAt(place: string, { endpoints, schemas }: Model): string[] {
  return listValues(findPlace(place, endpoints, schemas), (component) => schemas[component] ?? {})
}

/**
 * Returns a function that finds the name of the type with the given values. If two types have the same values, as the kinds
 * of companies and of holders do, it finds none, and the values are written out.
 */
function nameOfValues(model: Model): (values: readonly string[]) => string | undefined {
  const names = new Map<string, string[]>()
  for (const [, type, place] of VALUE_LISTS) {
    const key = valuesAt(place, model).join()
    names.set(key, [...(names.get(key) ?? []), type])
  }
  return (values) => {
    const found = names.get(values.join()) ?? []
    return found.length === 1 ? found[0] : undefined
  }
}

/** The type only: a list of values would be a part of every program, and few programs need one. */
function writeErrorCode({ endpoints }: Model): string {
  const codes = new Set([...endpoints.values()].flatMap((endpoint) => endpoint['x-error-codes']))
  return `export type ErrorCode =${[...codes]
    .toSorted()
    .map((code) => `\n  | '${code}'`)
    .join('')}\n`
}

function writeValues(model: Model): string {
  const lists = VALUE_LISTS.map(([list, type, place]) => {
    const values = valuesAt(place, model)
    if (values.length === 0) throw new Error(`${place} has no list of values for ${list}.`)
    const text = values.map((value) => `'${value}'`).join(', ')
    return `export const ${list} = [${text}] as const\nexport type ${type} = (typeof ${list})[number]`
  })
  return `${lists.join('\n\n')}\n`
}

function findPlace(place: string, endpoints: Model['endpoints'], schemas: Model['schemas']): Schema {
  const [route = '', parameter] = place.split('?')
  if (parameter !== undefined)
    return endpoints.get(route)?.parameters?.find(({ name }) => name === parameter)?.schema ?? {}
  const [component = '', property = ''] = place.split('.')
  return schemas[component]?.properties?.[property] ?? {}
}
