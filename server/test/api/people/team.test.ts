// Who belongs to a company: roles, removal, links for people who cannot sign in, and the company's API keys.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { addTotp, Browser, codeOf, invite, join, type MeBody, PASSWORD, tokenOf } from './people.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

type Person = Awaited<ReturnType<typeof join>>
interface PersonBody {
  id: string
  email: string
  role: string
}
let company: TestCompany
let owner: Person
beforeAll(async () => {
  company = await server.createCompany()
  owner = await join(server, 'owner', company)
})

const idOf = async (browser: Browser) => (await browser.get<MeBody>('/console/v1/me')).body.id
const admin = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  server.request<Body>(method, `/admin/v1/people${path}`, { token: server.operatorToken, ...(body ? { body } : {}) })
const open = (url: string, more: object = {}) =>
  new Browser(server).post('/console/v1/links/use', { token: tokenOf(url), ...more })

describe('the team', () => {
  it('is listed with roles, for its own members only', async () => {
    const viewer = await join(server, 'viewer', company)
    const { body } = await viewer.get<{ data: PersonBody[] }>('/api/v1/people')
    expect(body.data.find(({ email }) => email === viewer.email)).toMatchObject({
      role: 'viewer',
      name: 'The viewer',
      hasSecondFactor: false,
      lastSeenAt: expect.any(String),
    })
    const elsewhere = await join(server, 'owner', await server.createCompany())
    const theirs = await elsewhere.get<{ data: PersonBody[] }>('/api/v1/people')
    expect(theirs.body.data.map(({ email }) => email)).toEqual([elsewhere.email])
    const all = await admin<{ data: PersonBody[] }>('GET', `?companyId=${company.wireId}`)
    expect(all.body.data).toEqual(body.data)
    expect((await admin<{ data: PersonBody[] }>('GET', '')).body.data).toEqual([])
  })

  it('changes a role, which holds from the next request', async () => {
    const person = await join(server, 'viewer', company)
    const id = await idOf(person)
    expectError(await person.post('/api/v1/sandbox/funding', { amount: '1.00' }), 'scope_missing')
    const changed = await owner.send<PersonBody>('PATCH', `/api/v1/people/${id}`, { body: { role: 'finance' } })
    expect(changed.body).toMatchObject({ id, role: 'finance' })
    expect((await person.post('/api/v1/sandbox/funding', { amount: '1.00' })).status).toBe(200)
    expectError(await owner.send('PATCH', `/api/v1/people/${id}`, { body: { role: 'operator' } }), 'validation_failed')
  })

  it('removes a person, whose rights end with the next request', async () => {
    const person = await join(server, 'developer', company)
    const id = await idOf(person)
    expect((await owner.send('DELETE', `/api/v1/people/${id}`)).status).toBe(204)
    expectError(await person.get('/api/v1/balance'), 'membership_required')
    expectError(await owner.send('DELETE', `/api/v1/people/${id}`), 'not_found')
  })

  it('cannot reach into another company', async () => {
    const other = await server.createCompany()
    const id = await idOf(await join(server, 'viewer', other))
    expectError(await owner.send('PATCH', `/api/v1/people/${id}`, { body: { role: 'owner' } }), 'not_found')
    expectError(await owner.send('DELETE', `/api/v1/people/${id}`), 'not_found')
    expectError(await owner.post(`/api/v1/people/${id}/reset`), 'not_found')
  })
})

