// `cardstock api METHOD PATH`: sends one request with the company's key and prints the body of the answer. It sends each request once,
// and knows nothing of the API but which requests need an idempotency key.
import { readFileSync } from 'node:fs'
import { UnreachableError, VERSION } from '@cardstock/sdk'
import { Argument, type Command } from 'commander'
import { keyOption } from '../connect-company.ts'
import { describeError, describeFileError, UsageError } from '../failure.ts'
import type { Context } from '../context.ts'
import type { Output } from '../output.ts'

/** Those of the API. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The paths to which the server takes no POST without an idempotency key. */
export const IDEMPOTENT_PATHS: readonly string[] = [
  '/api/v1/card-account/invoices',
  '/api/v1/operations',
  '/api/v1/holders',
  '/api/v1/sandbox/funding',
]

/** The server ends its own requests after 30 s, and sends something on a stream every 15 s. */
const SILENCE_MS = 45_000

/** JSON is held in memory to be indented. The largest page of the API has about 1 MB. */
const JSON_BYTES_MAX = 64 * 1024 * 1024

interface ApiOptions {
  data?: string
  idempotencyKey?: string
  key?: string
}

export function registerApi(program: Command, { connectCompany, output, fail }: Context): void {
  program
    .command('api')
    .description('send any request with the API key, and print the body of the answer')
    .addArgument(
      new Argument('<method>', 'method of the request')
        .choices(METHODS)
        .argParser((text: string) => requireMethod(text.toUpperCase())),
    )
    .argument('<path>', 'path with its query, such as /api/v1/balance', requirePath)
    .option('-d, --data <json>', 'body of the request: JSON, @FILE, or @- for standard input')
    .option('--idempotency-key <key>', 'repeat a request whose answer was lost; carried out at most once')
    .addOption(keyOption())
    .action(async (method: string, path: string, { key, ...options }: ApiOptions) => {
      const { api, token } = connectCompany({ key })
      const request = {
        method,
        path,
        body: readBody(method, options.data),
        idempotencyKey: chooseKey(method, path, options),
      }
      const out = output()
      if (request.idempotencyKey !== undefined) out.note(`Idempotency-Key: ${request.idempotencyKey}`)
      const isDone = await send(request, { baseUrl: api.baseUrl, token }, out)
      if (!isDone) fail()
    })
}

function requireMethod(method: string): string {
  if (METHODS.some((known) => known === method)) return method
  throw new UsageError(`The method must be one of ${METHODS.join(', ')}.`)
}

/** What begins with a slash cannot change the server that the key is sent to. */
function requirePath(path: string): string {
  if (path.startsWith('/')) return path
  throw new UsageError('The path must begin with a slash, such as /api/v1/balance. The server is chosen with --url.')
}

function readBody(method: string, data: string | undefined): string | undefined {
  if (data === undefined) return undefined
  if (method === 'GET')
    throw new UsageError('GET has no body. Write parameters behind the path: /api/v1/cards?limit=10')
  const text = data.startsWith('@') ? readSource(data.slice(1)) : data
  try {
    JSON.parse(text)
  } catch (error) {
    throw new UsageError(`The body is not valid JSON (${describeError(error)}). Nothing was sent.`)
  }
  return text
}

function readSource(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${describeFileError(error as Error)}.`)
  }
}

/** Returns the key that is given, or a new one for a request that needs one. */
function chooseKey(method: string, path: string, { idempotencyKey }: ApiOptions): string | undefined {
  if (idempotencyKey !== undefined) {
    if (/^[\x21-\x7e]{1,128}$/.test(idempotencyKey)) return idempotencyKey
    throw new UsageError('--idempotency-key must have 1 to 128 visible ASCII characters.')
  }
  const isNeeded = method === 'POST' && IDEMPOTENT_PATHS.includes(path.replace(/[?#].*/, ''))
  return isNeeded ? crypto.randomUUID() : undefined
}

interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly idempotencyKey: string | undefined
}

/** Prints the body of the answer, and returns whether its status means success. */
async function send(request: ApiRequest, server: { baseUrl: string; token: string }, out: Output): Promise<boolean> {
  const { method, path, body, idempotencyKey } = request
  const headers = new Headers({ authorization: `Bearer ${server.token}`, 'user-agent': `cardstock-cli/${VERSION}` })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    // A redirect is never followed: it would take the key to another place.
    const init = { method, headers, body: body ?? null, redirect: 'manual', signal: silence.signal } as const
    const response = await fetch(server.baseUrl + path, init)
    if (!response.ok) out.note(`Status: ${response.status}`)
    await printBody(response, out, () => timer.refresh())
    return response.ok
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw error
    throw toUnreachable(error, request, server.baseUrl)
  } finally {
    clearTimeout(timer)
  }
}

class BodyTooLargeError extends Error {}

/** JSON is indented. Anything else, such as a statement or a stream of events, is printed byte by byte as it arrives. */
async function printBody(response: Response, out: Output, onChunk: () => void): Promise<void> {
  if (response.body === null) return
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    onChunk()
    bytes += chunk.length
    if (!isJson) out.raw(chunk)
    else if (bytes <= JSON_BYTES_MAX) chunks.push(chunk)
    else
      throw new BodyTooLargeError(`The answer has more than ${JSON_BYTES_MAX} bytes. Ask for fewer rows with ?limit=.`)
  }
  if (bytes > 0 && isJson) out.raw(Buffer.from(`${indent(Buffer.concat(chunks).toString())}\n`))
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function toUnreachable(error: unknown, request: ApiRequest, baseUrl: string): UnreachableError {
  const { idempotencyKey } = request
  const isTimeout = error instanceof Error && error.name === 'AbortError'
  const reason = describeError(error instanceof Error ? (error.cause ?? error) : error)
  const what = isTimeout
    ? `No answer from ${baseUrl} for ${SILENCE_MS} ms.`
    : `No complete answer from ${baseUrl} (${reason}).`
  const isUnsent = /ECONNREFUSED|ENOTFOUND|bad port/.test(reason)
  const next = isUnsent ? ' Nothing was sent.' : adviseRepeating(request)
  const code = isTimeout ? 'timeout' : 'unreachable'
  return new UnreachableError(what + next, { code, idempotencyKey }, { cause: error })
}

function adviseRepeating({ method, idempotencyKey }: ApiRequest): string {
  if (method === 'GET') return ''
  const unknown = ' It is not known whether the request was carried out.'
  if (idempotencyKey === undefined) return `${unknown} Read the object before you repeat it.`
  return `${unknown} Repeat it with --idempotency-key ${idempotencyKey}: it is carried out at most once.`
}
