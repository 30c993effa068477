// GET /docs and everything below it: the guides, the reference, and the files that these pages load.
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { type Answer, publicRoute, type Route } from '../http/route.ts'
import type { ServedDocuments } from '../http/system-routes.ts'
import { field, object } from '../lib/wire.ts'
import type { Document } from './document.ts'
import { answerWith, ASSET_TYPES, type File, makeFile, readAsset } from './files.ts'
import { guidePath } from './guides.ts'
import { DOCS_CSP, renderPage } from './layout.ts'
import { makeSearchIndex } from './search-index.ts'
import { makeSite, type Page, type Site } from './site.ts'

const tag = 'system'
const HTML_TYPE = 'text/html; charset=utf-8'
const SEARCH_INDEX = 'search.json'
const Html = Type.String({ contentMediaType: 'text/html' })
const Name = Type.String({ maxLength: 100 })

interface Deps {
  /** Where clients reach this server, for the code samples. */
  baseUrl(): string
}

export function docsRoutes({ baseUrl }: Deps, makeDocuments: () => ServedDocuments): Route[] {
  const library = createLibrary(() => {
    const { company, ...others } = makeDocuments() as Record<keyof ServedDocuments, Document>
    return makeSite({ api: company, ...others }, baseUrl())
  })
  const responses = { 200: Html, 304: null }
  return [
    publicRoute({
      method: 'GET',
      path: '/docs',
      tag,
      id: 'getDocumentation',
      summary: 'Read the documentation',
      description: 'Returns the home page of the documentation: the guides and the reference.',
      responses,
      handle: async ({ headers }) => library.answerPage('/docs', headers),
    }),
    publicRoute({
      method: 'GET',
      path: '/docs/:page',
      tag,
      id: 'getGuide',
      summary: 'Read a guide',
      description: 'Returns a guide, or the first page of a part of the reference.',
      params: object({ page: field(Name, 'The name of the page, such as `webhooks`.') }),
      responses,
      handle: async ({ params, headers }) => library.answerPage(`/docs/${params.page}`, headers),
    }),
    publicRoute({
      method: 'GET',
      path: '/docs/:section/:page',
      tag,
      id: 'getReferencePage',
      summary: 'Read a page of the reference',
      description: 'Returns a page of the reference, such as `api/operations`.',
      params: object({
        section: field(Name, '`api`, `operator`, `console`, `issuer` or `adr`.'),
        page: field(Name, 'The name of the page.'),
      }),
      responses,
      handle: async ({ params, headers }) => library.answerPage(`/docs/${params.section}/${params.page}`, headers),
    }),
    publicRoute({
      method: 'GET',
      path: '/docs/assets/:file',
      tag,
      id: 'getDocumentationFile',
      summary: 'Read a file of the documentation',
      description: 'Returns a style, a script or the search index that the pages of the documentation load.',
      params: object({ file: field(Name, 'The name of the file.') }),
      responses: { 200: Type.String({ contentMediaType: 'application/octet-stream' }), 304: null },
      handle: async ({ params, headers }) => library.answerAsset(params.file, headers),
    }),
  ]
}

interface Library {
  answerPage(path: string, headers: IncomingHttpHeaders): Promise<Answer>
  answerAsset(name: string, headers: IncomingHttpHeaders): Promise<Answer>
}

/** Makes each file when it is first asked for: most processes are never asked for any. */
function createLibrary(makeFirst: () => Site): Library {
  let made: Site | undefined
  const site = () => (made ??= makeFirst())
  const files = new Map<string, Promise<File>>()
  const once = (path: string, make: () => Promise<File>) => {
    const known = files.get(path)
    if (known !== undefined) return known
    const file = make()
    files.set(path, file)
    // A file that could not be made is tried again.
    file.catch(() => files.delete(path))
    return file
  }
  return {
    async answerPage(path, headers) {
      const page = site().pages.get(path)
      if (page === undefined) return refusePage(site(), headers)
      const file = await once(path, () => makeFile(toHtml(site(), page), HTML_TYPE))
      return answerWith(file, headers, { 'content-security-policy': DOCS_CSP })
    },
    async answerAsset(name, headers) {
      const type = ASSET_TYPES.get(name)
      if (name === SEARCH_INDEX) {
        const make = async () =>
          makeFile(JSON.stringify(await makeSearchIndex(site())), 'application/json; charset=utf-8')
        return answerWith(await once(name, make), headers)
      }
      if (type === undefined) throw notFound()
      return answerWith(await once(name, async () => makeFile(await readAsset(name), type)), headers)
    },
  }
}

function toHtml(site: Site, page: Page): string {
  const [first] = site.guides
  return renderPage({
    page,
    body: page.render(),
    navigation: site.navigationOf(page),
    firstGuide: first === undefined ? '/docs' : guidePath(first),
  })
}

/** A browser gets a page with the navigation; a program gets the usual error body. */
function refusePage(site: Site, headers: IncomingHttpHeaders): Answer {
  if (headers.accept?.includes('text/html') !== true) throw notFound()
  const render = () => ({
    html: '<article class="prose"><h1>There is no such page</h1><p>It may have been renamed. Look for it in the navigation, or <a href="/docs">begin at the home page</a>.</p></article>',
    headings: [],
  })
  const page: Page = { path: '', title: 'There is no such page', part: 'guides', render }
  return {
    status: 404,
    body: toHtml(site, page),
    headers: { 'content-type': HTML_TYPE, 'content-security-policy': DOCS_CSP },
  }
}
