// The limits of signing in over HTTP: strangers cannot keep people out, whether by wrong passwords or by filling the queue.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BucketStore } from '../../../src/http/limits/buckets.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { addTotp, Browser, codeOf, join, PASSWORD } from './people.ts'

const WRONG = 'not the password at all'
const STRANGER = '198.51.100.1'
const HOME = '192.0.2.1'

/** Signs in from an address, in a browser that has none but these cookies. */
async function signIn(
  server: TestServer,
  email: string,
  { password = PASSWORD, from = HOME, cookie = '' }: { password?: string; from?: string; cookie?: string } = {},
) {
  const headers = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': from, cookie }
  return server.request('POST', '/console/v1/sign-in', { headers, body: { email, password } })
}

/** The cookie by which a browser is recognised. */
const browserCookie = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((each) => each.startsWith('cardstock_browser='))
    ?.split(';', 1)[0] ?? ''

describe('wrong passwords', () => {
  let server: TestServer
  let company: TestCompany
  beforeAll(async () => {
    server = await TestServer.start({
      TRUST_PROXY: '1',
      FAILED_SIGN_INS_PER_ACCOUNT: '3',
      FAILED_SIGN_INS_PER_ADDRESS: '6',
    })
    company = await server.createCompany()
  })
  afterAll(() => server.stop())

  const sendWrong = async (email: string, from: string, times: number) => {
    const statuses = []
    for (let sent = 0; sent < times; sent += 1) {
      statuses.push((await signIn(server, email, { password: WRONG, from })).status)
    }
    return statuses
  }

  it('of strangers at many addresses keep neither the owner out nor their session from proving anything', async () => {
    const owner = await join(server, 'owner', company)
    const { secret } = await addTotp(owner)
    for (let number = 0; number < 30; number += 1) {
      expect(await sendWrong(owner.email, `198.51.100.${number}`, 5)).toEqual([401, 401, 401, 429, 429])
    }
    server.clock.advance(60_000)
    const verify = await owner.post('/console/v1/second-factor/verify', { code: codeOf(secret, server) })
    expect(verify.status).toBe(200)
    const change = { currentPassword: PASSWORD, newPassword: 'eleven brown foxes' }
    expect((await owner.post('/console/v1/password', change)).status).toBe(204)
    expectError(await signIn(server, owner.email, { password: 'eleven brown foxes' }), 'second_factor_required')
  })

  it('in a session keep neither its person from signing in nor another session from proving anything', async () => {
    const owner = await join(server, 'owner', company)
    const second = new Browser(server)
    await second.signIn(owner.email)
    const change = { currentPassword: WRONG, newPassword: 'eleven brown foxes' }
    for (let sent = 0; sent < 3; sent += 1) {
      expectError(await owner.post('/console/v1/password', change), 'invalid_credentials')
    }
    expectError(await owner.post('/console/v1/password', change), 'rate_limited')
    expectError(await second.post('/console/v1/password', change), 'invalid_credentials')
    expect((await signIn(server, owner.email, { from: '192.0.2.2' })).status).toBe(200)
  })

  it('from the address of the owner do not keep out a browser in which they have signed in before', async () => {
    const [owner, other] = [await join(server, 'owner', company), await join(server, 'viewer', company)]
    const from = '192.0.2.3'
    const cookie = browserCookie((await signIn(server, owner.email, { from })).headers)
    const ofOther = browserCookie((await signIn(server, other.email, { from })).headers)
    await sendWrong(owner.email, from, 4)
    await sendWrong('somebody@example.com', from, 10)
    expectError(await signIn(server, owner.email, { from }), 'rate_limited')
    expectError(await signIn(server, owner.email, { from, cookie: ofOther }), 'rate_limited')
    expectError(await signIn(server, owner.email, { from, cookie: `${cookie.slice(0, -2)}AA` }), 'rate_limited')
    const known = await signIn(server, owner.email, { from, cookie })
    expect(known.status).toBe(200)
    expect(browserCookie(known.headers)).toBe(cookie)
  })

  it('of a browser that is known are limited like those of any other', async () => {
    const owner = await join(server, 'owner', company)
    const cookie = browserCookie((await signIn(server, owner.email, { from: '192.0.2.4' })).headers)
    const send = () => signIn(server, owner.email, { password: WRONG, from: '192.0.2.4', cookie })
    for (let sent = 0; sent < 3; sent += 1) expectError(await send(), 'invalid_credentials')
    expectError(await send(), 'rate_limited')
  })

  it('get the same answers whether or not the account exists', async () => {
    const { email } = await join(server, 'owner', company)
    const known = await sendWrong(email, '203.0.113.1', 8)
    expect(await sendWrong('nobody@example.com', '203.0.113.2', 8)).toEqual(known)
  })

  it('from addresses of one IPv6 network count together', async () => {
    const { email } = await join(server, 'owner', company)
    const statuses = []
    for (let host = 1; host <= 5; host += 1) statuses.push(...(await sendWrong(email, `2001:db8:1:1::${host}`, 1)))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await sendWrong(email, '2001:db8:1:2::1', 1)).toEqual([401])
  })

  it('do not use up what passkeys and links of the same address have', async () => {
    for (let account = 0; account < 3; account += 1) await sendWrong(`n${account}@example.com`, STRANGER, 3)
    const headers = { 'x-csrf': '1', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': STRANGER }
    const token = 'cstk_reset_0123456789012345678901234567890123456789012345678'
    const read = await server.request('POST', '/console/v1/links/read', { headers, body: { token } })
    expectError(read, 'link_not_valid')
  })
})

