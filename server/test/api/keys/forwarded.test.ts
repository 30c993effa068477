// Behind a proxy: a client cannot choose the address that a key's CIDR list and the limit of failures see.
import { afterAll, expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { TestServer } from '../../support/harness.ts'

const server = await TestServer.start({ TRUST_PROXY: '1', FAILED_AUTHENTICATION_PER_MINUTE: '5' })
const company = await server.createCompany()
const key = await server.createKey(company.id, { allowedCidrs: ['203.0.113.0/24', 'fe80::/64'] })
afterAll(() => server.stop())

const get = (token: string, forwardedFor: string, from = server) =>
  from.request('GET', '/api/v1/balance', { token, headers: { 'x-forwarded-for': forwardedFor } })

it.each([
  ['203.0.113.7', 200],
  ['198.51.100.1', 403],
  // The proxy appends the address it saw; the client made up everything before it.
  ['203.0.113.7, 198.51.100.1', 403],
  ['198.51.100.1, 203.0.113.7', 200],
  ['203.0.113.7, unknown', 403],
  ['203.0.113.7, ', 403],
  // The zone of an address is left out.
  ['fe80::1%eth0', 200],
  ['[fe80::1%eth0]:4711', 200],
  ['203.0.113.7, fe80:0:0:1::1%eth0', 403],
  ['fe80::1%', 403],
  ['203.0.113.7%eth0', 403],
])('with X-Forwarded-For: %s a key for 203.0.113.0/24 and fe80::/64 gets %i', async (header, status) => {
  expect((await get(key, header)).status).toBe(status)
})

it('a zone in the list of proxies is refused, and a proxy that has one in the header is recognised without it', async () => {
  for (const list of ['fe80::1%eth0', 'fe80::1%eth0/64', '127.0.0.1,fe80::%1/64'])
    expect(() => readConfig({ TRUST_PROXY: list }), list).toThrow(/TRUST_PROXY must be/)
  const { connection } = server
  const other = await TestServer.start(
    { TRUST_PROXY: '127.0.0.0/8,fe80::/64' },
    { database: { connection, drop: async () => {} } },
  )
  expect((await get(key, '203.0.113.7, fe80::9%eth0', other)).status).toBe(200)
  expect((await get(key, '203.0.113.7, fe80:0:0:1::9%eth0', other)).status).toBe(403)
  await other.stop()
})

it('inventing addresses does not escape the limit of failed authentications', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 10; index += 1) {
    statuses.push((await get('wrong', `10.1.2.${index}, 192.0.2.1`)).status)
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.at(-1)).toBe(429)
})

it('nor does inventing zones', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 10; index += 1) statuses.push((await get('wrong', `fe80::5%z${index}`)).status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.at(-1)).toBe(429)
})
