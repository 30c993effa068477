// What the server says about itself: health, metrics and the OpenAPI documents. The pages are tested in test/docs.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../src/errors.ts'
import { documentedRefusals } from '../../../src/http/openapi/refusals.ts'
import { TestServer } from '../../support/harness.ts'
import { findNameless, findUndescribed, type OpenApi } from './openapi.ts'

const server = await TestServer.start()
const { key } = await server.createCompany()
afterAll(() => server.stop())

const get = (path: string) => server.request('GET', path)

it('/healthz and /readyz answer 200', async () => {
  expect((await get('/healthz')).body).toEqual({ status: 'ok' })
  expect((await get('/readyz')).body).toEqual({ status: 'ready' })
})

it('/metrics counts requests by route pattern and never by id', async () => {
  await server.get('/api/v1/cards/card_00000000000000000000000000000000', key)
  await get('/no/such/path')
  const { text, headers } = await get('/metrics')
  expect(headers.get('content-type')).toMatch(/^text\/plain/)
  expect(text).toContain('http_request_duration_seconds_count{method="GET",route="/api/v1/cards/:id",status="4xx"} 1')
  expect(text).not.toContain('card_0000')
  expect(text).not.toContain('/no/such/path')
  expect(text).not.toContain(key)
})

const DOCUMENTS = ['/openapi.json', '/openapi-admin.json', '/openapi-console.json']
const operationsOf = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

