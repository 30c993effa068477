// Rights that end while they are used: links, invitations, roles, keys and tokens that are about to be made when the right to make them
// goes, and links that would open more than whoever made them may see.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../../src/access/permissions.ts'
import { findId } from '../../../src/lib/ids.ts'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { changeBefore, meetAtLock } from './interleave.ts'
import { addTotp, Browser, codeOf, invite, join, type MeBody, PASSWORD, tokenOf } from './people.ts'

const server = await TestServer.start()
const other = await server.createCompany()
afterAll(() => server.stop())

type Person = Awaited<ReturnType<typeof join>>
const NEW_PASSWORD = 'eleven brown foxes'

let company: TestCompany
let owner: Person
beforeEach(async () => {
  company = await server.createCompany()
  owner = await join(server, 'owner', company)
})

const idOf = async (browser: Browser) => (await browser.get<MeBody>('/console/v1/me')).body.id
const admin = <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
  server.request<Body>(method, `/admin/v1${path}`, { token: server.operatorToken, ...(body ? { body } : {}) })
const count = async (text: string, ...values: unknown[]) =>
  Number((await server.db.find<{ count: bigint }>({ name: undefined, text, values }))?.count)

/** Returns what lets the person accept an invitation of the operator. */
async function prepareJoin(person: Person, role: Role, place?: TestCompany) {
  const { token } = await invite(server, role, { email: person.email, ...(place ? { company: place } : {}) })
  return async () => {
    const answer = await person.post('/console/v1/me/invitations', { token })
    expect(answer.status, answer.text).toBe(200)
    return answer
  }
}
const changeRole = (personId: string, role: Role) =>
  admin('PATCH', `/people/${personId}`, { role, companyId: company.wireId })
const remove = (personId: string) => admin('DELETE', `/people/${personId}?companyId=${company.wireId}`)
const open = (url: string) =>
  new Browser(server).post('/console/v1/links/use', { token: tokenOf(url), password: NEW_PASSWORD })
const read = (url: string) => new Browser(server).post('/console/v1/links/read', { token: tokenOf(url) })

describe('a reset link that an owner makes', () => {
  const places = [
    ['the programme', 'operator', undefined],
    ['another company', 'viewer', other],
  ] as const
  const reset = (personId: string) => owner.post<{ url: string }>(`/api/v1/people/${personId}/reset`, {})

  it.each(places)('is refused when the person joins %s at that moment', async (_where, role, place) => {
    const person = await join(server, 'viewer', company)
    const id = await idOf(person)
    const joinThere = await prepareJoin(person, role, place)
    expectError(await changeBefore(server, 'create_person_link', () => reset(id), joinThere), 'reset_not_allowed')
  })

  it.each(places)('opens nothing however it meets the person joining %s', async (_where, role, place) => {
    const person = await join(server, 'viewer', company)
    const id = await idOf(person)
    const joinThere = await prepareJoin(person, role, place)
    const row = { table: 'person', id: findId('per', id) ?? '' } as const
    const [made] = await meetAtLock<{ status: number; text: string }>(server, row, [() => reset(id), joinThere])
    expect(made?.status, made?.text).toBe(200)
    expectError(await open((JSON.parse(made?.text ?? '') as { url: string }).url), 'link_not_valid')
    expect((await new Browser(server).signIn(person.email)).status).toBe(200)
  })

  it.each([
    ['belongs to the programme too', 'insert into membership values (null, $1, $2, now())', 'operator'],
    ['belongs to another company too', `insert into membership values ('${other.id}', $1, $2, now())`, 'viewer'],
    [
      'belongs to another company instead',
      `update membership set company_id = '${other.id}', role = $2 where person_id = $1`,
      'owner',
    ],
    ['belongs nowhere any more', 'delete from membership where person_id = $1 and role <> $2', 'nobody'],
  ])('does not work while the person %s', async (_where, text, role) => {
    const id = await idOf(await join(server, 'viewer', company))
    const { body } = await reset(id)
    expect((await read(body.url)).body).toMatchObject({ kind: 'reset', company: null })
    // Past everything that ends the link by itself.
    await server.db.run({ name: undefined, text, values: [findId('per', id), role] })
    expectError(await read(body.url), 'link_not_valid')
    expectError(await open(body.url), 'link_not_valid')
    const byOperator = await admin<{ url: string }>('POST', `/people/${id}/reset`, {})
    expect((await open(byOperator.body.url)).body).toMatchObject({ signedIn: true })
  })

  it('is refused when its maker loses the role at that moment, and ends when they lose it later', async () => {
    await join(server, 'owner', company)
    const [makerId, id] = [await idOf(owner), await idOf(await join(server, 'viewer', company))]
    const { body } = await reset(id)
    const demote = () => changeRole(makerId, 'developer')
    expectError(await changeBefore(server, 'create_person_link', () => reset(id), demote), 'membership_required')
    expectError(await open(body.url), 'link_not_valid')
  })
})

