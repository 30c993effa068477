// The OpenAPI 3.1 documents, made from the same routes and schemas that validate and serialise.
import type { Route } from '../route.ts'
import type { Components } from './components.ts'
import type { Examples } from './examples.ts'
import { HEADERS } from './headers.ts'
import type { Json } from './json.ts'
import { openAnswers } from './open-answers.ts'
import { toOperation } from './operation.ts'
import { ERROR_SCHEMA, sharedResponses } from './responses.ts'
import { defineEvents, type EventTexts, RECEIVER_RESPONSES, toWebhooks } from './webhooks.ts'

/** SPEC: "The interface description carries version 1.1.0." */
export const API_VERSION = '1.1.0'

export interface DocumentText {
  readonly title: string
  readonly version: string
  readonly description: string
  /** In the order in which a reader should meet them. */
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly securitySchemes: Json
  /** Only for the document of the companies, who receive webhooks. */
  readonly events?: EventTexts
}

export function toOpenApi(routes: readonly Route[], text: DocumentText, examples: Examples): Json {
  const components: Components = { Error: ERROR_SCHEMA }
  const findReader = createReaderFinder(routes)
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = toOperation(route, { components, examples, findReader })
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  if (text.events !== undefined) defineEvents(text.events, components)
  const tags = new Set(routes.map((route) => route.tag))
  const { webhooks, pathItems } = shareWebhooks(text.events === undefined ? {} : toWebhooks(text.events, examples))
  const calls = { paths, ...webhooks }
  const errors = Object.fromEntries(Object.entries(examples.errors).map(([code, value]) => [code, { value }]))
  return {
    openapi: '3.1.0',
    info: {
      title: text.title,
      version: text.version,
      description: text.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that serves this document.' }],
    tags: text.tags.filter(({ name }) => tags.has(name)),
    ...calls,
    components: {
      ...keepUsed(calls, {
        schemas: openAnswers(sortByName(components), paths),
        responses: { ...sharedResponses(routes, examples), ...RECEIVER_RESPONSES },
        headers: HEADERS,
        examples: errors,
        ...pathItems,
      }),
      securitySchemes: text.securitySchemes,
    },
  }
}

/**
 * Makes components of the webhooks and refers to them. openapi-generator then leaves them out of its clients, which is right,
 * because a client never sends them. From webhooks without a reference it writes code that does not compile.
 */
function shareWebhooks(items: Json): { webhooks?: { webhooks: Json }; pathItems?: { pathItems: Json } } {
  const references = Object.keys(items).map((type) => [type, { $ref: `#/components/pathItems/${type}` }])
  if (references.length === 0) return {}
  return { webhooks: { webhooks: Object.fromEntries(references) as Json }, pathItems: { pathItems: items } }
}

type Sections = Record<string, Json>

/** The components that the calls refer to, directly or through other components. */
function keepUsed(calls: Json, sections: Sections): Sections {
  const used = new Set<string>()
  const visit = (value: unknown) => {
    for (const [, pointer = ''] of JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (used.has(pointer)) continue
      used.add(pointer)
      const [section = '', name = ''] = pointer.split('/')
      visit(sections[section]?.[name] ?? {})
    }
  }
  visit(calls)
  const keep = ([section, values]: [string, Json]) => [
    section,
    Object.fromEntries(Object.entries(values).filter(([name]) => used.has(`${section}/${name}`))),
  ]
  const kept = Object.fromEntries(Object.entries(sections).map(keep)) as Sections
  return Object.fromEntries(Object.entries(kept).filter(([, values]) => Object.keys(values).length > 0))
}

/** `POST …/things` creates what `GET …/things/:id` reads. */
function createReaderFinder(routes: readonly Route[]): (route: Route) => Route | undefined {
  const readers = new Map(routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route]))
  return ({ path, readAt }) => readers.get(readAt ?? `${path}/:id`)
}

function sortByName(components: Components): Json {
  return Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
