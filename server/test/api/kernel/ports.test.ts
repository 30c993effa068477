// The operator's routes on a separate port, and metrics that need a token.
import { afterAll, describe, expect, it } from 'vitest'
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