describe('the last owner', () => {
  it('stays, whoever asks', async () => {
    const home = await server.createCompany()
    const only = await join(server, 'owner', home)
    const path = `/api/v1/people/${await idOf(only)}`
    const changed = await only.send('PATCH', path, { body: { role: 'viewer' } })
    expect(expectError(changed, 'last_owner').param).toBe('role')
    // Nothing in the request is wrong.
    expect(expectError(await only.send('DELETE', path), 'last_owner').param).toBeUndefined()
    const byOperator = path.replace('/api/v1/people', '')
    expectError(await admin('DELETE', `${byOperator}?companyId=${home.wireId}`), 'last_owner')
    expectError(await admin('PATCH', byOperator, { role: 'viewer', companyId: home.wireId }), 'last_owner')
  })

  it('stays when two owners remove each other at the same time', async () => {
    const home = await server.createCompany()
    const [one, two] = [await join(server, 'owner', home), await join(server, 'owner', home)]
    const [first, second] = [await idOf(one), await idOf(two)]
    const answers = await Promise.all([
      one.send('DELETE', `/api/v1/people/${second}`),
      two.send('DELETE', `/api/v1/people/${first}`),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  })
})

describe('a link for somebody who cannot sign in', () => {
  it('sets a new password and ends every session', async () => {
    const person = await join(server, 'viewer', company)
    const made = await owner.post<{ url: string; expiresAt: string }>(`/api/v1/people/${await idOf(person)}/reset`)
    expect(made.body.expiresAt).toBe(new Date(server.clock.now().getTime() + 86_400_000).toISOString())
    expectError(await open(made.body.url), 'validation_failed')
    expectError(await open(made.body.url, { password: 'short' }), 'password_refused')
    const used = await open(made.body.url, { password: 'eleven brown foxes' })
    expect(used.body).toMatchObject({ signedIn: true, me: { email: person.email } })
    expectError(await person.get('/console/v1/me'), 'invalid_session')
    expectError(await new Browser(server).signIn(person.email), 'invalid_credentials')
    expectError(await open(made.body.url, { password: 'eleven brown foxes' }), 'link_not_valid')
  })

  it('does not stand in for the second factor, unless it was made to remove it', async () => {
    const person = await join(server, 'viewer', company)
    const id = await idOf(person)
    const { secret } = await addTotp(person)
    const plain = await owner.post<{ url: string }>(`/api/v1/people/${id}/reset`)
    expect((await open(plain.body.url, { password: 'eleven brown foxes' })).body).toEqual({ signedIn: false, me: null })
    expectError(await new Browser(server).signIn(person.email, 'eleven brown foxes'), 'second_factor_required')
    server.clock.advance(30_000)
    const code = codeOf(secret, server)
    expect((await new Browser(server).signIn(person.email, 'eleven brown foxes', { code })).status).toBe(200)
    const full = await owner.post<{ url: string }>(`/api/v1/people/${id}/reset`, { removeSecondFactor: true })
    expect((await open(full.body.url, { password: PASSWORD })).body).toMatchObject({ signedIn: true })
    expect((await new Browser(server).signIn(person.email)).status).toBe(200)
  })

  it('is replaced by the next one', async () => {
    const path = `/${await idOf(await join(server, 'viewer', company))}/reset`
    const first = await admin<{ url: string }>('POST', path, {})
    await admin('POST', path, {})
    expectError(await open(first.body.url, { password: PASSWORD }), 'link_not_valid')
  })

  it('is made by an owner only for people who belong nowhere else', async () => {
    const person = await join(server, 'viewer', company)
    const other = await server.createCompany()
    const { token } = await invite(server, 'owner', { company: other, email: person.email })
    await person.post('/console/v1/me/invitations', { token })
    const path = `/${await idOf(person)}/reset`
    expectError(await owner.post(`/api/v1/people${path}`), 'reset_not_allowed')
    expect((await admin('POST', path, {})).status).toBe(200)
  })

  it('stops working when the person joins another company, where its maker has no rights', async () => {
    const person = await join(server, 'viewer', company)
    const made = await owner.post<{ url: string }>(`/api/v1/people/${await idOf(person)}/reset`)
    const other = await server.createCompany()
    const { token } = await invite(server, 'owner', { company: other, email: person.email })
    expect((await person.post('/console/v1/me/invitations', { token })).status).toBe(200)
    expectError(await open(made.body.url, { password: 'eleven brown foxes' }), 'link_not_valid')
    expect((await new Browser(server).signIn(person.email)).status).toBe(200)
  })
})

describe('the API keys of a company', () => {
  const key = { name: 'Back office', scopes: ['balance:read'] }
  const works = async (token: string) => (await server.get('/api/v1/balance', token)).status

  it('are made, listed, rotated and revoked by people, and only for the environment of the request', async () => {
    const made = await owner.post<{ id: string; key: string; environment: string }>('/api/v1/keys', key)
    expect(made.body).toMatchObject({ environment: 'sandbox', name: 'Back office' })
    expect(await works(made.body.key)).toBe(200)
    const list = await owner.get<{ data: { id: string }[] }>('/api/v1/keys')
    expect(list.body.data.map(({ id }) => id)).toContain(made.body.id)
    expect(list.text).not.toContain(made.body.key)
    const live = await owner.get<{ data: { id: string }[] }>('/api/v1/keys', { environment: 'live' })
    expect(live.body.data).toEqual([])
    await addTotp(owner)
    const path = `/api/v1/keys/${made.body.id}`
    expectError(await owner.send('DELETE', path, { environment: 'live' }), 'not_found')
    expectError(await owner.post(`${path}/rotate`, {}, { environment: 'live' }), 'not_found')
    const next = await owner.post<{ id: string; key: string }>(`${path}/rotate`, { overlapSeconds: 0 })
    expect(await works(next.body.key)).toBe(200)
    expect((await owner.send('DELETE', `/api/v1/keys/${next.body.id}`)).status).toBe(204)
    expect(await works(next.body.key)).toBe(401)
    const stranger = await join(server, 'owner', await server.createCompany())
    expectError(await stranger.send('DELETE', path), 'not_found')
  })

  it('cannot have the rights of people', async () => {
    expectError(await owner.post('/api/v1/keys', { ...key, scopes: ['people:write'] }), 'validation_failed')
    expectError(await owner.post('/api/v1/keys', { ...key, environment: 'live' }), 'validation_failed')
  })

  it('are in the audit log with the name of the person', async () => {
    const developer = await join(server, 'developer', company)
    const made = await developer.post<{ id: string }>('/api/v1/keys', key)
    const { body } = await server.get<{ data: object[] }>(
      `/admin/v1/audit-log?companyId=${company.wireId}&limit=1`,
      server.operatorToken,
    )
    expect(body.data).toMatchObject([
      { actor: `The developer <${developer.email}>`, action: 'key.created', object: made.body.id },
    ])
  })
})

describe('two processes', () => {
  it('both refuse a session that one of them ended, with the next request', async () => {
    const database = { connection: server.connection, drop: () => Promise.resolve() }
    const second = await TestServer.start({}, { database })
    try {
      const person = await join(server, 'viewer', company)
      const there = new Browser(second)
      there.cookie = person.cookie
      expect((await there.get('/console/v1/me')).status).toBe(200)
      expect((await there.post('/console/v1/sign-out')).status).toBe(204)
      expectError(await person.get('/console/v1/me'), 'invalid_session')
    } finally {
      await second.stop()
    }
  })
})
