// What the server says about itself: health, metrics and the OpenAPI documents. The pages are tested in test/docs.
import { afterAll, describe, expect, it } from 'vitest'
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
})
