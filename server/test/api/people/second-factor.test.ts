// The second factor: codes that work once, recovery codes, and proving it again before what can affect live money.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { addTotp, Browser, codeOf, join, type MeBody, PASSWORD } from './people.ts'

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

const STEP = 30_000
const VERIFY = '/console/v1/second-factor/verify'
const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
const writeLive = (browser: Browser) => browser.post('/api/v1/holders', holder, { environment: 'live' })

let person: Awaited<ReturnType<typeof join>>
beforeEach(async () => {
  person = await join(server, 'owner', company)
})

describe('an authenticator app', () => {
  it('counts once its first code is confirmed', async () => {
    const { body } = await person.post<{ secret: string; uri: string }>('/console/v1/second-factor/totp', {
      password: PASSWORD,
    })
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(body.uri).toContain(`otpauth://totp/Cardstock:${encodeURIComponent(person.email)}?issuer=Cardstock`)
    expect((await person.get<MeBody>('/console/v1/me')).body).toMatchObject({ hasSecondFactor: false })
    expect((await new Browser(server).signIn(person.email)).status).toBe(200)
    const confirm = (code: string) => person.post('/console/v1/second-factor/totp/confirm', { code })
    expectError(await confirm('000000'), 'invalid_second_factor')
    const confirmed = await confirm(codeOf(body.secret, server))
    expect(confirmed.body['recoveryCodes']).toHaveLength(10)
    expect((await person.get<MeBody>('/console/v1/me')).body).toMatchObject({
      hasSecondFactor: true,
      verifiedUntil: new Date(server.clock.now().getTime() + 600_000).toISOString(),
    })
    expect((await person.get('/console/v1/second-factor')).body).toEqual({
      totp: true,
      passkeys: 0,
      recoveryCodesLeft: 10,
    })
  })

  it('is asked for after the right password only', async () => {
    await addTotp(person)
    const browser = new Browser(server)
    expectError(await browser.signIn(person.email, 'wrong password here'), 'invalid_credentials')
    const asked = expectError(await browser.signIn(person.email), 'second_factor_required')
    expect(asked.details).toEqual({ methods: ['totp', 'recovery_code'] })
    expectError(await browser.signIn(person.email, PASSWORD, { code: '000000' }), 'invalid_second_factor')
    expect(browser.cookie).toBe('')
  })

  it('accepts each code once, and those of the step before and after', async () => {
    const { secret } = await addTotp(person)
    const browser = new Browser(server)
    const signIn = (code: string) => browser.signIn(person.email, PASSWORD, { code })
    expectError(await signIn(codeOf(secret, server)), 'invalid_second_factor')
    server.clock.advance(STEP)
    const code = codeOf(secret, server)
    const answers = await Promise.all([signIn(code), signIn(code)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401'])
    expectError(await person.post(VERIFY, { code }), 'invalid_second_factor')
    server.clock.advance(STEP)
    expectError(await signIn(codeOf(secret, server, -2)), 'invalid_second_factor')
    expectError(await signIn(codeOf(secret, server, 2)), 'invalid_second_factor')
    expect(
      (await signIn(`${codeOf(secret, server, 1).slice(0, 3)} ${codeOf(secret, server, 1).slice(3)}`)).status,
    ).toBe(200)
    // The code of the present is older than the one that was used.
    expectError(await signIn(codeOf(secret, server)), 'invalid_second_factor')
  })

  it('is removed with its recovery codes', async () => {
    const { recoveryCodes } = await addTotp(person)
    expect((await person.send('DELETE', '/console/v1/second-factor/totp')).status).toBe(204)
    expect((await new Browser(server).signIn(person.email)).status).toBe(200)
    expectError(await person.post(VERIFY, { code: recoveryCodes[0] }), 'invalid_second_factor')
  })

  it('keeps its secret encrypted, and bound to the person', async () => {
    const { secret } = await addTotp(person)
    const other = await join(server, 'viewer', company)
    const theirs = await addTotp(other)
    const rows = await server.db.many<{ text: string }>({
      name: undefined,
      text: 'select t::text as text from totp t',
      values: [],
    })
    expect(rows.length).toBeGreaterThan(1)
    for (const { text } of rows) expect(text).not.toContain(Buffer.from(secret).toString('hex'))
    await server.db.run({
      name: undefined,
      text: `update totp t set secret = o.secret from totp o, person p, person q
             where t.person_id = p.id and p.email = $1 and o.person_id = q.id and q.email = $2`,
      values: [person.email, other.email],
    })
    server.clock.advance(STEP)
    const answer = await person.post(VERIFY, { code: codeOf(theirs.secret, server) })
    expect(answer.status).toBe(500)
  })
})

describe('a recovery code', () => {
  it('works once instead of the app, however it is typed', async () => {
    const { recoveryCodes } = await addTotp(person)
    const [first = '', second = ''] = recoveryCodes
    const browser = new Browser(server)
    const typed = first.toUpperCase().replaceAll('-', ' ')
    expect((await browser.signIn(person.email, PASSWORD, { code: typed })).status).toBe(200)
    expectError(await browser.signIn(person.email, PASSWORD, { code: first }), 'invalid_second_factor')
    expect((await person.post(VERIFY, { code: second })).status).toBe(200)
    expect((await person.get('/console/v1/second-factor')).body).toMatchObject({ recoveryCodesLeft: 8 })
  })

  it('of somebody else is worth nothing', async () => {
    await addTotp(person)
    const { recoveryCodes } = await addTotp(await join(server, 'viewer', company))
    expectError(await person.post(VERIFY, { code: recoveryCodes[0] }), 'invalid_second_factor')
  })

  it('stops working when new ones are made', async () => {
    const { recoveryCodes } = await addTotp(person)
    const renewed = await person.post<{ recoveryCodes: string[] }>('/console/v1/second-factor/recovery-codes')
    expectError(await person.post(VERIFY, { code: recoveryCodes[0] }), 'invalid_second_factor')
    expect((await person.post(VERIFY, { code: renewed.body.recoveryCodes[0] })).status).toBe(200)
  })

  it('needs a second factor that it can replace', async () => {
    expectError(await person.post('/console/v1/second-factor/recovery-codes'), 'second_factor_missing')
  })
})

describe('a change in live', () => {
  it('needs a second factor, which was proved in the last ten minutes', async () => {
    expectError(await writeLive(person), 'second_factor_missing')
    const { secret } = await addTotp(person)
    expect((await writeLive(person)).status).toBe(201)
    server.clock.advance(10 * 60_000 - 1)
    expect((await writeLive(person)).status).toBe(201)
    server.clock.advance(1)
    expectError(await writeLive(person), 'step_up_required')
    expect((await person.get('/api/v1/holders', { environment: 'live' })).status).toBe(200)
    expect((await person.post('/api/v1/holders', holder)).status).toBe(201)
    expect((await person.post(VERIFY, { code: codeOf(secret, server) })).status).toBe(200)
    expect((await writeLive(person)).status).toBe(201)
  })

  it('is proved in the session that asks, not in another one', async () => {
    const { secret } = await addTotp(person)
    const other = new Browser(server)
    server.clock.advance(11 * 60_000)
    await other.signIn(person.email, PASSWORD, { code: codeOf(secret, server) })
    expect((await writeLive(other)).status).toBe(201)
    expectError(await writeLive(person), 'step_up_required')
  })
})

describe('whoever has a second factor proves it again', () => {
  it.each([
    ['to change people', (browser: Browser) => browser.post('/api/v1/invitations', { email: 'a@b', role: 'viewer' })],
    ['to change the password', (browser: Browser) => browser.post('/console/v1/password', { newPassword: 'x' })],
    ['to change the e-mail address', (browser: Browser) => browser.send('PATCH', '/console/v1/me', { body: {} })],
    ['to remove the app', (browser: Browser) => browser.send('DELETE', '/console/v1/second-factor/totp')],
    ['to make recovery codes', (browser: Browser) => browser.post('/console/v1/second-factor/recovery-codes')],
  ])('%s', async (_name, act) => {
    await addTotp(person)
    server.clock.advance(10 * 60_000)
    expectError(await act(person), 'step_up_required')
  })

  it('to change anything as an operator', async () => {
    const operator = await join(server, 'operator')
    const body = { name: 'New Ltd', kind: 'corporate' }
    expect((await operator.post('/admin/v1/companies', body)).status).toBe(201)
    await addTotp(operator)
    expect((await operator.post('/admin/v1/companies', body)).status).toBe(201)
    server.clock.advance(10 * 60_000)
    expectError(await operator.post('/admin/v1/companies', body), 'step_up_required')
    expect((await operator.get('/admin/v1/companies')).status).toBe(200)
  })
})

it('on a server with a live issuer, people and operators need a second factor to change people or anything', async () => {
  const live = await TestServer.start({ ISSUER_URL: 'http://127.0.0.1:9', ISSUER_SECRET: 's'.repeat(32) })
  try {
    const owner = await join(live, 'owner', await live.createCompany())
    const operator = await join(live, 'operator')
    expectError(await owner.post('/api/v1/invitations', { email: 'a@b', role: 'viewer' }), 'second_factor_missing')
    expectError(await operator.post('/admin/v1/companies', { name: 'N', kind: 'corporate' }), 'second_factor_missing')
    expect((await owner.post('/api/v1/holders', holder)).status).toBe(201)
  } finally {
    await live.stop()
  }
})

it('wrong codes are limited per session, and per account when signing in', async () => {
  const strict = await TestServer.start({ FAILED_SIGN_INS_PER_ACCOUNT: '3' })
  try {
    const owner = await join(strict, 'owner', await strict.createCompany())
    await addTotp(owner)
    const browser = new Browser(strict)
    for (let tries = 0; tries < 5; tries += 1) expectError(await browser.signIn(owner.email), 'second_factor_required')
    for (let tries = 0; tries < 3; tries += 1) {
      expectError(await owner.post(VERIFY, { code: '000000' }), 'invalid_second_factor')
    }
    expectError(await owner.post(VERIFY, { code: '000000' }), 'rate_limited')
    for (let tries = 0; tries < 3; tries += 1) {
      const wrong = await browser.signIn(owner.email, PASSWORD, { code: '000000' })
      expectError(wrong, 'invalid_second_factor')
    }
    expectError(await browser.signIn(owner.email, PASSWORD, { code: '000000' }), 'rate_limited')
  } finally {
    await strict.stop()
  }
})
