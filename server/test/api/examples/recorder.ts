// Sends the calls of the examples and keeps each request and answer under the operation that it belongs to.
import type { ErrorCode } from '../../../src/errors.ts'
import type { Route } from '../../../src/http/route.ts'
import type { TestAnswer, TestServer } from '../../support/harness.ts'
import { SseClient } from '../../support/sse.ts'

interface Call {
  token?: string
  body?: unknown
  headers?: Record<string, string>
  idempotencyKey?: string
  /** The status that this call must get. */
  expect: number
  /** Sees the headers of the answer. */
  onHeaders?: (headers: Headers) => void
}

interface Recorded {
  requests: Record<string, unknown>
  parameters: Record<string, string | number>
  responses: Record<string, Record<string, unknown>>
}

export class Recorder {
  readonly operations: Record<string, Recorded> = {}
  readonly errors: Record<string, unknown> = {}
  readonly events: Record<string, unknown> = {}
  readonly #server: TestServer

  constructor(server: TestServer) {
    this.#server = server
  }

  /** Sends a call and keeps it as the example `name` of its operation. */
  async call<Body = Record<string, unknown>>(name: string, line: string, call: Call): Promise<Body> {
    const [method = '', path = ''] = line.split(' ')
    const { expect: status, onHeaders, ...options } = call
    const answer = await this.#server.request<Body>(method, path, options)
    onHeaders?.(answer.headers)
    if (answer.status !== status) throw new Error(`${line} answered ${answer.status}: ${answer.text}`)
    const { route, params } = this.#match(method, path)
    const recorded = (this.operations[route.id] ??= { requests: {}, parameters: {}, responses: {} })
    Object.assign(recorded.parameters, params)
    if (options.idempotencyKey !== undefined) recorded.parameters['Idempotency-Key'] ??= options.idempotencyKey
    if (options.body !== undefined) recorded.requests[name] = options.body
    const isText = answer.headers.get('content-type')?.startsWith('application/json') !== true
    if (!isText) (recorded.responses[status] ??= {})[name] = answer.body
    return answer.body
  }

  /** Keeps a refusal as the example of its code. */
  refuse(code: ErrorCode, { body, text }: Pick<TestAnswer<unknown>, 'body' | 'text'>): void {
    if ((body as { code?: string } | undefined)?.code !== code) throw new Error(`${code} was expected: ${text}`)
    this.errors[code] ??= body
  }

  /** Keeps the first event of the stream as the example of its operation. `cause` makes it happen once the stream is open. */
  async stream(name: string, path: string, token: string, cause: () => Promise<unknown>): Promise<void> {
    const client = await SseClient.open(this.#server.baseUrl, token, {
      query: new URL(path, 'http://localhost').search,
    })
    await cause()
    const [event] = await client.has(1)
    const { route, params } = this.#match('GET', path)
    const text = `retry: ${client.retryMs}\nid: ${client.position}\n\nid: ${client.position}\ndata: ${JSON.stringify(event)}\n\n`
    this.operations[route.id] = { requests: {}, parameters: params, responses: { 200: { [name]: text } } }
    client.close()
  }

  #match(method: string, path: string): { route: Route; params: Record<string, string> } {
    const url = new URL(path, 'http://localhost')
    for (const route of this.#server.app.routes) {
      const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
      const pattern = new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '([^/]+)')}$`)
      const found = route.method === method ? pattern.exec(url.pathname) : null
      if (found === null) continue
      const values = names.map((name, index) => [name, found[index + 1] ?? ''])
      return { route, params: Object.fromEntries([...values, ...url.searchParams]) as Record<string, string> }
    }
    throw new Error(`No route matches ${method} ${path}.`)
  }
}