describe('an invitation', () => {
  const inviteAs = (browser: Browser, email: string, role = 'owner') =>
    browser.post<{ id: string; url: string }>('/api/v1/invitations', { email, role })
  const openInvitations = () =>
    count(
      `select count(*) from one_time_link where company_id = $1 and kind = 'invitation' and used_at is null and revoked_at is null`,
      company.id,
    )

  it.each([
    ['is removed', (id: string) => remove(id)],
    ['gets another role', (id: string) => changeRole(id, 'finance')],
  ])('is refused when its maker %s at that moment, and ends when that happens later', async (_what, lose) => {
    await join(server, 'owner', company)
    const id = await idOf(owner)
    const before = await inviteAs(owner, 'before@example.com')
    const make = () => inviteAs(owner, 'accomplice@example.com')
    expectError(await changeBefore(server, 'create_invitation', make, () => lose(id)), 'membership_required')
    expectError(await read(before.body.url), 'link_not_valid')
    expect(await openInvitations()).toBe(0)
  })

  it('is refused when its maker signs out at that moment', async () => {
    const make = () => inviteAs(owner, 'accomplice@example.com')
    const signOut = () => owner.post('/console/v1/sign-out')
    expectError(await changeBefore(server, 'create_invitation', make, signOut), 'membership_required')
  })

  it('of an operator is refused when they are removed from the programme at that moment', async () => {
    const operator = await join(server, 'operator')
    const id = await idOf(operator)
    const make = () => operator.post('/admin/v1/invitations', { email: 'accomplice@example.com', role: 'operator' })
    const removeThem = () => admin('DELETE', `/people/${id}`)
    expectError(await changeBefore(server, 'create_invitation', make, removeThem), 'role_not_allowed')
  })

  it('stays when its maker gets another role that includes inviting', async () => {
    const makerOperator = await prepareJoin(owner, 'operator')
    await makerOperator()
    await join(server, 'owner', company)
    const { body } = await inviteAs(owner, 'colleague@example.com')
    await changeRole(await idOf(owner), 'viewer')
    expect((await read(body.url)).status).toBe(200)
  })

  it('that is revoked at that moment is not accepted, by an existing account either', async () => {
    const person = await join(server, 'viewer', other)
    const made = await inviteAs(owner, person.email)
    const revoke = () => owner.send('DELETE', `/api/v1/invitations/${made.body.id}`)
    const accept = () => person.post('/console/v1/me/invitations', { token: tokenOf(made.body.url) })
    expectError(await changeBefore(server, 'join_by_invitation', accept, revoke), 'link_not_valid')
    const fresh = await inviteAs(owner, 'fresh@example.com')
    const use = () =>
      new Browser(server).post('/console/v1/links/use', {
        token: tokenOf(fresh.body.url),
        name: 'A',
        password: PASSWORD,
      })
    const revokeFresh = () => owner.send('DELETE', `/api/v1/invitations/${fresh.body.id}`)
    expectError(await changeBefore(server, 'accept_invitation', use, revokeFresh), 'link_not_valid')
  })

  it('is not accepted by somebody whose address has just changed, nor by a session that has just ended', async () => {
    const person = await join(server, 'viewer', other)
    const { token } = await invite(server, 'owner', { company, email: person.email })
    const accept = () => person.post('/console/v1/me/invitations', { token })
    const move = () =>
      person.send('PATCH', '/console/v1/me', { body: { email: `moved-${person.email}`, password: PASSWORD } })
    expectError(await changeBefore(server, 'join_by_invitation', accept, move), 'link_not_valid')
    await person.send('PATCH', '/console/v1/me', { body: { email: person.email, password: PASSWORD } })
    const signOut = () => person.post('/console/v1/sign-out')
    expectError(await changeBefore(server, 'join_by_invitation', accept, signOut), 'invalid_session')
  })

  it('is counted and replaced under one lock', async () => {
    await server.db.run({
      name: undefined,
      text: `insert into one_time_link (id, kind, digest, email, company_id, role, created_by, created_at, expires_at)
             select gen_random_uuid(), 'invitation', sha256(gen_random_uuid()::text::bytea), n || '@example.com', $1, 'viewer', 'test', $2,
                    $2::timestamptz + interval '1 day' from generate_series(1, 98) as n`,
      values: [company.id, server.clock.now()],
    })
    const second = await join(server, 'owner', company)
    const invitedAtOnce = async (...emails: [string, string]) => {
      const requests = [() => inviteAs(owner, emails[0]), () => inviteAs(second, emails[1])]
      const answers = await meetAtLock(server, { table: 'company', id: company.id }, requests)
      return answers.map(({ status }) => status)
    }
    expect(await invitedAtOnce('a@example.com', 'a@example.com')).toEqual([201, 201])
    expect(await openInvitations()).toBe(99)
    expect(await invitedAtOnce('b@example.com', 'c@example.com')).toEqual([201, 400])
    expect(await openInvitations()).toBe(100)
  })
})

