// Behind a proxy: a client cannot choose the address that a key's CIDR list and the limit of failures see.
import { afterAll, expect, it } from 'vitest'
import { TestServer } from '../../support/harness.ts'

const server = await TestServer.start({ TRUST_PROXY: '1', FAILED_AUTHENTICATION_PER_MINUTE: '5' })
const company = await server.createCompany()
const key = await server.createKey(company.id, { allowedCidrs: ['203.0.113.0/24'] })
afterAll(() => server.stop())

const get = (token: string, forwardedFor: string) =>
  server.request('GET', '/api/v1/balance', { token, headers: { 'x-forwarded-for': forwardedFor } })

it.each([
  ['203.0.113.7', 200],
  ['198.51.100.1', 403],
  // The proxy appends the address it saw; the client made up everything before it.
  ['203.0.113.7, 198.51.100.1', 403],
  ['198.51.100.1, 203.0.113.7', 200],
  ['203.0.113.7, unknown', 403],
  ['203.0.113.7, ', 403],
])('with X-Forwarded-For: %s a key for 203.0.113.0/24 gets %i', async (header, status) => {
  expect((await get(key, header)).status).toBe(status)
})

it('inventing addresses does not escape the limit of failed authentications', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 10; index += 1) {
    statuses.push((await get('wrong', `10.1.2.${index}, 192.0.2.1`)).status)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.at(-1)).toBe(429)
})
