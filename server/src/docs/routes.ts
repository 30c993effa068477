// GET /docs and everything below it: the guides, the reference, and the files that these pages load; and /llms.txt, their list.
import type { IncomingHttpHeaders } from 'node:http'
import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { type Answer, publicRoute, type Route } from '../http/route.ts'
import { field, object } from '../lib/wire.ts'
import { answerWithFile } from '../http/served-file.ts'
import { createLibrary, HTML_TYPE, type Library } from './files.ts'

const tag = 'system'
const Html = Type.String({ contentMediaType: 'text/html' })
const Name = Type.String({ maxLength: 100 })
/** Style and scripts come from this server, requests go to it, and nothing else is allowed. */
const CSP =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Deps {
  /** Where clients reach this server, for the code samples. */
  baseUrl(): string
}

export function docsRoutes({ baseUrl }: Deps): Route[] {
  const library = createLibrary(baseUrl)
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
      handle: async ({ headers }) => answerPage(library, '/docs', headers),
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
      handle: async ({ params, headers }) => answerPage(library, `/docs/${params.page}`, headers),
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
      handle: async ({ params, headers }) => answerPage(library, `/docs/${params.section}/${params.page}`, headers),
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
      handle: async ({ params, headers }) => answerFile(library, `/docs/assets/${params.file}`, headers),
    }),
    publicRoute({
      method: 'GET',
      path: '/llms.txt',
      tag,
      id: 'getDocumentationIndex',
      summary: 'Read the list of pages of the documentation',
      description: 'Returns a short list of all pages with their addresses, in Markdown, for programs that read them.',
      responses: { 200: Type.String({ contentMediaType: 'text/plain' }), 304: null },
      handle: async ({ headers }) => answerFile(library, '/llms.txt', headers),
    }),
  ]
}

async function answerPage(library: Library, path: string, headers: IncomingHttpHeaders): Promise<Answer> {
  const file = await library.find(path)
  if (file !== undefined) return answerWithFile(file, headers, { 'content-security-policy': CSP })
  // A browser gets a page with the navigation; a program gets the usual error body.
  if (headers.accept?.includes('text/html') !== true) throw notFound()
  const body = await library.readNotFound()
  return { status: 404, body, headers: { 'content-type': HTML_TYPE, 'content-security-policy': CSP } }
}

async function answerFile(library: Library, path: string, headers: IncomingHttpHeaders): Promise<Answer> {
  const file = await library.find(path)
  if (file === undefined) throw notFound()
  return answerWithFile(file, headers)
}
