// Which pages the reference has: one per tag of each OpenAPI document, one for the types of events, and where each object is
// described.
import {
  type Call,
  type Document,
  firstExample,
  JSON_TYPE,
  listCalls,
  referenceOf,
  type Schema,
  successesOf,
} from './document.ts'

/** The documents, by the folder of their pages: `/docs/api/…`. */
export const SECTIONS = ['api', 'operator', 'console', 'issuer'] as const
export type SectionName = (typeof SECTIONS)[number]

export interface ObjectSection {
  readonly component: string
  /** A recorded example, if there is one. */
  readonly example: unknown
}

export interface Resource {
  readonly path: string
  readonly title: string
  readonly description: string
  readonly calls: readonly Call[]
  readonly objects: readonly ObjectSection[]
}

export interface Section {
  readonly name: SectionName
  readonly title: string
  readonly document: Document
  readonly resources: readonly Resource[]
  /** The page of the types of events, if the document has webhooks. */
  readonly eventsPath: string | undefined
  linkOf(component: string): string | undefined
}

const TITLES: Readonly<Record<SectionName, string>> = {
  api: 'API reference',
  operator: 'Operator API',
  console: 'Console calls',
  issuer: 'Issuer protocol',
}

/** Where the name of a tag says nothing beside the title of its document. */
const TAG_TITLES: Readonly<Record<string, string>> = { issuer: 'Requests and events' }

/** What only wraps others, or says nothing, has no section of its own. */
const isWrapper = (component: string) => /(Page|List)$/.test(component) || component === 'Empty'

/** The answer of such a call is the best example of an object: complete, and on its own. */
const readsOne = ({ method, path }: Call) => method === 'GET' && path.endsWith('}')

export function makeSection(name: SectionName, document: Document): Section {
  const calls = listCalls(document)
  const links = new Map<string, string>()
  const eventsPath = document.webhooks === undefined ? undefined : `/docs/${name}/event-types`
  if (eventsPath !== undefined) links.set('Event', eventsPath)
  const resources = document.tags.map(({ name: tag, description }) => {
    const title = TAG_TITLES[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1)
    const path = `/docs/${name}/${title.toLowerCase().replaceAll(' ', '-')}`
    const own = calls.filter(({ operation }) => operation.tags.includes(tag))
    const objects = own
      .toSorted((a, b) => Number(readsOne(b)) - Number(readsOne(a)))
      .flatMap((call) => returnedBy(call, document))
      .filter(({ component }) => {
        if (links.has(component)) return false
        links.set(component, `${path}#${component}`)
        return true
      })
    return { path, title, description, calls: own, objects }
  })
  const linkOf = (component: string) => links.get(component)
  return { name, title: TITLES[name], document, resources, eventsPath, linkOf }
}

/** The objects that a call answers with, alone or in a list. */
function returnedBy({ operation }: Call, { components }: Document): ObjectSection[] {
  return successesOf(operation).flatMap(([, { content }]) => {
    const media = content?.[JSON_TYPE]
    if (media === undefined) return []
    const example = firstExample(media)
    const component = referenceOf(media.schema)
    if (component !== undefined && !isWrapper(component)) return [{ component, example }]
    const items = component === undefined ? undefined : components.schemas[component]?.properties?.['data']?.items
    const item = items === undefined ? undefined : referenceOf(items)
    const first = (example as { data?: unknown[] } | undefined)?.data?.[0]
    if (item !== undefined) return [{ component: item, example: first }]
    return choicesOf(media.schema).map((choice) => ({ component: choice, example: undefined }))
  })
}

function choicesOf({ oneOf = [], anyOf = [] }: Schema): string[] {
  return [...oneOf, ...anyOf].flatMap((choice) => referenceOf(choice) ?? [])
}