it('when very many strangers have used up an account, only a new browser at a new address has to wait', async () => {
  // As if the cap of every account were reached.
  const bucketStore: BucketStore = {
    take: async ({ name }) => (name === 'failed-sign-ins-account' ? { allowed: false, tokens: 0 } : undefined),
    giveBack: () => undefined,
  }
  const server = await TestServer.start({ TRUST_PROXY: '1' }, { bucketStore })
  try {
    // They have signed in from 127.0.0.1, by their invitation.
    const owner = await join(server, 'owner', await server.createCompany())
    const known = await signIn(server, owner.email, { from: '127.0.0.1' })
    expect(known.status).toBe(200)
    expectError(await signIn(server, owner.email), 'rate_limited')
    expect((await signIn(server, owner.email, { cookie: browserCookie(known.headers) })).status).toBe(200)
    // That sign-in was from there.
    expect((await signIn(server, owner.email)).status).toBe(200)
    expectError(await signIn(server, 'nobody@example.com', { from: '127.0.0.1' }), 'rate_limited')
    expect((await owner.get('/console/v1/me')).status).toBe(200)
  } finally {
    await server.stop()
  }
})

describe('right passwords', () => {
  it('are limited per account and address, and per address', async () => {
    const server = await TestServer.start({ TRUST_PROXY: '1', SIGN_INS_PER_ACCOUNT: '3', SIGN_INS_PER_ADDRESS: '6' })
    try {
      const company = await server.createCompany()
      const people = [await join(server, 'owner', company), await join(server, 'viewer', company)]
      const [one, two] = people.map(({ email }) => email) as [string, string]
      for (let sent = 0; sent < 3; sent += 1) expect((await signIn(server, one)).status).toBe(200)
      const refused = await signIn(server, one)
      expectError(refused, 'rate_limited')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      expect((await signIn(server, one, { from: '192.0.2.9' })).status).toBe(200)
      for (let sent = 0; sent < 2; sent += 1) expect((await signIn(server, two)).status).toBe(200)
      expectError(await signIn(server, two), 'rate_limited')
    } finally {
      await server.stop()
    }
  })

  describe('of four accounts at one address leave places for nine people', () => {
    let server: TestServer
    let emails: string[]
    beforeAll(async () => {
      // Costs enough that the queue fills.
      server = await TestServer.start({ TRUST_PROXY: '1' }, { passwordCostBits: 14 })
      const company = await server.createCompany()
      const people = await Promise.all(Array.from({ length: 13 }, () => join(server, 'viewer', company)))
      emails = people.map(({ email }) => email)
    })
    afterAll(() => server.stop())

    it.each([
      ['other addresses', (index: number) => `192.0.2.${index}`],
      ['another address', () => '192.0.2.1'],
      ['the same address', () => STRANGER],
    ])('at %s', async (_name, addressOf) => {
      const flood = Array.from({ length: 60 }, (_, index) => signIn(server, emails[index % 4]!, { from: STRANGER }))
      const others = emails.slice(4).map((email, index) => signIn(server, email, { from: addressOf(index) }))
      const answered = await Promise.all(others)
      const flooded = await Promise.all(flood)
      expect(answered.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200))
      // The flood is told to slow down, and nobody is told that the server is at its end.
      expect(new Set(flooded.map(({ status }) => status))).toEqual(new Set([200, 429]))
    })
  })
})
