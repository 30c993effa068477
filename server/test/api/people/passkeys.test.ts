// Passkeys over HTTP: registering, signing in and proving with one, and every answer that is refused.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { prunePeopleJob } from '../../../src/people/prune.ts'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { addTotp, Browser, codeOf, invite, join, type MeBody, PASSWORD, tokenOf } from './people.ts'
import { byName, registerPasskey, SoftwareAuthenticator } from './software-authenticator.ts'

const ORIGIN = 'https://console.example.com'
const server = await TestServer.start({ PUBLIC_URL: ORIGIN })
const company = await server.createCompany()
afterAll(() => server.stop())

const PASSKEYS = '/console/v1/passkeys'
const BEGIN = '/console/v1/passkey-registrations'
const SIGN_IN = '/console/v1/sign-in/passkey'
const PROVE = '/console/v1/second-factor/passkey'
const MINUTE = 60_000

interface PasskeyBody {
  id: string
  name: string
  domain: string
  lastUsedAt: string | null
}
type Person = Awaited<ReturnType<typeof join>>
type Start = { challenge: string; user: { id: string } }

const begin = async (browser: Browser) => (await browser.post<Start>(BEGIN, { password: PASSWORD })).body
const challengeOf = async (browser: Browser, path: string) =>
  (await browser.post<{ challenge: string }>(`${path}/start`)).body.challenge

const register = (browser: Browser, name?: string) =>
  registerPasskey(browser, { origin: ORIGIN, ...(name === undefined ? {} : { name }) })

async function signIn(device: SoftwareAuthenticator, wrong: object = {}, browser = new Browser(server)) {
  const challenge = await challengeOf(browser, SIGN_IN)
  return browser.post<MeBody>(SIGN_IN, { credential: device.get({ challenge, ...wrong }) })
}

const auditOf = (browser: Person) =>
  server.db.many<{ action: string; details: object }>({
    name: undefined,
    text: `select action, details from audit_log where actor = $1 and action like 'passkey.%' order by id`,
    values: [`The owner <${browser.email}>`],
  })

let person: Person
beforeEach(async () => {
  person = await join(server, 'owner', company)
})

describe('a passkey', () => {
  it('is registered with the password, counts as a second factor, and signs in as both factors', async () => {
    expectError(await person.post(BEGIN, {}), 'password_required')
    expectError(await person.post(BEGIN, { password: 'not the password' }), 'invalid_credentials')
    const device = await register(person)
    expect((await person.get<MeBody>('/console/v1/me')).body).toMatchObject({
      hasSecondFactor: true,
      verifiedUntil: new Date(server.clock.now().getTime() + 10 * MINUTE).toISOString(),
    })
    const browser = new Browser(server)
    expect((await signIn(device, {}, browser)).body).toMatchObject({
      email: person.email,
      verifiedUntil: new Date(server.clock.now().getTime() + 10 * MINUTE).toISOString(),
    })
    const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
    expect((await browser.post('/api/v1/holders', holder, { environment: 'live' })).status).toBe(201)
    const { data } = (await browser.get<{ data: PasskeyBody[] }>(PASSKEYS)).body
    expect(data).toMatchObject([
      { name: 'Laptop', domain: 'console.example.com', lastUsedAt: server.clock.now().toISOString() },
    ])
    expect((await browser.get('/console/v1/second-factor')).body).toMatchObject({ totp: false, passkeys: 1 })
  })

  it('makes the password alone too little, and recovery codes stand in for it', async () => {
    await register(person)
    const refused = expectError(await new Browser(server).signIn(person.email), 'second_factor_required')
    expect(refused.details).toEqual({ methods: ['passkey'] })
    const renewed = await person.post<{ recoveryCodes: string[] }>('/console/v1/second-factor/recovery-codes')
    const [code] = renewed.body.recoveryCodes
    const asked = expectError(await new Browser(server).signIn(person.email), 'second_factor_required')
    expect(asked.details).toEqual({ methods: ['passkey', 'recovery_code'] })
    expect((await new Browser(server).signIn(person.email, PASSWORD, { code })).status).toBe(200)
  })

  it('is renamed and removed after a fresh proof, and both are in the audit log with the person', async () => {
    const device = await register(person, 'Phone')
    const path = `${PASSKEYS}/${device.passkeyId}`
    server.clock.advance(10 * MINUTE)
    expectError(await person.send('PATCH', path, { body: { name: 'Old phone' } }), 'step_up_required')
    expectError(await person.send('DELETE', path), 'step_up_required')
    expectError(await person.post(BEGIN, { password: PASSWORD }), 'step_up_required')
    const credential = device.get({ challenge: await challengeOf(person, PROVE) })
    expect((await person.post(PROVE, { credential })).status).toBe(200)
    expect((await person.send('PATCH', path, { body: { name: 'Old phone' } })).body).toMatchObject({
      name: 'Old phone',
    })
    expect((await person.send('DELETE', path)).status).toBe(204)
    expectError(await signIn(device), 'passkey_refused')
    expect((await new Browser(server).signIn(person.email)).status).toBe(200)
    const passkey = device.passkeyId
    expect(await auditOf(person)).toEqual([
      { action: 'passkey.added', details: { passkey, name: 'Phone' } },
      { action: 'passkey.renamed', details: { passkey, name: 'Old phone' } },
      { action: 'passkey.removed', details: { passkey, name: 'Old phone' } },
    ])
  })

  it('of somebody else is neither renamed nor removed', async () => {
    const device = await register(person)
    const other = await join(server, 'viewer', company)
    await register(other)
    const path = `${PASSKEYS}/${device.passkeyId}`
    expectError(await other.send('PATCH', path, { body: { name: 'Mine' } }), 'not_found')
    expectError(await other.send('DELETE', path), 'not_found')
    expect((await signIn(device)).status).toBe(200)
  })

  it('takes the recovery codes with it when it was the last second factor', async () => {
    const device = await register(person)
    await person.post('/console/v1/second-factor/recovery-codes')
    expect((await person.send('DELETE', `${PASSKEYS}/${device.passkeyId}`)).status).toBe(204)
    expect((await person.get('/console/v1/second-factor')).body).toMatchObject({ passkeys: 0, recoveryCodesLeft: 0 })
  })

  it('is one of at most twenty', async () => {
    for (let count = 0; count < 19; count += 1) await register(person)
    const starts = [await begin(person), await begin(person)]
    const add = (start: Start) =>
      person.post(PASSKEYS, { name: 'Key', credential: new SoftwareAuthenticator(ORIGIN).create(start) })
    const answers = await Promise.all(starts.map(add))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['201', '400'])
    expectError(await person.post(BEGIN, {}), 'passkey_limit')
  })
})

