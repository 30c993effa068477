// A request of the log as code that makes it again: for a shell, and with the SDK. The API key stays in the environment. Everything
// else may come from an attacker, who can send any path, so it is quoted. A repeated request never creates a second object by itself.
import type { RequestLog } from '@cardstock/sdk'
import { toJavaScript, toShellWord, toVisibleJson, toVisibleUrl } from '~/lib/quote.ts'
import { SDK_METHODS } from './sdk-methods.ts'

/** The routes that take an Idempotency-Key. */
const IDEMPOTENT = new Set([
  '/api/v1/operations',
  '/api/v1/card-account/invoices',
  '/api/v1/holders',
  '/api/v1/sandbox/funding',
])
/** Computes a price and stores nothing. */
const QUOTES = '/api/v1/quotes'

/** What the server writes in the place of a value that the log does not keep. */
export const HIDDEN = '[redacted]'

/** Where a person puts the key that the log does not have. Without it the code stops before it sends anything. */
const KEY_VARIABLE = 'IDEMPOTENCY_KEY'
const KEY_WANTED =
  'Set it to the key of the first request to get its answer again, or to a new key to create another object.'

export type Sent = Pick<RequestLog, 'method' | 'path' | 'query' | 'requestBody' | 'idempotencyKey'>

/** Returns what must be filled in before the request is the same again, such as `name in the body`. */
export function listHidden({ path, query, requestBody }: Sent): string[] {
  return [
    ...(path.includes(HIDDEN) ? ['a part of the path'] : []),
    ...hiddenParameters(query ?? '').map((name) => (name === '' ? 'the query' : `${name} in the query`)),
    ...hiddenFields(requestBody, '').map((name) => (name === HIDDEN ? 'the body' : `${name} in the body`)),
  ]
}

function hiddenParameters(query: string): string[] {
  const hidden = query
    .slice(1)
    .split('&')
    .filter((part) => part.includes(HIDDEN))
  return hidden.map((part) => part.slice(0, Math.max(0, part.indexOf('='))))
}

/** The fields of the body, such as `failure.code`, whose values or names are hidden. */
function hiddenFields(value: unknown, name: string): string[] {
  if (typeof value === 'string') return value.includes(HIDDEN) ? [name] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) => hiddenFields(field, name === '' ? key : `${name}.${key}`))
}

const hasHidden = (sent: Sent) => listHidden(sent).length > 0

const takesKey = ({ method, path }: Sent) => method === 'POST' && IDEMPOTENT.has(path)

/** What running the code does: `same` gets the first answer again, `ask` stops until a key is set, `repeats` makes the change again. */
export type Effect = 'reads' | 'same' | 'ask' | 'repeats'

export function effectOf(sent: Sent): Effect {
  if (takesKey(sent)) return sent.idempotencyKey === null ? 'ask' : 'same'
  return sent.method === 'GET' || sent.method === 'HEAD' || sent.path === QUOTES ? 'reads' : 'repeats'
}

/** A value that the log does not keep would make it another request, so the code stops before it sends anything. */
const REPLACED_WANTED = `Replace every ${HIDDEN} in this code with the value of the first request, and remove this line.`

/** For sh, bash and zsh. */
export function toCurl(sent: Sent, baseUrl: string): string {
  const { method, path, query, requestBody } = sent
  const url = `${baseUrl}${path.startsWith('/') ? '' : '/'}${toVisibleUrl(path + (query ?? ''))}`
  const words = [
    'curl',
    // Otherwise curl takes brackets for a list of URLs, and removes dot segments from the path.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/\/(?:\.|%2e)/i.test(path) ? ['--path-as-is'] : []),
    // With -X HEAD curl would wait for a body.
    ...(method === 'GET'
      ? []
      : [method === 'HEAD' ? '--head' : `-X ${/^[A-Z]+$/.test(method) ? method : toShellWord(method)}`]),
    toShellWord(url),
  ]
  const lines = [
    words.join(' '),
    `-H "Authorization: Bearer $CARDSTOCK_API_KEY"`,
    ...(takesKey(sent) ? [`-H ${keyHeader(sent.idempotencyKey)}`] : []),
    // Not -d, which would read a file if the body began with an at sign.
    ...(requestBody === null
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${toShellWord(toVisibleJson(requestBody))}`]),
  ]
  const guard = hasHidden(sent) ? `: "\${UNSET_BY_DESIGN:?${REPLACED_WANTED}}" &&\n` : ''
  return guard + lines.join(' \\\n  ')
}

function keyHeader(key: string | null): string {
  return key === null ? `"Idempotency-Key: \${${KEY_VARIABLE}:?${KEY_WANTED}}"` : toShellWord(`Idempotency-Key: ${key}`)
}

/** Undefined when the SDK has no method for it. */
export function toSdk(sent: Sent, baseUrl: string): string | undefined {
  const { method, path, query, requestBody, idempotencyKey } = sent
  const found = findMethod(`${method} ${path}`)
  const parameters = [...new URLSearchParams(query ?? '')]
  // The SDK sends each parameter once.
  const isRepeated = new Set(parameters.map(([name]) => name)).size < parameters.length
  if (found === undefined || isRepeated) return undefined
  const isAsked = effectOf(sent) === 'ask'
  const values = [
    ...found.ids.map((id) => toJavaScript(id)),
    ...(requestBody === null ? [] : [toJavaScript(requestBody, 2)]),
    ...(query === null ? [] : [toJavaScript(Object.fromEntries(parameters))]),
    ...(takesKey(sent) ? [isAsked ? '{ idempotencyKey }' : `{ idempotencyKey: ${toJavaScript(idempotencyKey)} }`] : []),
  ]
  const lines = [
    `import { Cardstock } from '@cardstock/sdk'`,
    '',
    ...(hasHidden(sent) ? [`throw new Error('${REPLACED_WANTED}')`] : []),
    ...(isAsked
      ? [
          `const idempotencyKey = process.env.${KEY_VARIABLE}`,
          `if (!idempotencyKey) throw new Error('${KEY_VARIABLE}: ${KEY_WANTED}')`,
        ]
      : []),
    '// The API key comes from CARDSTOCK_API_KEY.',
    `const cardstock = new Cardstock({ baseUrl: ${toJavaScript(baseUrl)} })`,
    `const answer = await cardstock.${found.method}(${values.join(', ')})`,
    'console.log(answer)',
    '',
  ]
  return lines.join('\n')
}

function findMethod(call: string): { method: string; ids: string[] } | undefined {
  for (const [route, method] of Object.entries(SDK_METHODS)) {
    const match = new RegExp(`^${route.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(call)
    if (match !== null) return { method, ids: match.slice(1).map(decode) }
  }
  return undefined
}

/** The log has the path as it was sent, and the SDK encodes the ids again. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
