// Makes a small OpenAPI document of a large one: a few calls with the components that they refer to, without texts and examples. A client that
// is generated from it is small, and changes only when the form of a request or an answer does.

type Json = Record<string, unknown>
type Section = 'responses' | 'schemas'

export interface WholeDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: Readonly<Record<Section, Json>> & { readonly securitySchemes: Json }
}

const LEFT_OUT = new Set(['description', 'examples', 'example', 'headers', 'links', 'x-error-codes'])
/** What is in them has names of its own, which may be those of keywords. */
const NAMES = new Set(['properties', 'mapping'])

/** Returns the document with only the calls of these ids. `schemas` names further schemas to keep, such as those of events. */
export function keepCalls(document: WholeDocument, ids: readonly string[], schemas: readonly string[]): Json {
  const { openapi, info, servers, components } = document
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(([, { operationId }]) => ids.includes(operationId))
      return kept.length === 0 ? [] : [[path, shorten(Object.fromEntries(kept))]]
    }),
  )
  const kept: Record<Section, Json> = { responses: {}, schemas: {} }
  const visit = (value: unknown) => {
    for (const [, section, name = ''] of JSON.stringify(value).matchAll(/#\/components\/(responses|schemas)\/(\w+)/g)) {
      const found = kept[section as Section]
      if (found[name] !== undefined) continue
      const component = components[section as Section][name]
      found[name] = section === 'responses' ? shortenResponse(component as Json) : shorten(component)
      visit(found[name])
    }
  }
  visit([paths, schemas.map((name) => `#/components/schemas/${name}`)])
  return {
    openapi,
    info: { title: info.title, version: info.version, description: 'A part of the API.' },
    servers,
    paths,
    components: {
      responses: sortByName(kept.responses),
      schemas: sortByName(kept.schemas),
      securitySchemes: components.securitySchemes,
    },
  }
}

function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([keyword]) => !LEFT_OUT.has(keyword))
  return Object.fromEntries(kept.map(([keyword, each]) => [keyword, shortenValue(keyword, each)]))
}

function shortenValue(keyword: string, value: unknown): unknown {
  if (keyword === 'responses') return mapValues(value as Json, (response) => shortenResponse(response as Json))
  return NAMES.has(keyword) ? mapValues(value as Json, shorten) : shorten(value)
}

/** A response must have a description. */
function shortenResponse(response: Json): unknown {
  return '$ref' in response ? response : { ...(shorten(response) as Json), description: '' }
}

function mapValues(values: Json, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, map(each)]))
}

function sortByName(values: Json): Json {
  return Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