describe('signing in with a passkey is refused in the same words', () => {
  const expectRefused = async (answer: Promise<Awaited<ReturnType<typeof signIn>>>) => {
    const { message } = expectError(await answer, 'passkey_refused')
    expect(message).toBe('This passkey was not accepted. Try again, or use another way to prove yourself.')
  }

  it('when nobody has registered it', () =>
    expectRefused(signIn(new SoftwareAuthenticator(ORIGIN), { userHandle: 'AAAA' })))

  it.each([
    ['for another origin', { origin: 'https://console.example.com.evil.example' }],
    ['for the right name without TLS', { origin: 'http://console.example.com' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['when the device has not verified the person', { isVerified: false }],
    ['for a challenge that nobody made', { challenge: Buffer.alloc(56, 7).toString('base64url') }],
    ['for somebody else', { userHandle: Buffer.alloc(16, 1).toString('base64url') }],
  ])('%s', async (_name, wrong) => {
    const device = await register(person)
    await expectRefused(signIn(device, wrong))
    expect((await signIn(device)).status).toBe(200)
  })

  it('when it does not say whose it is', async () => {
    const device = await register(person)
    const browser = new Browser(server)
    const credential = device.get({ challenge: await challengeOf(browser, SIGN_IN) })
    const { userHandle: _left, ...response } = credential.response
    await expectRefused(browser.post<MeBody>(SIGN_IN, { credential: { ...credential, response } }))
  })

  it('when another key has signed', async () => {
    const device = await register(person)
    const browser = new Browser(server)
    const challenge = await challengeOf(browser, SIGN_IN)
    const credential = device.get({ challenge })
    const { signature } = new SoftwareAuthenticator(ORIGIN).get({ challenge }).response
    await expectRefused(
      browser.post(SIGN_IN, { credential: { ...credential, response: { ...credential.response, signature } } }),
    )
  })

  it('when the challenge was used, also at the same moment', async () => {
    const device = await register(person)
    const browser = new Browser(server)
    const credential = device.get({ challenge: await challengeOf(browser, SIGN_IN) })
    const answers = await Promise.all([1, 2].map(() => new Browser(server).post(SIGN_IN, { credential })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401'])
    await expectRefused(browser.post(SIGN_IN, { credential }))
  })

  it('when the challenge is older than five minutes', async () => {
    const device = await register(person)
    const browser = new Browser(server)
    const credential = device.get({ challenge: await challengeOf(browser, SIGN_IN) })
    server.clock.advance(5 * MINUTE)
    await expectRefused(browser.post(SIGN_IN, { credential }))
  })

  it('when the challenge was made for something else', async () => {
    const device = await register(person)
    const credential = device.get({ challenge: await challengeOf(person, PROVE) })
    await expectRefused(new Browser(server).post(SIGN_IN, { credential }))
  })

  it('when its counter does not grow, because then there is a copy', async () => {
    const device = await register(person)
    expect((await signIn(device, { counter: 5 })).status).toBe(200)
    await expectRefused(signIn(device, { counter: 5 }))
    await expectRefused(signIn(device, { counter: 4 }))
    await expectRefused(signIn(device, { counter: 0 }))
    expect((await signIn(device, { counter: 6 })).status).toBe(200)
  })
})

describe('registering is refused', () => {
  const add = async (wrong: object, browser: Browser = person) =>
    browser.post(PASSKEYS, {
      name: 'Key',
      credential: new SoftwareAuthenticator(ORIGIN).create({ ...(await begin(browser)), ...wrong }),
    })

  it.each([
    ['for another origin', { origin: 'https://evil.example' }],
    ['for another domain', { rpId: 'evil.example' }],
    ['when the device has not verified the person', { isVerified: false }],
    ['for a challenge that nobody made', { challenge: 'AAAA' }],
  ])('%s', async (_name, wrong) => {
    expectError(await add(wrong), 'passkey_refused')
    expect((await person.get<MeBody>('/console/v1/me')).body).toMatchObject({ hasSecondFactor: false })
  })

  it('for a challenge of another session, of signing in, that was used, or that has expired', async () => {
    const make = (challenge: string) => ({
      name: 'Key',
      credential: new SoftwareAuthenticator(ORIGIN).create({ challenge, user: { id: 'AAAA' } }),
    })
    const other = new Browser(server)
    await other.signIn(person.email)
    const { challenge } = await begin(person)
    expectError(await other.post(PASSKEYS, make(challenge)), 'passkey_refused')
    expectError(await person.post(PASSKEYS, make(await challengeOf(person, SIGN_IN))), 'passkey_refused')
    expect((await person.post(PASSKEYS, make(challenge))).status).toBe(201)
    expectError(await person.post(PASSKEYS, make(challenge)), 'passkey_refused')
    const late = await begin(person)
    server.clock.advance(5 * MINUTE)
    expectError(await person.post(PASSKEYS, make(late.challenge)), 'passkey_refused')
  })

  it('for a passkey that somebody has already', async () => {
    const device = await register(person)
    const other = await join(server, 'viewer', company)
    const credential = device.create(await begin(other))
    expectError(await other.post(PASSKEYS, { name: 'Copy', credential }), 'passkey_refused')
    expect((await new Browser(server).signIn(other.email)).status).toBe(200)
  })
})

describe('proving the second factor with a passkey', () => {
  it('is refused for the passkey of somebody else, and in another session than the challenge', async () => {
    const device = await register(person)
    const other = await join(server, 'owner', company)
    const theirs = await register(other)
    const credential = theirs.get({ challenge: await challengeOf(person, PROVE) })
    expectError(await person.post(PROVE, { credential }), 'passkey_refused')
    const second = new Browser(server)
    await signIn(device, {}, second)
    const answer = device.get({ challenge: await challengeOf(second, PROVE) })
    expectError(await person.post(PROVE, { credential: answer }), 'passkey_refused')
    expect((await second.post(PROVE, { credential: answer })).status).toBe(200)
  })

  it('names only the passkeys of the person', async () => {
    const device = await register(person)
    await register(await join(server, 'owner', company))
    const { body } = await person.post<{ allowCredentials: { id: string }[] }>(`${PROVE}/start`)
    expect(body.allowCredentials.map(({ id }) => id)).toEqual([device.id.toString('base64url')])
    const before = await new Browser(server).post<{ allowCredentials: unknown[] }>(`${SIGN_IN}/start`)
    expect(before.body.allowCredentials).toEqual([])
  })
})

describe('somebody without a password', () => {
  const reset = async (id: string, body: object = {}) =>
    (
      await server.request<{ url: string }>('POST', `/admin/v1/people/${id}/reset`, {
        token: server.operatorToken,
        body,
      })
    ).body.url
  const forgetPassword = () =>
    server.db.run({
      name: undefined,
      text: 'update person set password = null where email = $1',
      values: [person.email],
    })

  it('keeps the last passkey, also when two are removed at once', async () => {
    const devices = [await register(person), await register(person)]
    await forgetPassword()
    const remove = ({ passkeyId }: { passkeyId: string }) => person.send('DELETE', `${PASSKEYS}/${passkeyId}`)
    const answers = await Promise.all(devices.map(remove))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['204', '409'])
    const refused = answers.find(({ status }) => status === 409)
    if (refused !== undefined) expectError(refused, 'last_sign_in_method')
  })

  it('gets a link for a password, not one that signs in, once there is a passkey', async () => {
    const device = await register(person)
    await forgetPassword()
    const { id } = (await person.get<MeBody>('/console/v1/me')).body
    const browser = new Browser(server)
    const token = tokenOf(await reset(id))
    const used = await browser.post('/console/v1/links/use', { token, password: PASSWORD })
    expect(used.body).toEqual({ signedIn: false, me: null })
    expect((await signIn(device)).status).toBe(200)
  })
})

it('a link that removes the second factor removes the passkeys, and any other link keeps them', async () => {
  const device = await register(person)
  const { id } = (await person.get<MeBody>('/console/v1/me')).body
  const link = async (body: object) => {
    const token = server.operatorToken
    const made = await server.request<{ url: string }>('POST', `/admin/v1/people/${id}/reset`, { token, body })
    return new Browser(server).post('/console/v1/links/use', { token: tokenOf(made.body.url), password: PASSWORD })
  }
  expect((await link({})).body).toEqual({ signedIn: false, me: null })
  expect((await signIn(device)).status).toBe(200)
  expect((await link({ removeSecondFactor: true })).body).toMatchObject({ signedIn: true })
  expectError(await signIn(device), 'passkey_refused')
})

describe('an authenticator app', () => {
  const TOTP = '/console/v1/second-factor/totp'

  it('needs the password again, or a passkey, so that a borrowed session cannot add one', async () => {
    expectError(await person.post(TOTP, {}), 'password_required')
    expectError(await person.post(TOTP, { password: 'not the password' }), 'invalid_credentials')
    await register(person)
    expect((await person.post(TOTP, {})).status).toBe(201)
    server.clock.advance(10 * MINUTE)
    expectError(await person.post(TOTP, { password: PASSWORD }), 'step_up_required')
  })

  it('is replaced only when the new one is confirmed', async () => {
    const old = await addTotp(person)
    const { secret } = (await person.post<{ secret: string }>(TOTP, {})).body
    server.clock.advance(MINUTE)
    const signInWith = (code: string) => new Browser(server).signIn(person.email, PASSWORD, { code })
    expect((await signInWith(codeOf(old.secret, server))).status).toBe(200)
    expectError(await signInWith(codeOf(secret, server)), 'invalid_second_factor')
    expect((await person.post(`${TOTP}/confirm`, { code: codeOf(secret, server) })).status).toBe(200)
    server.clock.advance(MINUTE)
    expectError(await signInWith(codeOf(old.secret, server)), 'invalid_second_factor')
    expectError(await signInWith(old.recoveryCodes[0] ?? ''), 'invalid_second_factor')
    expect((await signInWith(codeOf(secret, server))).status).toBe(200)
  })
})

it('a used challenge is kept until it expires, and then removed', async () => {
  await signIn(await register(person))
  const count = async () =>
    (
      await server.db.find<{ count: bigint }>({
        name: undefined,
        text: 'select count(*) from used_challenge',
        values: [],
      })
    )?.count
  const { run } = prunePeopleJob(server)
  await run()
  expect(await count()).toBeGreaterThan(0n)
  server.clock.advance(6 * MINUTE)
  await run()
  expect(await count()).toBe(0n)
})

it('without PUBLIC_URL the name of the request counts, and an IP address has no passkeys', async () => {
  const plain = await TestServer.start({ FAILED_SIGN_INS_PER_ACCOUNT: '3' })
  try {
    const owner = await join(plain, 'owner', await plain.createCompany())
    expectError(await owner.post(BEGIN, { password: PASSWORD }), 'passkeys_unavailable')
    expectError(await new Browser(plain).post(`${SIGN_IN}/start`), 'passkeys_unavailable')
    const browser = Object.assign(new Browser(byName(plain)), { cookie: owner.cookie })
    const device = await registerPasskey(browser)
    expect((await signIn(device, {}, browser)).status).toBe(200)
    expectError(await signIn(device, { origin: 'http://localhost:1' }, browser), 'passkey_refused')
    expectError(await signIn(device, { isVerified: false }, browser), 'passkey_refused')
    // A passkey belongs to the name that it was registered for, whatever name the server is reached by.
    await plain.db.run({ name: undefined, text: `update passkey set rp_id = 'other.example'`, values: [] })
    expectError(await signIn(device, {}, browser), 'passkey_refused')
    expectError(await signIn(device, {}, browser), 'rate_limited')
  } finally {
    await plain.stop()
  }
})

it('a role in a company does not matter for one’s own passkeys', async () => {
  const { token } = await invite(server, 'support')
  const support = new Browser(server)
  await support.post('/console/v1/links/use', { token, name: 'Sue', password: PASSWORD })
  expect((await signIn(await register(support))).body).toMatchObject({ programmeRole: 'support' })
})