describe('a change of roles', () => {
  it('is refused when whoever asks for it is removed at that moment', async () => {
    const second = await join(server, 'owner', company)
    await join(server, 'owner', company)
    const [mine, theirs] = [await idOf(owner), await idOf(second)]
    const removeSecond = () => owner.send('DELETE', `/api/v1/people/${theirs}`)
    const removeMe = () => second.send('DELETE', `/api/v1/people/${mine}`)
    expectError(await changeBefore(server, 'change_membership', removeSecond, removeMe), 'membership_required')
    expect(await count('select count(*) from membership where company_id = $1', company.id)).toBe(2)
  })

  it('leaves one of two owners who remove each other, and does not wait in a circle', async () => {
    const second = await join(server, 'owner', company)
    await join(server, 'owner', company)
    const [mine, theirs] = [await idOf(owner), await idOf(second)]
    const answers = await meetAtLock(server, { table: 'company', id: company.id }, [
      () => owner.send('DELETE', `/api/v1/people/${theirs}`),
      () => second.send('DELETE', `/api/v1/people/${mine}`),
    ])
    expect(answers.map(({ status }) => status)).toEqual([204, 403])
  })
})

describe('a key', () => {
  const key = { name: 'Back office', scopes: ['cards:write', 'balance:read'] }
  const countKeys = () => count('select count(*) from api_key where company_id = $1', company.id)

  it.each([
    ['loses the role', (id: string) => changeRole(id, 'viewer')],
    ['is removed', (id: string) => remove(id)],
  ])('is neither made nor rotated by a developer who %s at that moment', async (_what, lose) => {
    const developer = await join(server, 'developer', company)
    const id = await idOf(developer)
    const made = await developer.post<{ id: string }>('/api/v1/keys', key)
    const before = await countKeys()
    const create = () => developer.post('/api/v1/keys', key)
    expectError(await changeBefore(server, 'create_api_key', create, () => lose(id)), 'membership_required')
    const again = await join(server, 'developer', company)
    const rotate = () => again.post(`/api/v1/keys/${made.body.id}/rotate`, {})
    const loseAgain = async () => lose(await idOf(again))
    expectError(await changeBefore(server, 'rotate_api_key', rotate, loseAgain), 'membership_required')
    expect(await countKeys()).toBe(before)
  })

  it('in live is not made by an owner who becomes a developer at that moment', async () => {
    await join(server, 'owner', company)
    await addTotp(owner)
    const id = await idOf(owner)
    const create = (scopes: string[]) => () => owner.post('/api/v1/keys', { ...key, scopes }, { environment: 'live' })
    const demote = () => changeRole(id, 'developer')
    expectError(await changeBefore(server, 'create_api_key', create(key.scopes), demote), 'membership_required')
    // What the new role includes is given.
    await changeRole(id, 'owner')
    expect((await changeBefore(server, 'create_api_key', create(['balance:read']), demote)).status).toBe(201)
  })

  it('is not made by an operator token that is revoked at that moment, nor is another token', async () => {
    const post = <Body>(token: string, path: string, body: object) =>
      server.request<Body>('POST', `/admin/v1${path}`, { token, body })
    const requests = (token: string) =>
      [
        ['create_operator_token', () => post(token, '/operator-tokens', { name: 'successor' })],
        ['create_api_key', () => post(token, `/companies/${company.wireId}/keys`, { ...key, environment: 'live' })],
      ] as const
    for (const which of [0, 1]) {
      const { body } = await post<{ id: string; token: string }>(server.operatorToken, '/operator-tokens', {
        name: 'old',
      })
      const [statement, request] = requests(body.token)[which]!
      const revoke = () => admin('DELETE', `/operator-tokens/${body.id}`)
      expectError(await changeBefore(server, statement, request, revoke), 'invalid_operator_token')
    }
  })
})

