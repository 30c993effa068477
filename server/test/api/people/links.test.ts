// One-time links: invitations, and what makes them stop working.
import { afterAll, describe, expect, it } from 'vitest'
import { expectError } from '../expect-error.ts'
import { TestServer } from '../../support/harness.ts'
import { createDemoOwner, createOperator, makeFirstLinks } from '../../../src/setup/first-people.ts'
import { Browser, invite, join, type MeBody, PASSWORD, tokenOf } from './people.ts'

const server = await TestServer.start()
const company = await server.createCompany()
const other = await server.createCompany()
afterAll(() => server.stop())

const DAY = 86_400_000
const use = (token: string, more: object = {}) =>
  new Browser(server).post('/console/v1/links/use', { token, name: 'Ada', password: PASSWORD, ...more })
const read = (token: string) => new Browser(server).post('/console/v1/links/read', { token })

describe('an invitation', () => {
  it('is a link whose secret part is never sent to the server by itself', async () => {
    const { url, token } = await invite(server, 'viewer', { company })
    // By its name, because browsers allow no passkeys at 127.0.0.1.
    expect(url).toBe(`${server.baseUrl.replace('127.0.0.1', 'localhost')}/sign-in#${token}`)
    expect(token).toMatch(/^cstk_invitation_\w{49}$/)
  })

  it('says who is invited where, and can still be used', async () => {
    const { token, email } = await invite(server, 'finance', { company })
    expect((await read(token)).body).toMatchObject({
      kind: 'invitation',
      email,
      name: null,
      role: 'finance',
      company: { id: company.wireId, name: 'Test company' },
    })
    const answer = await use(token)
    expect(answer.body).toMatchObject({ signedIn: true, me: { email, name: 'Ada', companies: [{ role: 'finance' }] } })
  })

  it('works once', async () => {
    const { token } = await invite(server, 'viewer', { company })
    const answers = await Promise.all([use(token), use(token)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '404'])
    expectError(await use(token), 'link_not_valid')
    expectError(await read(token), 'link_not_valid')
  })

  it('works for seven days', async () => {
    const { token } = await invite(server, 'viewer', { company })
    server.clock.advance(7 * DAY - 1)
    expect((await read(token)).status).toBe(200)
    server.clock.advance(1)
    expectError(await read(token), 'link_not_valid')
    expectError(await use(token), 'link_not_valid')
  })

  it('can be revoked', async () => {
    const owner = await join(server, 'owner', company)
    const made = await owner.post<{ id: string; url: string }>('/api/v1/invitations', {
      email: 'revoked@example.com',
      role: 'viewer',
    })
    expect(made.status).toBe(201)
    const path = `/api/v1/invitations/${made.body.id}`
    const stranger = await join(server, 'owner', other)
    expectError(await stranger.send('DELETE', path), 'not_found')
    expect((await read(tokenOf(made.body.url))).status).toBe(200)
    expect((await owner.send('DELETE', path)).status).toBe(204)
    expectError(await use(tokenOf(made.body.url)), 'link_not_valid')
    expect((await owner.send('DELETE', path)).status).toBe(204)
    const list = await owner.get<{ data: { id: string; status: string }[] }>('/api/v1/invitations')
    expect(list.body.data.find(({ id }) => id === made.body.id)).toMatchObject({ status: 'revoked' })
    expect(list.text).not.toContain('cstk_')
  })

  it('is replaced by a new one for the same address', async () => {
    const email = 'twice@example.com'
    const [first, second] = [
      await invite(server, 'viewer', { company, email }),
      await invite(server, 'owner', { company, email: 'Twice@Example.com' }),
    ]
    expectError(await read(first.token), 'link_not_valid')
    expect((await use(second.token)).body).toMatchObject({ me: { companies: [{ role: 'owner' }] } })
  })

  it('needs a name and a good password', async () => {
    const { token, email } = await invite(server, 'viewer', { company })
    expectError(await use(token, { name: undefined }), 'validation_failed')
    expectError(await use(token, { password: undefined }), 'validation_failed')
    for (const password of ['short', 'qwertyuiop123', email]) {
      expectError(await use(token, { password }), 'password_refused')
    }
    expect((await use(token)).status).toBe(200)
  })

  it('does not open the account of somebody who has one: they sign in and accept it themselves', async () => {
    const person = await join(server, 'viewer', company)
    const { token } = await invite(server, 'owner', { company: other, email: person.email })
    expectError(await use(token), 'account_exists')
    const somebodyElse = await join(server, 'viewer', company)
    expectError(await somebodyElse.post('/console/v1/me/invitations', { token }), 'link_not_valid')
    const me = await person.post('/console/v1/me/invitations', { token })
    expect(me.body['companies']).toHaveLength(2)
    expectError(await person.post('/console/v1/me/invitations', { token }), 'link_not_valid')
  })

  it('tells nobody who has it whether the address has an account, nor the name of its owner', async () => {
    const person = await join(server, 'viewer', company)
    const known = await invite(server, 'owner', { company: other, email: person.email })
    const unknown = await invite(server, 'owner', { company: other })
    const shown = async ({ token, email }: { token: string; email: string }) =>
      JSON.parse((await read(token)).text.replaceAll(email, 'somebody@example.com')) as unknown
    expect(await shown(known)).toEqual(await shown(unknown))
    // Nor does a use that could not succeed: only creating the account tells that there was none.
    for (const problem of [{ name: undefined }, { password: undefined }, { password: 'short' }]) {
      const refusals = [await use(known.token, problem), await use(unknown.token, problem)]
      expect(refusals[0]?.body['code']).toBe(refusals[1]?.body['code'])
      expect(refusals[0]?.body['message']).toBe(refusals[1]?.body['message'])
    }
  })

  it('is refused for somebody who belongs there, for a wrong role, and for an unknown company', async () => {
    const person = await join(server, 'viewer', company)
    const post = (body: object) =>
      server.request('POST', '/admin/v1/invitations', { token: server.operatorToken, body })
    const { email } = person
    const again = await post({ email, role: 'owner', companyId: company.wireId })
    expect(expectError(again, 'already_member').param).toBe('email')
    expectError(await post({ email, role: 'operator', companyId: company.wireId }), 'validation_failed')
    expectError(await post({ email, role: 'owner' }), 'validation_failed')
    expectError(await post({ email, role: 'owner', companyId: `co_${'0'.repeat(32)}` }), 'not_found')
    expectError(await post({ email: 'no address', role: 'support' }), 'validation_failed')
    const owner = await join(server, 'owner', company)
    expectError(await owner.post('/api/v1/invitations', { email: 'a@b', role: 'operator' }), 'validation_failed')
  })

  it('is limited to a hundred open ones, each of which can still be replaced', async () => {
    const crowded = await server.createCompany()
    const first = await invite(server, 'viewer', { company: crowded })
    for (let count = 1; count < 100; count += 1) await invite(server, 'viewer', { company: crowded })
    await expect(invite(server, 'viewer', { company: crowded })).rejects.toThrow('invitation_limit')
    expect((await read(first.token)).status).toBe(200)
    const second = await invite(server, 'finance', { company: crowded, email: first.email })
    expectError(await read(first.token), 'link_not_valid')
    expect((await read(second.token)).body).toMatchObject({ role: 'finance' })
  })
})

