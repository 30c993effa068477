// Checks that every request passes before its route is called: one well-formed Host, no second header where one counts, a path
// in canonical form, a body in an encoding that the server reads. Requests that two parties could read differently are refused.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { refuseRoute } from './route-table.ts'

/** A name, an IPv4 address or an IPv6 address in brackets, and a port if there is one. */
const HOST = /^(?:[\w.~-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Node keeps the first of several and drops the others. A proxy may have read another one. */
const SINGLE = ['host', 'authorization', 'content-type']

/** Refuses other versions than HTTP/1, a missing Host in HTTP/1.1, and one that is not a host, as RFC 9112 demands. */
export function requireHost({ headers, raw }: FastifyRequest): void {
  // Node's parser also takes a line without a version, which was HTTP/0.9.
  if (raw.httpVersionMajor !== 1) throw new ApiError('validation_failed', 'This is not an HTTP/1.1 request. Send one.')
  if (headers.host === undefined) {
    if (raw.httpVersion !== '1.1') return
    throw new ApiError('validation_failed', 'The request has no Host header. Send one.')
  }
  if (!HOST.test(headers.host)) {
    throw new ApiError('validation_failed', 'The Host header is not a host and port. Send the name of this server.')
  }
}

/** Refuses a second Host, Authorization or Content-Type. */
export function requireSingleHeaders({ raw: { rawHeaders } }: FastifyRequest): void {
  let seen = ''
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? ''
    // Most headers have another length, and every request comes by here.
    const name = SINGLE.find(({ length }) => length === given.length)
    if (name === undefined || given.toLowerCase() !== name) continue
    if (seen.includes(name))
      throw new ApiError('validation_failed', `The request has more than one ${name} header. Send only one.`)
    seen += name
  }
}

/** Letters, digits, and - . _ ~, which need no percent-encoding: with it, one path would have many spellings. */
const NEEDLESS_ENCODING = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

export function requireCanonicalPath(url: string): void {
  if (!url.includes('%')) return
  const end = url.indexOf('?')
  if (NEEDLESS_ENCODING.test(end === -1 ? url : url.slice(0, end))) throw refuseRoute([])
}

/** Refuses a compressed body, and one in another character set than UTF-8. */
export function requireReadable(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body is encoded. Send it without Content-Encoding.')
  }
  const type = headers['content-type'] ?? ''
  if (!/charset/i.test(type)) return
  const [, charset = ''] = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i.exec(type) ?? []
  if (!/^utf-?8$/i.test(charset)) {
    throw new ApiError(
      'unsupported_media_type',
      'The body is not in UTF-8. Send Content-Type: application/json in UTF-8.',
    )
  }
}