describe('the scopes of a key', () => {
  const money = ['funding:write', 'cards:write', 'services:write', 'holders:write']
  const reads = ['cards:read', 'holders:read', 'operations:read', 'balance:read', 'webhooks:read', 'webhooks:write']
  const live = { environment: 'live' } as const
  const create = (browser: Browser, scopes: readonly string[], options: object = live) =>
    browser.post<{ id: string; key: string }>('/api/v1/keys', { name: 'Key', scopes }, options)
  const rotate = (browser: Browser, id: string, options: object = live) =>
    browser.post(`/api/v1/keys/${id}/rotate`, {}, options)

  it('are a part of what its maker may do in that environment', async () => {
    const developer = await join(server, 'developer', company)
    await addTotp(developer)
    for (const scope of money) expectError(await create(developer, ['balance:read', scope]), 'scope_missing')
    expect((await create(developer, reads)).status).toBe(201)
    expect((await create(developer, [...reads, ...money], {})).status).toBe(201)
    await addTotp(owner)
    expect((await create(owner, [...reads, ...money])).status).toBe(201)
  })

  it('are a part of what whoever rotates it may do, because they see the successor', async () => {
    const developer = await join(server, 'developer', company)
    const { secret } = await addTotp(developer)
    await addTotp(owner)
    const [strong, weak] = [await create(owner, money), await create(owner, reads)]
    const refused = expectError(await rotate(developer, strong.body.id), 'scope_missing')
    expect(refused.message).toContain('funding:write, cards:write, services:write, holders:write in live')
    expect((await rotate(developer, weak.body.id)).status).toBe(201)
    server.clock.advance(30_000)
    await developer.post('/console/v1/second-factor/verify', { code: codeOf(secret, server) })
    expect((await developer.send('DELETE', `/api/v1/keys/${strong.body.id}`, live)).status).toBe(204)
  })

  it('may be all for the operator', async () => {
    const body = { environment: 'live', name: 'Key', scopes: [...reads, ...money] }
    const made = await admin<{ id: string }>('POST', `/companies/${company.wireId}/keys`, body)
    expect(made.status).toBe(201)
    const path = `/companies/${company.wireId}/keys/${made.body.id}/rotate`
    expect((await admin('POST', path, {})).status).toBe(201)
  })
})

it('a session that is signed out by several requests at once has ended, and none of them says that it does not exist', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await join(server, 'viewer', other)
    const answers = await Promise.all(Array.from({ length: 6 }, () => person.post('/console/v1/sign-out')))
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses.has(204)).toBe(true)
    expect([...statuses].filter((status) => status !== 204 && status !== 401)).toEqual([])
  }
})
