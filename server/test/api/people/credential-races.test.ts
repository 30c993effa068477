// What a person's credentials opened, or were about to open, when they changed: sessions, links, proofs and new second factors.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findId } from '../../../src/lib/ids.ts'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { changeBefore, meetAtLock } from './interleave.ts'
import { addTotp, Browser, codeOf, join, type MeBody, PASSWORD, tokenOf } from './people.ts'
import { registerPasskey, SoftwareAuthenticator } from './software-authenticator.ts'

const ORIGIN = 'https://console.example.com'
const server = await TestServer.start({ PUBLIC_URL: ORIGIN })
const company = await server.createCompany()
afterAll(() => server.stop())

const NEW_PASSWORD = 'eleven brown foxes'
type Person = Awaited<ReturnType<typeof join>>

let person: Person
let personId: string
beforeEach(async () => {
  person = await join(server, 'viewer', company)
  personId = (await person.get<MeBody>('/console/v1/me')).body.id
})

const register = () => registerPasskey(person, { origin: ORIGIN })
const makeReset = async (body: object = {}) => {
  const path = `/admin/v1/people/${personId}/reset`
  const { body: made } = await server.request<{ url: string }>('POST', path, { token: server.operatorToken, body })
  return tokenOf(made.url)
}
const useReset = (token: string, password = NEW_PASSWORD) =>
  new Browser(server).post('/console/v1/links/use', { token, password })
const signInWithPasskey = async (device: SoftwareAuthenticator) => {
  const browser = new Browser(server)
  const { body } = await browser.post<{ challenge: string }>('/console/v1/sign-in/passkey/start')
  return browser.post('/console/v1/sign-in/passkey', { credential: device.get({ challenge: body.challenge }) })
}
const countSessions = () => countRows('person_session', 'ended_at is null')
async function countRows(table: string, condition = 'true'): Promise<bigint | undefined> {
  const text = `select count(*) from ${table} where person_id = $1 and ${condition}`
  return (await server.db.find<{ count: bigint }>({ name: undefined, text, values: [findId('per', personId)] }))?.count
}
const personRow = () => ({ table: 'person', id: findId('per', personId) ?? '' }) as const