it.each(['nonsense', 'cstk_session_x', ''])('the token "%s" is no link', async (token) => {
  expectError(await read(token), 'link_not_valid')
  expectError(await use(token), 'link_not_valid')
})

describe('the links of the first start', () => {
  const { db, clock } = server
  const makeLinks = () => makeFirstLinks({ db, clock, keyring: server.app.keyring, baseUrl: () => server.baseUrl })

  it('sign in the operator and the owner of the demonstration company once, until they have a password', async () => {
    await createOperator({ db, clock })
    await createDemoOwner({ db, clock }, company.scope.companyId)
    const links = await makeLinks()
    const open = async (url = '') => {
      const person = new Browser(server)
      const answer = await person.post<{ me: MeBody }>('/console/v1/links/use', { token: tokenOf(url) })
      return { person, answer }
    }
    const operator = await open(links.operator)
    expect(operator.answer.body.me).toMatchObject({ programmeRole: 'operator', companies: [], hasPassword: false })
    const owner = await open(links.demoOwner)
    expect(owner.answer.body.me.companies).toMatchObject([{ id: company.wireId, role: 'owner' }])
    expectError((await open(links.operator)).answer, 'link_not_valid')

    const chosen = await operator.person.post('/console/v1/password', { newPassword: PASSWORD })
    expect(chosen.status, chosen.text).toBe(204)
    expect(await makeLinks()).toEqual({ operator: undefined, demoOwner: expect.any(String) })
  })
})
