// What the server tells about itself: health, metrics, the OpenAPI document and the reference page.
import { afterAll, describe, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'

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

interface OpenApi {
  openapi: string
  info: { version: string }
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        responses: Record<string, unknown>
        security: object[]
        parameters: { name: string; in: string }[]
      }
    >
  >
  components: { schemas: Record<string, unknown> }
}

describe('/openapi.json', () => {
  it('is OpenAPI 3.1, version 1.1.0, with every route of the server and nothing else', async () => {
    const { body, headers } = await server.request<OpenApi>('GET', '/openapi.json')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect([body.openapi, body.info.version]).toEqual(['3.1.0', '1.1.0'])
    const described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = server.app.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    expect(described.toSorted()).toEqual(served.toSorted())
  })

  it('names each operation once, declares each path parameter, and refers only to schemas that are there', async () => {
    const { body, text } = await server.request<OpenApi>('GET', '/openapi.json')
    const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, operation })),
    )
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(
        inPath,
      )
      if (operation.security.length > 0)
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['401', '403', '429']))
    }
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(body.components.schemas).toHaveProperty(name ?? '')
  })
})

describe('/docs', () => {
  it('shows every call', async () => {
    const { text, headers } = await get('/docs')
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    for (const { method, path } of server.app.routes)
      expect(text).toContain(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
  })

  it('loads nothing from elsewhere and runs nothing', async () => {
    const { text, headers } = await get('/docs')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
    expect(text).not.toMatch(/<(script|link|img|iframe|object|embed)\b/i)
    expect(text).not.toMatch(/(src|href|action)\s*=\s*["']?\s*(https?:)?\/\//i)
    expect(text).not.toMatch(/@import|url\(/i)
    for (const [, target = ''] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${target}"`)
  })
})
