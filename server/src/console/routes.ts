// Serves the console: its index at every path of its pages, and its files. Whoever is not signed in gets the same files;
// everything that is worth protecting comes from the API.
import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { type Answer, publicRoute, type Route } from '../http/route.ts'
import { field, object } from '../lib/wire.ts'
import type { ConsoleFile, ConsoleFiles } from './files.ts'

const tag = 'pages'
const NONCE_PLACEHOLDER = '%STYLE_NONCE%'
const NONCE_BYTES = 16
/** The names of the files contain a hash of what is in them, so a file never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable'

/** No route when the console is not built. */
export function consoleRoutes(files: ConsoleFiles | undefined): Route[] {
  if (files === undefined) return []
  const params = object({ file: field(Type.String({ maxLength: 200 }), 'The name of the file.') })
  return [
    ...files.paths.map((path) =>
      publicRoute({
        method: 'GET',
        path,
        tag,
        id: `showConsole ${path}`,
        summary: 'Show a page of the console',
        description: 'The console decides by the path which page it shows.',
        responses: { 200: Type.String({ contentMediaType: 'text/html' }) },
        handle: async () => answerIndex(files.index),
      }),
    ),
    publicRoute({
      method: 'GET',
      path: '/assets/:file',
      tag,
      id: 'getConsoleFile',
      summary: 'Read a file of the console',
      description: 'A script, a style sheet, a font or a picture.',
      params,
      responses: { 200: Type.String({ contentMediaType: 'application/octet-stream' }) },
      handle: async (call) => {
        const file = files.assets.get(call.params.file)
        if (file === undefined) throw notFound()
        return answerFile(file, call.headers['accept-encoding'])
      },
    }),
  ]
}

/** Programs call these paths, or files are there. A path that is unknown among them is answered with the error body, whoever asks. */
const NOT_PAGES = /^\/(?:api|admin|assets|console|docs|downloads|issuer|pay|metrics|healthz|readyz)(?:[/?.]|$)/

/** Returns a function that answers an unknown path with the console, which says that there is no such page, if a browser asks for a page. */
export function consoleUnknownPage(index: string | undefined): (request: PageRequest) => Answer | undefined {
  return ({ method, url, headers }) => {
    const wantsPage = (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true
    if (index === undefined || !wantsPage || NOT_PAGES.test(url)) return undefined
    return { ...answerIndex(index), status: 404 }
  }
}

interface PageRequest {
  readonly method: string
  readonly url: string
  readonly headers: { readonly accept?: string | undefined }
}

/** The nonce is for style elements only, which the components of the console make. No script may stand in a document. */
function answerIndex(index: string): Answer {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    status: 200,
    body: index.replace(NONCE_PLACEHOLDER, nonce),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': policy.join('; '),
    },
  }
}

function answerFile({ type, plain, encoded }: ConsoleFile, acceptEncoding = ''): Answer {
  const accepted = [...encoded.keys()].find((name) => accepts(acceptEncoding, name))
  return {
    status: 200,
    body: (accepted === undefined ? undefined : encoded.get(accepted)) ?? plain,
    headers: {
      'content-type': type,
      'cache-control': FOR_EVER,
      vary: 'accept-encoding',
      ...(accepted === undefined ? {} : { 'content-encoding': accepted }),
    },
  }
}

/** Whether an encoding is listed, and not with the weight zero, which means "not this one". */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((item) => {
    const [name = '', ...rest] = item.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !rest.some((part) => /^q=0(\.0*)?$/.test(part))
  })
}
