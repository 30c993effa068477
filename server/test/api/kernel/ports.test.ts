// The operator's routes on a separate port, and metrics that need a token.
import { afterAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import type { ApiError } from '../../../src/errors.ts'
import { healthRoutes } from '../../../src/http/system-routes.ts'
import { isMetricsPortLocal } from '../../../src/config/exposure.ts'
import { must } from '../../../src/lib/invariant.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const TOKEN = 'a-token-for-the-metrics'
const server = await TestServer.start({ ADMIN_PORT: '0', METRICS_TOKEN: TOKEN })
const adminUrl = (await server.app.adminServer?.listen({ host: '127.0.0.1', port: 0 })) ?? ''
const company = await server.createCompany()
afterAll(() => server.stop())

const ask = (base: string, path: string, token: string) =>
  fetch(base + path, { headers: { authorization: `Bearer ${token}` } })

describe('with ADMIN_PORT', () => {
  it('the public port does not serve the operator’s routes or the metrics', async () => {
    for (const { path, method } of server.app.routes.filter(({ access }) => access.by === 'operator')) {
      const answer = await server.request(method, path.replaceAll(/:\w+/g, 'x'), { token: server.operatorToken })
      expectError(answer, 'not_found')
    }
    expectError(await server.get('/metrics', TOKEN), 'not_found')
    expect((await server.get('/api/v1/products', company.key)).status).toBe(200)
  })
  it('the admin port serves them, and not the companies’ routes', async () => {
    expect((await ask(adminUrl, '/admin/v1/companies', server.operatorToken)).status).toBe(200)
    expect((await ask(adminUrl, '/metrics', TOKEN)).status).toBe(200)
    expect((await ask(adminUrl, '/api/v1/products', company.key)).status).toBe(404)
  })
  it('both ports answer the health checks', async () => {
    for (const base of [server.baseUrl, adminUrl]) {
      expect((await ask(base, '/healthz', '')).status).toBe(200)
      expect((await ask(base, '/readyz', '')).status).toBe(200)
    }
  })
})

describe('with METRICS_TOKEN', () => {
  it.each(['', 'x', `${TOKEN}x`, TOKEN.slice(1), server.operatorToken])('the token "%s" is refused', async (token) => {
    const answer = await ask(adminUrl, '/metrics', token)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="cardstock"')
    expect(await answer.json()).toMatchObject({ code: 'invalid_metrics_token' })
  })
  it('no token is refused', async () => {
    expect((await fetch(`${adminUrl}/metrics`)).status).toBe(401)
  })
})

describe('without METRICS_TOKEN', () => {
  it.each([
    [{}, 200],
    [{ HOST: '0.0.0.0' }, 401],
    [{ PUBLIC_URL: 'https://cards.example.com' }, 401],
    [{ TRUST_PROXY: '1' }, 401],
    [{ HOST: '0.0.0.0', ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' }, 200],
    [{ ADMIN_PORT: '0', ADMIN_HOST: '10.0.0.5' }, 401],
  ])('the settings %j answer a request from this machine with %i', async (environ: Record<string, string>, status) => {
    expect((await readMetrics(environ, {})).status).toBe(status)
  })

  it('a server with a public address refuses everybody', async () => {
    const open = await TestServer.start({ PUBLIC_URL: 'https://cards.example.com' })
    const answer = await open.request('GET', '/metrics')
    expectError(answer, 'invalid_metrics_token')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="cardstock"')
    await open.stop()
  })

  it('a request that came through a proxy is refused with what to set, whatever the settings say', async () => {
    const { status, body } = await readMetrics({}, { 'x-forwarded-for': '203.0.113.7' })
    expect([status, body.code]).toEqual([401, 'invalid_metrics_token'])
    expect(body.message).toContain('Set METRICS_TOKEN')
    for (const headers of [{ via: '1.1 proxy' }, { forwarded: 'for=203.0.113.7' }, { host: 'cards.example.com' }])
      expect((await readMetrics({}, headers)).status).toBe(401)
  })
})

/** Asks the routes of a server with these settings, as if the request had come with these headers. */
async function readMetrics(environ: Record<string, string>, headers: Record<string, string>) {
  const config = readConfig(environ)
  const isLocal = isMetricsPortLocal(config.http)
  const route = must(
    healthRoutes({
      metrics: server.app.metrics,
      readMetrics: async () => '',
      metricsAccess: { token: config.secrets.metricsToken, isLocal },
      isReady: () => true,
    }).find(({ path }) => path === '/metrics'),
  )
  try {
    const { status } = await route.handle({ headers: { host: '127.0.0.1:8080', ...headers } } as never)
    return { status, body: { code: '', message: '' } }
  } catch (error) {
    const { statusCode: status, code, message } = error as ApiError
    return { status, body: { code, message } }
  }
}
