// A request of the log as code that makes it again: for a shell, and with the SDK. The key stays in the environment.
import type { RequestLog } from '@cardstock/sdk'
import { SDK_METHODS } from './sdk-methods.ts'

/** The routes that take an Idempotency-Key. A repeated request needs a new one. */
const IDEMPOTENT = new Set([
  '/api/v1/operations',
  '/api/v1/card-account/invoices',
  '/api/v1/holders',
  '/api/v1/sandbox/funding',
])

/** What the server writes in the place of a value that the log does not keep. */
export const HIDDEN = '[redacted]'

export function hasHidden({ requestBody }: RequestLog): boolean {
  return requestBody !== null && JSON.stringify(requestBody).includes(HIDDEN)
}

const needsKey = ({ method, path }: RequestLog) => method === 'POST' && IDEMPOTENT.has(path)

/** The key is in the text, because not every system has a command that makes one. Running it twice makes one object. */
export function toCurl(log: RequestLog, baseUrl: string, idempotencyKey: string): string {
  const { method, path, requestBody } = log
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${baseUrl}${path}'`,
    `-H "Authorization: Bearer $CARDSTOCK_API_KEY"`,
    ...(needsKey(log) ? [`-H 'Idempotency-Key: ${idempotencyKey}'`] : []),
    ...(requestBody === null
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(requestBody).replaceAll("'", String.raw`\u0027`)}'`,
        ]),
  ]
  return lines.join(' \\\n  ')
}

/** Undefined when the SDK has no method for it. */
export function toSdk(log: RequestLog, baseUrl: string): string | undefined {
  const found = findMethod(`${log.method} ${log.path}`)
  if (found === undefined) return undefined
  const values = [
    ...found.ids.map((id) => JSON.stringify(id)),
    ...(log.requestBody === null ? [] : [JSON.stringify(log.requestBody, null, 2)]),
  ]
  return `import { Cardstock } from '@cardstock/sdk'

// The key comes from CARDSTOCK_API_KEY.
const cardstock = new Cardstock({ baseUrl: ${JSON.stringify(baseUrl)} })
const answer = await cardstock.${found.method}(${values.join(', ')})
console.log(answer)
`
}

function findMethod(call: string): { method: string; ids: string[] } | undefined {
  for (const [route, method] of Object.entries(SDK_METHODS)) {
    const match = new RegExp(`^${route.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(call)
    if (match !== null) return { method, ids: match.slice(1) }
  }
  return undefined
}