describe('the OpenAPI documents', () => {
  it('describe every route of the server exactly once, and nothing else', async () => {
    const described: string[] = []
    for (const path of DOCUMENTS) {
      const { body, headers } = await server.request<OpenApi>('GET', path)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect([body.openapi, body.info.version]).toEqual(['3.1.0', '1.1.0'])
      described.push(...operationsOf(body).map((operation) => `${operation.method} ${operation.path}`))
    }
    const served = server.app.routes
      // The issuer's protocol has a document of its own, and the pages of the console are for people.
      .filter(({ tag }) => tag !== 'issuer' && tag !== 'pages')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.toSorted()).toEqual(served.toSorted())
  })

  it('keep the operator’s calls out of the company’s document', async () => {
    const { body } = await server.request<OpenApi>('GET', '/openapi.json')
    expect(Object.keys(body.paths).filter((path) => path.startsWith('/admin'))).toEqual([])
  })

  it.each(DOCUMENTS)(
    '%s names each operation once, declares each path parameter, and has no broken reference',
    async (path) => {
      const { body, text } = await server.request<OpenApi>('GET', path)
      const operations = operationsOf(body)
      const ids = operations.map(({ operation }) => operation.operationId)
      expect(new Set(ids).size).toBe(ids.length)
      for (const { path: route, operation } of operations) {
        const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
        expect(declared).toEqual(inPath)
      }
      for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
        const target = pointer.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], body)
        expect(target, pointer).toBeDefined()
      }
    },
  )

  it.each(DOCUMENTS)('%s describes every operation, parameter, schema and property', async (path) => {
    const { body } = await server.request<OpenApi>('GET', path)
    expect(findUndescribed(body)).toEqual([])
  })

  it.each(DOCUMENTS)('%s names every object, so that no generator invents a name', async (path) => {
    const { body } = await server.request<OpenApi>('GET', path)
    expect(findNameless(body)).toEqual([])
  })

  it('/openapi.json needs less than half as much for a call as it did with an error schema for every call', async () => {
    // Without white space, it had 509,823 bytes for 47 calls then. Those calls alone have 258,533 now, with the fields, filters and orders that
    // they were given since.
    const { body, text } = await server.request<OpenApi>('GET', '/openapi.json')
    expect(Buffer.byteLength(text) / operationsOf(body).length).toBeLessThan(509_823 / 47 / 2)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(295_000)
  })

  it.each(DOCUMENTS)('%s lets answers and events have more fields, and closes only what is sent', async (path) => {
    const { body } = await server.request<OpenApi>('GET', path)
    const { schemas, pathItems = {} } = body.components
    const reached = (start: unknown, names = new Set<string>()): Set<string> => {
      for (const [, name = ''] of JSON.stringify(start).matchAll(/"#\/components\/schemas\/(\w+)"/g))
        if (!names.has(name)) reached(schemas[name] ?? {}, names.add(name))
      return names
    }
    const operations = operationsOf(body).map(({ operation }) => operation)
    const isClosed = (name: string) =>
      schemas[name]?.additionalProperties === false && Object.keys(schemas[name].properties ?? {}).length > 0
    expect([...reached([operations.map(({ responses }) => responses), pathItems])].filter(isClosed)).toEqual([])
    const sent = [...reached(operations.map(({ requestBody }) => requestBody ?? {}))]
    // Browsers decide what a passkey's answer has.
    const own = sent.filter((name) => schemas[name]?.properties !== undefined && !name.startsWith('Passkey'))
    expect(own.filter((name) => !isClosed(name))).toEqual([])
  })

  it.each(DOCUMENTS)(
    '%s has one schema and shared responses for errors, and each call lists its codes',
    async (path) => {
      const { body } = await server.request<OpenApi>('GET', path)
      expect(Object.keys(body.components.schemas).filter((name) => name.endsWith('Error'))).toEqual(['Error'])
      for (const { method, path: route, operation } of operationsOf(body)) {
        const served = server.app.routes.find(
          (each) => each.method === method && each.path.replaceAll(/:(\w+)/g, '{$1}') === route,
        )
        const codes = served === undefined ? [] : documentedRefusals(served)
        expect(operation['x-error-codes'], operation.operationId).toEqual(codes)
        const refusals = Object.entries(operation.responses).filter(([status]) => /^[45]/.test(status))
        const statuses = [...new Set(codes.map((code) => String(ERRORS[code])))]
        expect(refusals.map(([status]) => status).toSorted()).toEqual(statuses.toSorted())
        for (const [, response] of refusals) {
          const name = response.$ref?.replace('#/components/responses/', '') ?? ''
          const { schema } = body.components.responses[name]?.content['application/json'] ?? {}
          expect(schema).toEqual({ $ref: '#/components/schemas/Error' })
        }
      }
    },
  )

  it('names only the API key as the security of a company’s calls', async () => {
    const { body } = await server.request<OpenApi>('GET', '/openapi.json')
    expect(Object.keys(body.components.securitySchemes)).toEqual(['apiKey'])
    for (const { path, operation } of operationsOf(body))
      expect(operation.security, path).toEqual(path.startsWith('/api/') ? [{ apiKey: [] }] : [])
  })

  it.each(DOCUMENTS)('%s has no schema whose name Go gives to the constructor of another', async (path) => {
    const { body } = await server.request<OpenApi>('GET', path)
    expect(Object.keys(body.components.schemas).filter((name) => /^New[A-Z]/.test(name))).toEqual([])
  })

  it('give every event a named schema that lists its own types, and map every type to one', async () => {
    const { body } = await server.request<OpenApi>('GET', '/openapi.json')
    const { schemas } = body.components
    const { oneOf = [], discriminator } = schemas['Event'] ?? {}
    const own = oneOf.flatMap(({ $ref = '' }) =>
      (schemas[$ref.slice($ref.lastIndexOf('/') + 1)]?.properties?.['type']?.enum ?? []).map((type) => [type, $ref]),
    )
    expect(Object.fromEntries(own)).toEqual(discriminator?.mapping)
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual(Object.keys(body.webhooks ?? {}))
  })

  it('say the default of limit where there is one, the format of dates, and which answers are files', async () => {
    const { body } = await server.request<OpenApi>('GET', '/openapi.json')
    const parameter = (path: string, name: string) =>
      body.paths[path]?.['get']?.parameters.find((each) => each.name === name)?.schema
    expect(parameter('/api/v1/operations', 'limit')).toMatchObject({ default: 50 })
    expect(parameter('/api/v1/cards', 'limit')).not.toHaveProperty('default')
    expect(parameter('/api/v1/account-statements', 'from')).toMatchObject({ format: 'date' })
    const statement = body.paths['/api/v1/account-statements']?.['get']?.responses['200']?.content
    expect(statement?.['text/csv']?.schema).toEqual({ type: 'string' })
    expect(statement?.['application/pdf']?.schema).toEqual({ type: 'string', format: 'binary' })
  })

  it('are compressed, and are not sent again to who has them', async () => {
    for (const path of ['/openapi.json', '/openapi.yaml', '/llms.txt']) {
      const plain = await get(path)
      const url = server.baseUrl + path
      // Node decompresses what it fetches, but it tells of the encoding.
      const encoded = await fetch(url, { headers: { 'accept-encoding': 'br' } })
      expect(encoded.headers.get('content-encoding')).toBe('br')
      expect(await encoded.text()).toBe(plain.text)
      const etag = plain.headers.get('etag') ?? ''
      const again = await server.request('GET', path, { headers: { 'if-none-match': etag } })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
      const other = await server.request('GET', path, { headers: { 'if-none-match': 'W/"other"' } })
      expect(other.status).toBe(200)
    }
  })

  it('are the same as YAML', { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-yaml-'))
    const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js')
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    try {
      for (const path of DOCUMENTS) {
        const { text, headers } = await get(path.replace('.json', '.yaml'))
        expect(headers.get('content-type')).toBe('application/yaml; charset=utf-8')
        writeFileSync(join(folder, 'in.yaml'), text)
        await promisify(execFile)(process.execPath, [redocly, 'bundle', 'in.yaml', '-o', 'out.json'], {
          cwd: folder,
          env,
        })
        const { body } = await server.request<OpenApi>('GET', path)
        expect(JSON.parse(readFileSync(join(folder, 'out.json'), 'utf8'))).toEqual(body)
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

it('/llms.txt lists pages of the documentation with addresses that answer', async () => {
  const { text, headers } = await get('/llms.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(text).toMatch(/^# Cardstock\n\n> .+\n\n## /)
  const addresses = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\)/gm)].map(([, address = '']) => address)
  expect(addresses.length).toBeGreaterThan(40)
  for (const address of addresses) {
    expect(address.startsWith(`${server.baseUrl}/`), address).toBe(true)
    expect((await fetch(address, { method: 'HEAD' })).status, address).toBe(200)
  }
})
