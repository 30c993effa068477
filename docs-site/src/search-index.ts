// The index that the search box in the browser reads: one entry per call, object, type of event, and section of a guide.
import { type Call, flatten, JSON_TYPE, listEvents } from './document.ts'
import { textOf } from './html.ts'
import type { Section } from './resources.ts'
import type { Page, Site } from './site.ts'

export interface Entry {
  readonly title: string
  readonly path: string
  /** Where it is, for people: `API reference › Operations`. */
  readonly place: string
  /** What is searched beside the title. */
  readonly text: string
}

/** Longer sections are found by their beginning, so that the index stays small. */
const TEXT_LENGTH_MAX = 1_200

export function makeSearchIndex(site: Site): Entry[] {
  const guides = [...site.pages.values()].filter(({ part }) => part === 'guides')
  return [...site.sections.flatMap(sectionEntries), ...guides.flatMap(guideEntries)]
}

function sectionEntries({ title, document, resources, eventsPath }: Section): Entry[] {
  const fieldsOf = (component: string) =>
    Object.keys(flatten({ $ref: `#/components/schemas/${component}` }, document).properties ?? {}).join(' ')
  const calls = resources.flatMap((resource) =>
    resource.calls.map((call) => ({
      title: call.operation.summary,
      path: `${resource.path}#${call.operation.operationId}`,
      place: `${title} › ${resource.title}`,
      text: cut(
        `${call.method} ${call.path} ${call.operation.operationId} ${inputsOf(call)} ${call.operation.description ?? ''}`,
      ),
    })),
  )
  const objects = resources.flatMap((resource) =>
    resource.objects.map(({ component }) => ({
      title: `${component} object`,
      path: `${resource.path}#${component}`,
      place: `${title} › ${resource.title}`,
      text: cut(`${fieldsOf(component)} ${document.components.schemas[component]?.description ?? ''}`),
    })),
  )
  const events = listEvents(document).map(([type, post]) => ({
    title: type,
    path: `${eventsPath}#${type}`,
    place: `${title} › Event types`,
    text: cut(post.description ?? ''),
  }))
  return [...calls, ...objects, ...events]
}

/** The names of the parameters, and those of the body as its example has them. */
function inputsOf({ operation }: Call): string {
  const examples = Object.values(operation.requestBody?.content[JSON_TYPE]?.examples ?? {})
  const fields = examples.flatMap(({ value }) => Object.keys(value ?? {}))
  return [...operation.parameters.map(({ name }) => name), ...new Set(fields)].join(' ')
}

function guideEntries(page: Page): Entry[] {
  const parts = page.render().html.split(/(?=<h[1-4] id=")/)
  return parts.flatMap((part) => {
    const found = /^<h(\d) id="([^"]*)">([\s\S]*?)<\/h\d>/.exec(part)
    if (found === null) return []
    const [heading, depth, id = '', inner = ''] = found
    const title = textOf(inner.replace(/<a class="anchor"[\s\S]*$/, ''))
    return {
      title,
      path: depth === '1' ? page.path : `${page.path}#${id}`,
      place: depth === '1' ? 'Guides' : `Guides › ${page.title}`,
      text: cut(textOf(part.slice(heading.length))),
    }
  })
}

function cut(text: string): string {
  return text.replaceAll(/[`*]/g, '').slice(0, TEXT_LENGTH_MAX)
}
