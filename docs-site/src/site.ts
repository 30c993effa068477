// Every page of /docs, by path: the home page, the guides and the reference.
import type { Document } from './document.ts'
import { guidePath, listGuides, readGuide } from './guides.ts'
import { renderHome } from './home.ts'
import { type Heading, renderGuide } from './markdown.ts'
import { type NavGroup, renderPage } from './layout.ts'
import { renderEventTypes, renderIntroduction, renderResource } from './reference-page.ts'
import { makeSection, type Resource, type Section, SECTIONS, type SectionName } from './resources.ts'

export type Documents = Readonly<Record<SectionName, Document>>

export interface Body {
  readonly html: string
  /** For "on this page"; empty where the page lists its parts itself. */
  readonly headings: readonly Heading[]
}

export interface Page {
  readonly path: string
  readonly title: string
  /** Which part of the site it belongs to. */
  readonly part: 'home' | 'guides' | SectionName
  render(): Body
}

export interface Site {
  readonly pages: ReadonlyMap<string, Page>
  readonly sections: readonly Section[]
  /** Returns the page with its frame and navigation. */
  render(page: Page): string
}

export function makeSite(documents: Documents, baseUrl: string): Site {
  const sections = SECTIONS.map((name) => makeSection(name, documents[name]))
  const groups = listGuides()
  const guides = groups.flatMap(({ pages }) => pages)
  const files = new Set(guides.map(({ file }) => file))
  const list: Page[] = [
    {
      path: '/docs',
      title: 'Documentation',
      part: 'home',
      render: () => withoutHeadings(renderHome(sections, groups, baseUrl)),
    },
    ...guides.map((guide) => ({
      path: guidePath(guide),
      title: guide.title,
      part: 'guides' as const,
      render: () => toArticle(renderGuide(readGuide(guide, baseUrl), guide.file, (file) => files.has(file))),
    })),
    ...sections.flatMap((section) => pagesOf(section, baseUrl)),
  ]
  const pages = new Map(list.map((page) => [page.path, page]))
  if (pages.size !== list.length) throw new Error('Two pages of /docs have the same path. Rename one of the guides.')
  const guideGroups = groups.map((group) => ({
    title: group.title,
    links: group.pages.map((guide) => ({ path: guidePath(guide), title: guide.title, parts: [] })),
  }))
  const navigationOf = ({ path, part }: Page) => {
    const section = sections.find(({ name }) => name === part)
    return section === undefined ? guideGroups : sectionNavigation(section, path)
  }
  const [first] = guides
  const firstGuide = first === undefined ? '/docs' : guidePath(first)
  return {
    pages,
    sections,
    render: (page) => renderPage({ page, body: page.render(), navigation: navigationOf(page), firstGuide }),
  }
}

/** The page for an address that has none. */
export function renderNotFound(site: Site): string {
  const html =
    '<article class="prose"><h1>There is no such page</h1><p>It may have been renamed. Look for it in the navigation, or <a href="/docs">begin at the home page</a>.</p></article>'
  return site.render({
    path: '',
    title: 'There is no such page',
    part: 'guides',
    render: () => withoutHeadings(html),
  })
}

const withoutHeadings = (html: string): Body => ({ html, headings: [] })

function toArticle({ html, headings }: Body): Body {
  return { html: `<article class="prose">${html}</article>`, headings: headings.filter(({ depth }) => depth === 2) }
}

function pagesOf(section: Section, baseUrl: string): Page[] {
  const { name: part, title, resources, eventsPath } = section
  const page = (path: string, name: string, render: () => string): Page => ({
    path,
    title: name,
    part,
    render: () => withoutHeadings(render()),
  })
  return [
    page(`/docs/${part}`, title, () => renderIntroduction(section)),
    ...resources.map((resource) =>
      page(resource.path, resource.title, () => renderResource(resource, section, baseUrl)),
    ),
    ...(eventsPath === undefined ? [] : [page(eventsPath, 'Event types', () => renderEventTypes(section, baseUrl))]),
  ]
}

/** The calls of a resource are listed on its own page only. */
function sectionNavigation({ name, title, resources, eventsPath }: Section, current: string): NavGroup[] {
  const linkOf = (resource: Resource) => ({
    path: resource.path,
    title: resource.title,
    parts: resource.path === current ? partsOf(resource) : [],
  })
  return [
    {
      title,
      links: [
        { path: `/docs/${name}`, title: 'Introduction', parts: [] },
        ...resources.map(linkOf),
        ...(eventsPath === undefined ? [] : [{ path: eventsPath, title: 'Event types', parts: [] }]),
      ],
    },
  ]
}

function partsOf({ calls, objects }: Resource) {
  return [
    ...calls.map(({ method, operation }) => ({ id: operation.operationId, title: operation.summary, method })),
    ...objects.map(({ component }) => ({ id: component, title: component, method: undefined })),
  ]
}
