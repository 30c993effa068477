// Changing one's own name and e-mail address. Whoever has the address can sign in with it and ask for links, so a borrowed session
// must not be enough to change it.
import pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { selectWaiting } from '../../support/on-citus.ts'
import { until } from '../../support/wait.ts'
import { addTotp, Browser, codeOf, join, type MeBody, PASSWORD } from './people.ts'

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

const change = (browser: Browser, body: object) => browser.send<MeBody>('PATCH', '/console/v1/me', { body })
const emailOf = async (browser: Browser) => (await browser.get<MeBody>('/console/v1/me')).body.email
const newEmail = (person: { email: string }) => `new-${person.email}`
async function countChanges(browser: Browser): Promise<number> {
  const { id } = (await browser.get<MeBody>('/console/v1/me')).body
  const path = `/admin/v1/audit-log?object=${id}&limit=100`
  const { body } = await server.get<{ data: { action: string }[] }>(path, server.operatorToken)
  return body.data.filter(({ action }) => action === 'person.changed').length
}

describe('the time zone', () => {
  const set = (browser: Browser, timeZone: unknown) =>
    browser.send('PUT', '/console/v1/time-zone', { body: { timeZone } })

  it('is kept with the person, for every browser, until it is UTC again', async () => {
    const person = await join(server, 'viewer', company)
    await addTotp(person)
    server.clock.advance(11 * 60_000)
    // Seeing times needs no second factor.
    expect((await set(person, 'Asia/Tokyo')).status).toBe(200)
    const zoneOf = async () => (await person.get<MeBody>('/console/v1/me')).body.timeZone
    expect(await zoneOf()).toBe('Asia/Tokyo')
    expect((await set(person, null)).body).toEqual({ timeZone: null })
    expect(await zoneOf()).toBe(null)
  })

  it.each(['Mars/Olympus', '+01:00', '', 7])('is refused as %j', async (timeZone) => {
    const person = await join(server, 'viewer', company)
    const refusal = expectError(await set(person, timeZone), 'validation_failed')
    expect(refusal.param).toBe('timeZone')
  })
})

describe('another e-mail address', () => {
  it('needs the password of somebody who has no second factor', async () => {
    const person = await join(server, 'owner', company)
    const email = newEmail(person)
    expect(expectError(await change(person, { email }), 'password_required').param).toBe('password')
    const wrong = expectError(await change(person, { email, password: 'not the password' }), 'invalid_credentials')
    expect(wrong).toMatchObject({ param: 'password', message: 'The password is wrong. Check it and try again.' })
    expect(await emailOf(person)).toBe(person.email)
    const changed = await change(person, { email, password: PASSWORD })
    expect(changed.body).toMatchObject({ email })
    expect((await new Browser(server).signIn(email)).status).toBe(200)
  })

  it('needs a fresh proof of the second factor of somebody who has one', async () => {
    const person = await join(server, 'viewer', company)
    const { secret } = await addTotp(person)
    server.clock.advance(11 * 60_000)
    const email = newEmail(person)
    expectError(await change(person, { email, password: PASSWORD }), 'step_up_required')
    await person.post('/console/v1/second-factor/verify', { code: codeOf(secret, server) })
    expect((await change(person, { email })).body).toMatchObject({ email })
  })

  it('is refused when the password that proved it is changed meanwhile', async () => {
    const person = await join(server, 'viewer', company)
    const client = new pg.Client(server.connection)
    await client.connect()
    try {
      await client.query('begin')
      await client.query(`update person set password = 'another' where email = $1`, [person.email])
      // As every change of a password does.
      await client.query(
        'update person_session s set ended_at = now() from person p where p.id = s.person_id and p.email = $1',
        [person.email],
      )
      const answer = change(person, { email: newEmail(person), password: PASSWORD })
      await until('the change waits', async () => (await server.db.many(selectWaiting())).length > 0)
      await client.query('commit')
      expectError(await answer, 'invalid_session')
    } finally {
      await client.end()
    }
    const rows = await server.db.many({
      name: undefined,
      text: 'select id from person where email = $1',
      values: [person.email],
    })
    expect(rows).toHaveLength(1)
  })
})

describe('a profile', () => {
  it('gets another name without the password', async () => {
    const person = await join(server, 'viewer', company)
    expect((await change(person, { name: 'Ada', email: person.email })).body).toMatchObject({ name: 'Ada' })
    expect(await countChanges(person)).toBe(1)
  })

  it('that stays as it is leaves no line in the audit log', async () => {
    const person = await join(server, 'viewer', company)
    const { name } = (await person.get<MeBody>('/console/v1/me')).body
    for (const body of [{}, { name }, { name, email: person.email.toUpperCase() }]) {
      expect((await change(person, body)).status).toBe(200)
    }
    expect(await countChanges(person)).toBe(0)
  })
})
