// Refuses requests that another web site may have caused. A browser sends the session's cookie whoever started the request, so a
// write with a cookie must carry a header that other sites cannot send, and come from this server's own pages. A read must show one
// of the two where it costs the server much.
import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../errors.ts'

interface Request {
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** Reads pass: they change nothing, and other sites cannot read the answers. Those that cost much ask requireOwnPage. */
export function requireSameOrigin({ method, headers }: Request, publicUrl: string | undefined): void {
  if (method === 'GET' || method === 'HEAD') return
  // Browsers send a header of this kind to other origins only after asking, and this server never allows it.
  if (headers['x-csrf'] === undefined) {
    throw new ApiError('csrf_refused', 'A change with a session needs the header X-CSRF: 1. Send it.')
  }
  if (isSameOrigin(headers, publicUrl)) return
  throw new ApiError('csrf_refused', 'This request does not come from a page of this server. Open the console here.')
}

function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  // What the browser itself states about the two origins. No page can set it.
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true
  return new URL(origin).host === host?.toLowerCase()
}

/**
 * Refuses a read that a link or an image of another site may have started: it could make the server check its whole ledger again and
 * again. Browsers state the site on TLS and on this machine; elsewhere the console's header shows that the request is its own. A
 * company's calls need no such check, because they name the environment in a header that other sites cannot send.
 */
export function requireOwnPage({ headers }: Pick<Request, 'headers'>): void {
  const site = headers['sec-fetch-site']
  if (site === undefined ? headers['x-csrf'] !== undefined : site === 'same-origin') return
  throw new ApiError(
    'csrf_refused',
    'With a session, this read must come from a page of this server. Open the console here, or use an operator token.',
  )
}
