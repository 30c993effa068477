// The generated requests of examples/: the Bruno collection parses and covers every call, and requests.http, sent from top to
// bottom as an editor would, gets the status that it promises.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bruToEnvJsonV2, bruToJsonV2, collectionBruToJson } from '@usebruno/lang'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { until } from '../support/wait.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (name: string) => readFileSync(join(root, name), 'utf8')

interface Call {
  readonly method: string
  readonly path: string
}
const calls = ['openapi.json', 'openapi-admin.json'].flatMap((name) => {
  const { paths } = JSON.parse(read(name)) as { paths: Record<string, Record<string, { security: unknown[] }>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method]): Call => ({ method: method.toUpperCase(), path })),
  )
})
/** A call without what differs between the documents and the requests: the names of parameters. */
const shapeOf = ({ method, path }: Call) => `${method} ${path.replaceAll(/\{+\w+\}+/g, '{}')}`

describe('the Bruno collection', () => {
  const folder = join(root, 'examples/bruno')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.bru'))
  const isRequest = (name: string) =>
    !/(^|[\\/])(folder|collection)\.bru$/.test(name) && !name.startsWith('environments')
  const requests = names.filter(isRequest).map((name) => bruToJsonV2(read(`examples/bruno/${name}`)))

  test('has one request for every call of companies and operators', () => {
    const shapes = requests.map(({ http }) =>
      shapeOf({ method: http.method.toUpperCase(), path: http.url.replace('{{baseUrl}}', '').replace(/\?.*/, '') }),
    )
    expect(shapes.toSorted()).toEqual(calls.map(shapeOf).toSorted())
  })

  test('has valid JSON bodies, and a new idempotency key where one is needed', () => {
    const bodies = requests.flatMap(({ body }) => body?.json ?? [])
    expect(bodies.length).toBeGreaterThan(15)
    for (const body of bodies) expect(JSON.parse(body)).toBeTypeOf('object')
    const create = requests.find(({ http }) => http.method === 'post' && http.url.endsWith('/api/v1/operations'))
    expect(create?.headers).toEqual([{ name: 'Idempotency-Key', value: '{{$randomUUID}}', enabled: true }])
  })

  test('declares every variable, and keeps the key and the token out of its files', () => {
    const { variables } = bruToEnvJsonV2(read('examples/bruno/environments/Local.bru'))
    const used = requests.flatMap((request) =>
      [...JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
    )
    expect(new Set(variables.map(({ name }) => name))).toEqual(new Set([...used, 'apiKey', 'operatorToken']))
    expect(variables.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(['apiKey', 'operatorToken'])
    for (const [group, variable] of [
      ['company', 'apiKey'],
      ['operator', 'operatorToken'],
    ]) {
      const { auth } = collectionBruToJson(read(`examples/bruno/${group}/folder.bru`))
      expect(auth).toEqual({ mode: 'bearer', bearer: { token: `{{${variable}}}` } })
    }
    for (const { http } of requests) expect(http.auth).toBe('inherit')
  })
})

interface HttpRequest extends Call {
  readonly id: string
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | undefined
}

/** Reads the syntax that both editors share: variables, `###` between requests, comments, a request line, headers, a body. */
function parseHttpFile(text: string): { variables: Record<string, string>; requests: HttpRequest[] } {
  const [opening = '', ...parts] = text.split(/^### /m)
  const variables = Object.fromEntries(
    [...opening.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]),
  )
  const requests = parts.map((part): HttpRequest => {
    const [, comment = '', request = '', rest = ''] = /^.*\n(# .*)\n(.*)\n([^]*)$/.exec(part) ?? []
    const [head = '', body] = rest.trimEnd().split('\n\n')
    const [, id = '', status = ''] = /^# (\w+), answers (\d+)\./.exec(comment) ?? []
    const [method = '', path = ''] = request.split(' ')
    const headers = Object.fromEntries(head.split('\n').map((line) => line.split(/: (.*)/).slice(0, 2)))
    return { id, status: Number(status), method, path, headers, body }
  })
  return { variables, requests }
}

describe('requests.http', () => {
  const { variables, requests } = parseHttpFile(read('examples/requests.http'))
  let server: TestServer
  let company: TestCompany
  const values: Record<string, string> = {}
  beforeAll(async () => {
    server = await TestServer.start()
    company = await server.createCompany()
    Object.assign(values, { baseUrl: server.baseUrl, apiKey: company.key, operatorToken: server.operatorToken })
    values['companyId'] = company.wireId
  })
  afterAll(() => server.stop())

  const fill = (text: string) =>
    text.replaceAll('{{$timestamp}}', '1').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')

  async function send(id: string): Promise<Record<string, unknown>> {
    const request = requests.find((one) => one.id === id)
    if (request === undefined) throw new Error(`requests.http has no ${id}.`)
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, fill(value)]))
    const response = await fetch(fill(request.path), {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: fill(request.body) }),
    })
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      // A stream has no end of its own.
      await response.body?.cancel()
      expect(response.status, id).toBe(request.status)
      return {}
    }
    const text = await response.text()
    expect(response.status, `${id}: ${text}`).toBe(request.status)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  const keep = async (variable: string, id: string) => {
    values[variable] = String((await send(id))['id'])
  }

  test('has one request for every call, and declares every variable that it uses', () => {
    expect(
      requests
        .map(({ method, path }) => shapeOf({ method, path: path.replace('{{baseUrl}}', '').replace(/\?.*/, '') }))
        .toSorted(),
    ).toEqual(calls.map(shapeOf).toSorted())
    const used = [...JSON.stringify(requests).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    expect(new Set(Object.keys(variables))).toEqual(new Set(used))
  })

  test('its requests issue, use and fund a card, and get the status that they promise', async () => {
    await keep('holderId', 'createHolder')
    await send('creditSandboxFunds')
    await send('createQuote')
    await keep('operationId', 'createOperation')
    const operation = await until('the operation has ended', async () => {
      const found = await send('getOperation')
      return found['status'] === 'completed' ? found : undefined
    })
    values['cardId'] = (operation['result'] as { cardId: string }).cardId
    expect(values['cardId']).toMatch(/^card_/)
    for (const id of ['getCard', 'freezeCard', 'unfreezeCard']) await send(id)
    await keep('transactionId', 'createSandboxTransaction')
    for (const id of ['getTransaction', 'changeSandboxTransaction']) await send(id)
    await keep('invoiceId', 'createInvoice')
    for (const id of ['getInvoice', 'completeSandboxInvoice', 'getBalance', 'getAccountStatement']) await send(id)
    await keep('webhookEndpointId', 'createWebhookEndpoint')
    await keep('eventId', 'pingWebhookEndpoint')
    for (const id of ['getWebhookEndpoint', 'updateWebhookEndpoint', 'getEvent', 'rotateWebhookSecret']) await send(id)
  })

  test('its lists and the operator’s reads get the status that they promise', async () => {
    const isOpenRead = ({ method, path }: HttpRequest) => method === 'GET' && !/\{\{(?!baseUrl)/.test(path)
    const reads = requests.filter(isOpenRead).map(({ id }) => id)
    expect(reads.length).toBeGreaterThan(12)
    for (const id of [...reads.filter((name) => name !== 'reconcile'), 'getCompany', 'listKeys']) await send(id)
  })
})
