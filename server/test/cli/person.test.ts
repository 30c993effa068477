// `cardstock person …` against a running server.
import type { CreatedInvitation, Page, Person, ResetLink } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser, PASSWORD, tokenOf } from '../api/people/people.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'

let server: TestServer
let company: TestCompany
beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
})
afterAll(() => server.stop())

const run = (...args: string[]) =>
  cardstock(args, { CARDSTOCK_URL: server.baseUrl, CARDSTOCK_OPERATOR_TOKEN: server.operatorToken })

async function json<Value>(...args: string[]): Promise<Value> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Value
}

test('people are invited, listed, given a role, let in again and removed', async () => {
  const place = ['--company', company.wireId]
  const invited = await json<CreatedInvitation>('person', 'invite', 'Ada@example.com', '--role', 'owner', ...place)
  const use = (url: string, more: object) =>
    new Browser(server).post('/console/v1/links/use', { token: tokenOf(url), password: PASSWORD, ...more })
  expect((await use(invited.url, { name: 'Ada' })).status).toBe(200)
  const second = await json<CreatedInvitation>('person', 'invite', 'grace@example.com', '--role', 'viewer', ...place)
  expect((await use(second.url, { name: 'Grace' })).status).toBe(200)
  const changed = await run('person', 'role', 'grace@example.com', 'finance', ...place)
  expect(changed.out).toBe('Grace <grace@example.com> is finance now.\n')
  const { data } = await json<Page<Person>>('person', 'list', ...place)
  expect(data.map(({ email, role }) => [email, role])).toEqual([
    ['grace@example.com', 'finance'],
    ['ada@example.com', 'owner'],
  ])
  const link = await json<ResetLink>('person', 'reset', 'grace@example.com', '--remove-second-factor', ...place)
  expect((await use(link.url, {})).body).toMatchObject({ signedIn: true })
  expect((await run('person', 'remove', 'grace@example.com', ...place)).code).toBe(0)
  const last = await run('person', 'remove', 'ada@example.com', ...place)
  expect([last.code, last.err]).toEqual([1, expect.stringContaining('last owner')])
  const unknown = await run('person', 'role', 'nobody@example.com', 'viewer', ...place)
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('cardstock admin person list --company')])
})

test('an invitation to the programme is listed and revoked', async () => {
  const invited = await run('person', 'invite', 'joan@example.com', '--role', 'support')
  expect(invited.out).toMatch(/^link: +http:\S+\/sign-in#cstk_invitation_\w+$/m)
  const { data } = await json<Page<{ id: string; status: string }>>('person', 'invitations')
  expect(data).toMatchObject([{ status: 'open' }])
  expect((await run('person', 'revoke', data[0]?.id ?? '')).code).toBe(0)
  expect((await run('person', 'invitations')).out).toContain('revoked')
})
