// Signing in, sessions and their ends, and requests that another site may have caused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { Browser, invite, join, type MeBody, PASSWORD } from './people.ts'

const server = await TestServer.start({ SESSION_IDLE_MINUTES: '60', SESSION_LIFETIME_HOURS: '12' })
afterAll(() => server.stop())

let company: TestCompany
let email: string
beforeAll(async () => {
  company = await server.createCompany()
  email = (await join(server, 'owner', company)).email
})

const MINUTE = 60_000

async function signedIn(): Promise<Browser> {
  const browser = new Browser(server)
  expect((await browser.signIn(email)).status).toBe(200)
  return browser
}

async function countComputations(): Promise<number> {
  const { text } = await server.request('GET', '/metrics')
  return Number(/^cardstock_password_computations_total (\d+)$/m.exec(text)?.[1])
}

describe('signing in', () => {
  it('answers with the person, and sets a cookie that pages cannot read', async () => {
    const browser = new Browser(server)
    const answer = await browser.signIn(email.toUpperCase())
    expect(answer.body).toMatchObject({ email, name: 'The owner', hasPassword: true, programmeRole: null })
    expect(answer.body.companies).toMatchObject([{ id: company.wireId, role: 'owner' }])
    expect(answer.headers.get('set-cookie')).toMatch(
      /^cardstock_session=cstk_session_\w{49}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200, cardstock_browser=/,
    )
    expect((await browser.get<MeBody>('/console/v1/me')).body).toEqual(answer.body)
  })

  it('gives an unknown account the answer of a wrong password, for the same work', async () => {
    const browser = new Browser(server)
    const before = await countComputations()
    const wrong = await browser.signIn(email, 'not the password at all')
    const between = await countComputations()
    const unknown = await browser.signIn('nobody@example.com', 'not the password at all')
    const after = await countComputations()
    expectError(wrong, 'invalid_credentials')
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect([between - before, after - between]).toEqual([1, 1])
    expect(wrong.headers.get('set-cookie')).toBeNull()
  })

  it('gives a person without a password the same answer', async () => {
    const before = await countComputations()
    await server.db.run({
      name: undefined,
      text: `insert into person (id, email, name, created_at) values (gen_random_uuid(), 'bare@example.com', 'Bare', now())`,
      values: [],
    })
    expectError(await new Browser(server).signIn('bare@example.com', ''.padEnd(20, 'x')), 'invalid_credentials')
    expect((await countComputations()) - before).toBe(1)
  })

  it('refuses a very long password before any work', async () => {
    const before = await countComputations()
    expectError(await new Browser(server).signIn(email, 'x'.repeat(257)), 'validation_failed')
    expect(await countComputations()).toBe(before)
  })

  it('starts a new session each time, and ends the one that the browser had', async () => {
    const browser = await signedIn()
    const old = browser.cookie
    await browser.signIn(email)
    expect(browser.cookie).not.toBe(old)
    const thief = new Browser(server)
    thief.cookie = old
    expectError(await thief.get('/console/v1/me'), 'invalid_session')
  })

  it('never takes over a token that somebody planted in the browser', async () => {
    const planted = await signedIn()
    const victim = new Browser(server)
    victim.cookie = planted.cookie
    const other = await join(server, 'viewer', company)
    await victim.signIn(other.email)
    expect(victim.cookie).not.toBe(planted.cookie)
    expectError(await planted.get('/console/v1/me'), 'invalid_session')
  })
})