describe('a sign-in gets no session', () => {
  const signIn = () => new Browser(server).signIn(person.email)
  const changePassword = async () => {
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await person.post('/console/v1/password', change)).status).toBe(204)
  }

  it('when the password was changed after it was checked', async () => {
    expectError(await changeBefore(server, 'start_session', signIn, changePassword), 'invalid_credentials')
    expect(await countSessions()).toBe(1n)
    expect((await new Browser(server).signIn(person.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('when a reset link was used after the password was checked', async () => {
    const token = await makeReset()
    const answer = await changeBefore(server, 'start_session', signIn, () => useReset(token))
    expectError(answer, 'invalid_credentials')
    expect(await countSessions()).toBe(1n)
  })

  it('when a second factor was added after the password was checked', async () => {
    expectError(await changeBefore(server, 'start_session', signIn, register), 'invalid_credentials')
    expectError(await signIn(), 'second_factor_required')
  })

  it('when the password was changed, or the passkey removed, after the passkey was checked', async () => {
    const device = await register()
    expectError(
      await changeBefore(server, 'start_session', () => signInWithPasskey(device), changePassword),
      'passkey_refused',
    )
    const { body } = await person.get<{ data: { id: string }[] }>('/console/v1/passkeys')
    const remove = () => person.send('DELETE', `/console/v1/passkeys/${body.data[0]?.id}`)
    expectError(await changeBefore(server, 'start_session', () => signInWithPasskey(device), remove), 'passkey_refused')
    expect(await countSessions()).toBe(1n)
  })

  it('when the authenticator app was removed after its code was checked', async () => {
    const { secret } = await addTotp(person)
    const code = codeOf(secret, server, 1)
    const withCode = () => new Browser(server).signIn(person.email, PASSWORD, { code })
    const remove = () => person.send('DELETE', '/console/v1/second-factor/totp')
    expectError(await changeBefore(server, 'start_session', withCode, remove), 'invalid_credentials')
  })

  it('that outlives a change of the password that waits for the same person', async () => {
    const token = await makeReset()
    const browser = new Browser(server)
    const requests = [() => browser.signIn(person.email), () => useReset(token)]
    const answers = await meetAtLock<{ status: number }>(server, personRow(), requests)
    expect(answers[1]?.status).toBe(200)
    expectError(await browser.get('/console/v1/me'), 'invalid_session')
    expect(await countSessions()).toBe(1n)
  })
})

describe('a link for a new password', () => {
  const changePassword = () =>
    person.post('/console/v1/password', { currentPassword: PASSWORD, newPassword: 'a third good password' })

  it('ends when the password is changed, also while it is being used', async () => {
    const token = await makeReset()
    expectError(await changeBefore(server, 'reset_password', () => useReset(token), changePassword), 'link_not_valid')
    expect((await new Browser(server).signIn(person.email, 'a third good password')).status).toBe(200)
    expectError(await useReset(token), 'link_not_valid')
  })

  it('signs nobody in when another one was used right after it', async () => {
    const token = await makeReset()
    const answer = await changeBefore(
      server,
      'start_session',
      () => useReset(token),
      async () => {
        await useReset(await makeReset(), 'a third good password')
      },
    )
    expectError(answer, 'link_not_valid')
    expect(await countSessions()).toBe(1n)
  })

  it('works once for two who open it at the same time', async () => {
    const token = await makeReset()
    const answers = await meetAtLock(server, personRow(), [() => useReset(token), () => useReset(token)])
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })

  it('that signs in is worth nothing once there is a password', async () => {
    await server.db.run({
      name: undefined,
      text: 'update person set password = null where id = $1',
      values: [findId('per', personId)],
    })
    const token = await makeReset()
    expect(token).toMatch(/^cstk_signin_/)
    const open = () => new Browser(server).post('/console/v1/links/use', { token })
    const choose = () => person.post('/console/v1/password', { newPassword: PASSWORD })
    expectError(await changeBefore(server, 'use_sign_in_link', open, choose), 'link_not_valid')
  })
})

describe('a session that was ended at that moment', () => {
  /** As somebody does from another browser whose session was stolen. */
  const endIt = async () => {
    const { body } = await person.get<MeBody>('/console/v1/me')
    const options = { name: undefined, text: 'update person_session set ended_at = now() where id = $1' }
    await server.db.run({ ...options, values: [findId('ses', body.session.id)] })
  }

  it('adds no passkey', async () => {
    expectError(await changeBefore(server, 'add_passkey', tryRegister, endIt), 'passkey_refused')
    expect(await countRows('passkey')).toBe(0n)
  })

  it('sets up no authenticator app', async () => {
    const begin = () => person.post<{ secret: string }>('/console/v1/second-factor/totp', { password: PASSWORD })
    expectError(await changeBefore(server, 'insert into totp', begin, endIt), 'invalid_session')
    expect(await countRows('totp')).toBe(0n)
  })

  it('confirms no authenticator app', async () => {
    const begun = await person.post<{ secret: string }>('/console/v1/second-factor/totp', { password: PASSWORD })
    const code = codeOf(begun.body.secret, server)
    const confirm = () => person.post('/console/v1/second-factor/totp/confirm', { code })
    expectError(await changeBefore(server, 'confirm_totp', confirm, endIt), 'invalid_session')
    expect(await countRows('totp', 'confirmed_at is not null')).toBe(0n)
  })

  it('removes no second factor and makes no recovery codes', async () => {
    const { recoveryCodes } = await addTotp(person)
    const renew = () => person.post('/console/v1/second-factor/recovery-codes')
    expectError(await changeBefore(server, 'renew_recovery_codes', renew, endIt), 'invalid_session')
    const more = { code: recoveryCodes[0] ?? '' }
    expect((await person.signIn(person.email, PASSWORD, more)).status).toBe(200)
    const remove = () => person.send('DELETE', '/console/v1/second-factor/totp')
    expectError(await changeBefore(server, 'remove_totp', remove, endIt), 'invalid_session')
    expect(await countRows('totp')).toBe(1n)
  })

  it('changes neither the password nor the e-mail address', async () => {
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    const password = () => person.post('/console/v1/password', change)
    expectError(await changeBefore(server, 'change_password', password, endIt), 'invalid_credentials')
    expect((await person.signIn(person.email)).status).toBe(200)
    const email = () =>
      person.send('PATCH', '/console/v1/me', { body: { email: 'thief@example.com', password: PASSWORD } })
    expectError(await changeBefore(server, 'update person set', email, endIt), 'invalid_session')
    expect((await person.signIn(person.email)).status).toBe(200)
  })

  it('proves no second factor', async () => {
    const { secret } = await addTotp(person)
    const verify = () => person.post('/console/v1/second-factor/verify', { code: codeOf(secret, server, 1) })
    expectError(await changeBefore(server, 'verify_session', verify, endIt), 'invalid_second_factor')
  })
})

describe('a second factor', () => {
  const begin = () => person.post<{ secret: string }>('/console/v1/second-factor/totp', {})

  it('proves nothing when it was replaced after its code was checked', async () => {
    const { secret } = await addTotp(person)
    const other = new Browser(server)
    server.clock.advance(60_000)
    await other.signIn(person.email, PASSWORD, { code: codeOf(secret, server) })
    const replace = async () => {
      const { body } = await begin()
      const code = codeOf(body.secret, server)
      expect((await person.post('/console/v1/second-factor/totp/confirm', { code })).status).toBe(200)
    }
    const code = codeOf(secret, server, 1)
    const verify = () => other.post('/console/v1/second-factor/verify', { code })
    expectError(await changeBefore(server, 'set last_step', verify, replace), 'invalid_second_factor')
  })

  it('is proved again for a passkey whose registration began before there was one', async () => {
    const other = new Browser(server)
    await other.signIn(person.email)
    const finish = await begunBy(other)
    await addTotp(person)
    expectError(await finish(), 'passkey_refused')
    expect(await countRows('passkey')).toBe(0n)
  })

  it('that is gone leaves no recovery codes behind', async () => {
    await addTotp(person)
    const renew = () => person.post('/console/v1/second-factor/recovery-codes')
    const remove = () => person.send('DELETE', '/console/v1/second-factor/totp')
    expectError(await changeBefore(server, 'renew_recovery_codes', renew, remove), 'second_factor_missing')
    expect(await countRows('recovery_code')).toBe(0n)
  })

  it('has ten recovery codes, however many are made at once', async () => {
    await addTotp(person)
    const renew = () => person.post('/console/v1/second-factor/recovery-codes')
    const answers = await meetAtLock(server, personRow(), [renew, renew])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await countRows('recovery_code')).toBe(10n)
  })

  it('stays proved for as long as before when the password is changed', async () => {
    await addTotp(person)
    const before = (await person.get<MeBody>('/console/v1/me')).body.verifiedUntil
    server.clock.advance(5 * 60_000)
    await person.post('/console/v1/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
    expect((await person.get<MeBody>('/console/v1/me')).body.verifiedUntil).toBe(before)
  })
})

/** Begins to register a passkey, and returns what finishes it. */
async function begunBy(browser: Browser) {
  const device = new SoftwareAuthenticator(ORIGIN)
  type Begun = { challenge: string; user: { id: string } }
  const { body } = await browser.post<Begun>('/console/v1/passkey-registrations', { password: PASSWORD })
  return () => browser.post('/console/v1/passkeys', { name: 'Phone', credential: device.create(body) })
}

async function tryRegister() {
  return (await begunBy(person))()
}
