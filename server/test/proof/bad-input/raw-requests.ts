// Requests that two parties could read differently, and others that no HTTP client sends.
export interface RawParts {
  readonly method: string
  readonly target: string
  /** Lines with their ends, without Host. */
  readonly headers: string
  readonly body: Buffer
}

export interface RawRequest {
  readonly name: string
  /** Whether it must be refused, and the connection closed. Otherwise it may be served. */
  readonly mustBeRefused: boolean
  /** Whether only its body is broken. A GET is answered before that is read; then only the connection must be closed. */
  readonly isBrokenLate: boolean
  make(parts: RawParts): Buffer
}

const HOST = 'Host: localhost\r\n'
/** What an attacker hides in a body: it must never be answered as a request of its own. */
const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n'
const CHUNK = '5\r\n{"x":\r\n0\r\n\r\n'

const head = ({ method, target, headers }: RawParts, more: string) =>
  `${method} ${target} HTTP/1.1\r\n${HOST}${headers}${more}\r\n`
const refused = (name: string, make: (parts: RawParts) => string | Buffer): RawRequest => ({
  name,
  mustBeRefused: true,
  isBrokenLate: name.startsWith('a chunk '),
  make: (parts) => Buffer.from(make(parts) as string),
})
const served = (name: string, make: (parts: RawParts) => string): RawRequest => ({
  ...refused(name, make),
  mustBeRefused: false,
})
const length = ({ body }: RawParts) => `Content-Length: ${body.length}\r\n`
const withHead = (name: string, more: string, body = '{}') => refused(name, (parts) => head(parts, more) + body)

export const RAW_REQUESTS: readonly RawRequest[] = [
  withHead('length and chunks', `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`, `0\r\n\r\n${HIDDEN}`),
  withHead('chunks and length', `Transfer-Encoding: chunked\r\nContent-Length: 6\r\n`, `0\r\n\r\n${HIDDEN}`),
  withHead('chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n', CHUNK),
  withHead('chunks that are none', 'Transfer-Encoding: xchunked\r\n', HIDDEN),
  withHead('chunks before another coding', 'Transfer-Encoding: chunked, identity\r\n', `0\r\n\r\n${HIDDEN}`),
  withHead('a space before the colon', `Transfer-Encoding : chunked\r\n`, `0\r\n\r\n${HIDDEN}`),
  withHead('a folded Transfer-Encoding', `Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n`),
  withHead('two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n'),
  withHead('two lengths in one line', 'Content-Length: 2, 2\r\n'),
  withHead('a negative length', 'Content-Length: -1\r\n'),
  withHead('a length with a sign', 'Content-Length: +2\r\n'),
  withHead('a hexadecimal length', 'Content-Length: 0x2\r\n'),
  withHead('a length with spaces', 'Content-Length: 2 2\r\n'),
  withHead('an enormous length', 'Content-Length: 99999999999999999999\r\n'),
  withHead('a chunk of enormous size', 'Transfer-Encoding: chunked\r\n', 'fffffffffffffffff\r\n{}'),
  withHead('a chunk of negative size', 'Transfer-Encoding: chunked\r\n', '-1\r\n{}\r\n0\r\n\r\n'),
  withHead('a chunk without its end', 'Transfer-Encoding: chunked\r\n', `2\r\n{}0\r\n\r\n${HIDDEN}`),
  withHead('a chunk with a bare line feed', 'Transfer-Encoding: chunked\r\n', `2\n{}\n0\n\n${HIDDEN}`),
  withHead(
    'a chunk with a long extension',
    'Transfer-Encoding: chunked\r\n',
    `2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  withHead('a folded header', 'X-Folded: a\r\n b\r\nContent-Length: 2\r\n'),
  withHead('a header without a name', ': x\r\n'),
  withHead('a header without a colon', 'Nonsense\r\n'),
  withHead('a space in a header name', 'X Y: z\r\n'),
  withHead('NUL in a header', 'X-Nul: a\0b\r\n'),
  withHead('NUL in a header name', 'X-\0: a\r\n'),
  withHead('a bare carriage return in a header', 'X-Cr: a\rX-B: c\r\n'),
  withHead('a second Host', 'Host: elsewhere\r\n'),
  withHead('a second Authorization', 'Authorization: Bearer x\r\nAuthorization: Bearer y\r\n'),
  withHead('a second Content-Type', 'Content-Type: text/plain\r\nContent-Type: application/json\r\n'),
  withHead('headers above 16 KB', `X-Long: ${'x'.repeat(20_000)}\r\n`),
  withHead('2,500 headers', 'X-Many: y\r\n'.repeat(2500)),
  refused('bare line feeds', ({ method, target }) => `${method} ${target} HTTP/1.1\nHost: localhost\n\n`),
  refused(
    'no Host',
    ({ method, target, headers }) => `${method} ${target} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
  ),
  refused(
    'an empty Host',
    ({ method, target, headers }) => `${method} ${target} HTTP/1.1\r\nHost:\r\n${headers}Connection: close\r\n\r\n`,
  ),
  refused(
    'a Host with a path',
    ({ method, target, headers }) => `${method} ${target} HTTP/1.1\r\nHost: a/b\r\n${headers}Connection: close\r\n\r\n`,
  ),
  refused(
    'a request line of 20 KB',
    ({ method, target }) => `${method} ${target}?${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
  ),
  refused('HTTP/3.0', ({ method, target }) => `${method} ${target} HTTP/3.0\r\n${HOST}\r\n`),
  refused('HTTP/0.9', ({ target }) => `GET ${target}\r\n\r\n`),
  refused('HTTP/1.1 in lower case', ({ method, target }) => `${method} ${target} http/1.1\r\n${HOST}\r\n`),
  refused(
    'a method in lower case',
    ({ method, target }) => `${method.toLowerCase()} ${target} HTTP/1.1\r\n${HOST}\r\n`,
  ),
  refused('an unknown method', ({ target }) => `FROB ${target} HTTP/1.1\r\n${HOST}\r\n`),
  refused('tabs in the request line', ({ method, target }) => `${method}\t${target}\tHTTP/1.1\r\n${HOST}\r\n`),
  refused('an HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  refused(
    'a PROXY line',
    ({ method, target }) => `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${method} ${target} HTTP/1.1\r\n${HOST}\r\n`,
  ),
  refused('TLS', () => Buffer.from('16030100a5010000a10303', 'hex')),
  refused('zeros', () => Buffer.alloc(4096)),
  refused('a path that is not ASCII', ({ method }) =>
    Buffer.from(`${method} /\xff\xfe HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`, 'latin1'),
  ),
  served(
    'an absolute target',
    (parts) =>
      head({ ...parts, target: `http://elsewhere${parts.target}` }, `Connection: close\r\n${length(parts)}`) +
      String(parts.body),
  ),
  served(
    'an upgrade',
    (parts) => head(parts, `Connection: close, Upgrade\r\nUpgrade: websocket\r\n${length(parts)}`) + String(parts.body),
  ),
  served(
    'trailers',
    (parts) =>
      head(parts, 'Connection: close\r\nTransfer-Encoding: chunked\r\n') + `2\r\n{}\r\n0\r\nAuthorization: x\r\n\r\n`,
  ),
  served(
    '100-continue',
    (parts) => head(parts, `Connection: close\r\nExpect: 100-continue\r\n${length(parts)}`) + String(parts.body),
  ),
  served(
    'HTTP/1.0',
    ({ method, target, headers, body }) =>
      `${method} ${target} HTTP/1.0\r\n${headers}Content-Length: ${body.length}\r\n\r\n${String(body)}`,
  ),
]