describe('a session ends', () => {
  it('when it is not used for an hour, but not while it is used', async () => {
    const browser = await signedIn()
    for (let used = 0; used < 3; used += 1) {
      server.clock.advance(59 * MINUTE)
      expect((await browser.get('/console/v1/me')).status).toBe(200)
    }
    server.clock.advance(60 * MINUTE)
    expectError(await browser.get('/console/v1/me'), 'invalid_session')
  })

  it('after twelve hours, however much it is used', async () => {
    const browser = await signedIn()
    for (let minutes = 0; minutes < 720; minutes += 45) {
      expect((await browser.get('/console/v1/me')).status).toBe(200)
      server.clock.advance(45 * MINUTE)
    }
    expectError(await browser.get('/console/v1/me'), 'invalid_session')
  })

  it('when the person signs out, and the cookie is taken away', async () => {
    const browser = await signedIn()
    const { cookie } = browser
    const answer = await browser.post('/console/v1/sign-out')
    expect(answer.status).toBe(204)
    expect(answer.headers.get('set-cookie')).toBe('cardstock_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    browser.cookie = cookie
    expectError(await browser.get('/console/v1/me'), 'invalid_session')
  })

  it('when another session of the person ends it', async () => {
    const [one, two] = [await signedIn(), await signedIn()]
    const { body } = await one.get<{ data: { id: string; isCurrent: boolean }[] }>('/console/v1/sessions')
    const { session } = (await two.get<MeBody>('/console/v1/me')).body
    expect(body.data.find(({ id }) => id === session.id)).toMatchObject({ isCurrent: false })
    expect(body.data.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect((await one.send('DELETE', `/console/v1/sessions/${session.id}`)).status).toBe(204)
    expectError(await two.get('/console/v1/me'), 'invalid_session')
    expectError(await one.send('DELETE', `/console/v1/sessions/${session.id}`), 'not_found')
  })

  it('when all others are ended, but not the one that asked', async () => {
    const [one, two] = [await signedIn(), await signedIn()]
    expect((await one.send('DELETE', '/console/v1/sessions')).status).toBe(204)
    expectError(await two.get('/console/v1/me'), 'invalid_session')
    expect((await one.get('/console/v1/me')).status).toBe(200)
  })

  it('is not ended by somebody else', async () => {
    const [browser, other] = [await signedIn(), await join(server, 'owner', company)]
    const { session } = (await browser.get<MeBody>('/console/v1/me')).body
    expectError(await other.send('DELETE', `/console/v1/sessions/${session.id}`), 'not_found')
    expect((await browser.get('/console/v1/me')).status).toBe(200)
  })
})

describe('a password change', () => {
  it('ends every session, and gives the browser that asked a new one', async () => {
    const person = await join(server, 'viewer', company)
    const other = new Browser(server)
    await other.signIn(person.email)
    const old = person.cookie
    const body = { currentPassword: PASSWORD, newPassword: 'eleven brown foxes' }
    expect((await person.post('/console/v1/password', body)).status).toBe(204)
    expect(person.cookie).not.toBe(old)
    expect((await person.get('/console/v1/me')).status).toBe(200)
    expectError(await other.get('/console/v1/me'), 'invalid_session')
    expectError(await other.signIn(person.email), 'invalid_credentials')
    expect((await other.signIn(person.email, 'eleven brown foxes')).status).toBe(200)
  })

  it('needs the password until now', async () => {
    const person = await join(server, 'viewer', company)
    for (const currentPassword of [undefined, 'something else']) {
      const body = { currentPassword, newPassword: 'eleven brown foxes' }
      expectError(await person.post('/console/v1/password', body), 'invalid_credentials')
    }
  })

  it.each([
    ['short', 'elevenchars'],
    ['common', 'Password1234'],
    ['repeated', 'abcabcabcabc'],
    ['a run', '123456789012'],
  ])('refuses a password that is %s', async (_name, newPassword) => {
    const person = await signedIn()
    const body = { currentPassword: PASSWORD, newPassword }
    expect(expectError(await person.post('/console/v1/password', body), 'password_refused').message).toMatch(
      /^The password .*\. Choose another one\.$/,
    )
  })
})

describe('a request that another site may have caused', () => {
  const write = (browser: Browser, headers: Record<string, string>) =>
    browser.post('/api/v1/holders', { name: 'Ada', email: 'ada@example.com', kind: 'individual' }, { headers })

  it.each([
    ['without X-CSRF', { 'x-csrf': '' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling domain', { 'sec-fetch-site': 'same-site' }],
    ['without any sign of its origin', { 'sec-fetch-site': '' }],
    ['from another origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['from a page without an origin', { 'sec-fetch-site': '', origin: 'null' }],
  ])('is refused %s', async (_name, headers) => {
    const browser = await signedIn()
    expectError(await write(browser, headers), 'csrf_refused')
    const signIn = await browser.post('/console/v1/sign-in', { email, password: PASSWORD }, { headers })
    expectError(signIn, 'csrf_refused')
    expect((await browser.get('/api/v1/holders', { headers })).status).toBe(200)
  })

  it('is accepted from this origin, also from a browser that sends no Sec-Fetch-Site', async () => {
    const browser = await signedIn()
    expect((await write(browser, {})).status).toBe(201)
    expect((await write(browser, { 'sec-fetch-site': '', origin: server.baseUrl })).status).toBe(201)
  })

  it('is no matter of keys', async () => {
    const answer = await server.request('POST', '/api/v1/sandbox/funding', {
      token: company.key,
      body: { amount: '10.00' },
      idempotencyKey: 'by-key',
      headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', cookie: (await signedIn()).cookie },
    })
    expect(answer.status).toBe(200)
  })
})

describe('behind a proxy that serves TLS', () => {
  it('the cookie is for TLS and this host only, and the other name is not read', async () => {
    const proxied = await TestServer.start({ TRUST_PROXY: '1' })
    try {
      const home = await proxied.createCompany()
      const { email: address } = await join(proxied, 'owner', home)
      const browser = new Browser(proxied)
      const headers = { 'x-forwarded-proto': 'https' }
      const answer = await browser.post('/console/v1/sign-in', { email: address, password: PASSWORD }, { headers })
      expect(answer.headers.get('set-cookie')).toMatch(/^__Host-cardstock_session=.*; Secure$/)
      expect((await browser.get('/console/v1/me', { headers })).status).toBe(200)
      browser.cookie = browser.cookie.replace('__Host-', '')
      expectError(await browser.get('/console/v1/me', { headers }), 'invalid_session')
    } finally {
      await proxied.stop()
    }
  })

  it('a client alone cannot say so', async () => {
    const browser = new Browser(server)
    const headers = { 'x-forwarded-proto': 'https' }
    const answer = await browser.post('/console/v1/sign-in', { email, password: PASSWORD }, { headers })
    expect(answer.headers.get('set-cookie')).not.toContain('Secure')
  })
})

describe('limits of failed sign-ins', () => {
  it('hold per account, whether it exists or not, and per address; a success does not count', async () => {
    const strict = await TestServer.start({ FAILED_SIGN_INS_PER_ACCOUNT: '3', FAILED_SIGN_INS_PER_ADDRESS: '8' })
    try {
      const { email: address } = await join(strict, 'owner', await strict.createCompany())
      const browser = new Browser(strict)
      for (let good = 0; good < 5; good += 1) expect((await browser.signIn(address)).status).toBe(200)
      for (const account of [address, 'nobody@example.com']) {
        for (let tries = 0; tries < 3; tries += 1) {
          expectError(await browser.signIn(account, 'wrong password here'), 'invalid_credentials')
        }
        const limited = await browser.signIn(account, PASSWORD)
        expectError(limited, 'rate_limited')
        expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expectError(await browser.signIn('another@example.com', 'wrong password here'), 'rate_limited')
    } finally {
      await strict.stop()
    }
  })
})

describe('secrets', () => {
  it('are in no table in the clear', async () => {
    const { token } = await invite(server, 'viewer', { company })
    const browser = await signedIn()
    const session = browser.cookie.split('=')[1] ?? ''
    const { rows } = { rows: await tablesAsText() }
    for (const secret of [token, session, PASSWORD]) {
      expect(rows.filter((row) => row.includes(secret))).toEqual([])
    }
    expect(rows.some((row) => row.includes('scrypt$10$'))).toBe(true)
  })
})

async function tablesAsText(): Promise<string[]> {
  const run = <Row>(text: string) => server.db.many<Row>({ name: undefined, text, values: [] })
  const tables = await run<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = current_schema()`,
  )
  const rows: string[] = []
  for (const { name } of tables) {
    rows.push(...(await run<{ text: string }>(`select t::text as text from ${name} t`)).map(({ text }) => text))
  }
  return rows
}
