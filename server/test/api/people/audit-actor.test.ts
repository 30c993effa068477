// Who acted, in the audit log: the id of the person, key or token, with the name that it had then. People choose their names, so that
// the text alone proves nothing.
import { afterAll, describe, expect, it } from 'vitest'
import { readdirSync, readFileSync } from 'node:fs'
import { companySources } from '../../../src/export/sources.ts'
import { TestServer } from '../../support/harness.ts'
import { Browser, invite, join, type MeBody, PASSWORD, tokenOf } from './people.ts'

const server = await TestServer.start()
const company = await server.createCompany()
afterAll(() => server.stop())

interface Entry {
  id: string
  actor: string
  actorKind: string | null
  actorId: string | null
  actorName: string | null
  action: string
  object: string | null
}
async function list(query: string): Promise<Entry[]> {
  const answer = await server.get<{ data: Entry[] }>(`/admin/v1/audit-log?limit=100&${query}`, server.operatorToken)
  expect(answer.status).toBe(200)
  return answer.body.data
}
const run = (text: string, values: unknown[] = []) => server.db.many<never>({ name: undefined, text, values })
const whoIs = async (browser: Browser) => (await browser.get<MeBody>('/console/v1/me')).body

describe('the actor of an audit record', () => {
  it('is the person by id, whatever they call themselves, then or later', async () => {
    const operator = await join(server, 'operator')
    const victim = await whoIs(operator)
    const person = await join(server, 'owner', company)
    const { id } = await whoIs(person)
    const rename = (name: string) => person.send('PATCH', '/console/v1/me', { body: { name } })
    expect((await rename(victim.name)).status).toBe(200)
    expect((await rename('operator key_00000000000000000000000000000000')).status).toBe(200)
    const changes = (await list(`actorId=${id}`)).filter(({ action }) => action === 'person.changed')
    expect(changes.map(({ actorKind, actorId, actorName }) => ({ actorKind, actorId, actorName }))).toEqual(
      [victim.name, 'The owner'].map((actorName) => ({ actorKind: 'person', actorId: id, actorName })),
    )
    // The operator of the same name has done nothing of this.
    expect((await list(`actorId=${victim.id}`)).map(({ action }) => action)).not.toContain('person.changed')
  })

  it('is the key or the token by id, with its name', async () => {
    const named = await server.request<{ id: string; token: string }>('POST', '/admin/v1/operator-tokens', {
      token: server.operatorToken,
      body: { name: 'Night shift' },
    })
    const body = { environment: 'sandbox', name: 'Shop', scopes: ['holders:write'] }
    const key = await server.request<{ id: string; key: string }>(
      'POST',
      `/admin/v1/companies/${company.wireId}/keys`,
      {
        token: named.body.token,
        body,
      },
    )
    expect(await list(`actorId=${named.body.id}`)).toMatchObject([
      { action: 'key.created', actorKind: 'operator_token', actorId: named.body.id, actorName: 'Night shift' },
    ])
    const holder = await server.post<{ id: string }>('/api/v1/holders', key.body.key, {
      kind: 'individual',
      name: 'Ada',
      email: 'ada@example.com',
    })
    expect(holder.status).toBe(201)
    expect((await server.post(`/api/v1/holders/${holder.body.id}/erase`, key.body.key)).status).toBe(200)
    expect(await list(`actorId=${key.body.id}`)).toMatchObject([
      { action: 'holder.erased', actorKind: 'key', actorId: key.body.id, actorName: 'Shop' },
    ])
  })

  it('is the link, with the person it was made for, when somebody only has a link', async () => {
    const person = await join(server, 'viewer', company)
    const { id } = await whoIs(person)
    const reset = await server.request<{ url: string }>('POST', `/admin/v1/people/${id}/reset`, {
      token: server.operatorToken,
      body: {},
    })
    const use = { token: tokenOf(reset.body.url), password: `${PASSWORD} again` }
    expect((await new Browser(server).post('/console/v1/links/use', use)).status).toBe(200)
    const entry = (await list(`actorId=${id}`)).find(({ action }) => action === 'password.reset')
    expect(entry).toMatchObject({ actorKind: 'link', actorId: id, actorName: null, object: id })
  })

  it('is the new person when an invitation is accepted', async () => {
    const { token } = await invite(server, 'viewer', { company })
    const browser = new Browser(server)
    await browser.post('/console/v1/links/use', { token, name: 'Grace', password: PASSWORD })
    const { id } = await whoIs(browser)
    expect(await list(`actorId=${id}&object=${id}`)).toMatchObject([
      { action: 'invitation.accepted', actorKind: 'person', actorName: 'Grace' },
    ])
  })

  it('is unknown in a record from before, which keeps its text', async () => {
    const record = { id: '01900000-0000-7000-8000-000000000001', actor: 'Ada <ada@example.com>', action: 'old' }
    await run('select record_audit($1, $2)', [
      company.id,
      JSON.stringify({ ...record, object: 'op_old', details: {}, createdAt: server.clock.now() }),
    ])
    expect(await list('object=op_old')).toMatchObject([
      { actor: record.actor, actorKind: null, actorId: null, actorName: null },
    ])
  })

  it.each([
    "actor_id = '01900000-0000-7000-8000-000000000003'",
    "actor_name = 'nobody'",
    "actor_kind = 'program'",
    "actor = 'nobody'",
  ])('cannot be changed, also not while text is erased: %s', async (change) => {
    await join(server, 'viewer', company)
    const text = `do $$ begin perform set_config('cardstock.erasing', 'on', true); update audit_log set ${change}; end $$`
    await expect(run(text)).rejects.toThrow('append-only')
  })

  it('has an id wherever a person, a key or a token acts', async () => {
    const record = { id: '01900000-0000-7000-8000-000000000002', actor: 'x', actorKind: 'person', action: 'a' }
    const values = [JSON.stringify({ ...record, details: {}, createdAt: server.clock.now() })]
    await expect(run('select record_audit(null, $1)', values)).rejects.toThrow('audit_log_actor_known')
    const without = await run(`select action from audit_log where actor_kind is null and action <> 'old'`)
    expect(without).toEqual([])
  })

  it('is in the export of a company', async () => {
    const owner = await join(server, 'owner', company)
    const { id } = await whoIs(owner)
    expect((await owner.post('/api/v1/invitations', { email: 'new@example.com', role: 'viewer' })).status).toBe(201)
    const source = companySources(server.db, company.id).find(({ object }) => object === 'audit_entry')
    const entries: Entry[] = []
    for await (const page of source?.read() ?? []) entries.push(...(page as Entry[]))
    expect(entries.filter(({ actorId }) => actorId === id)).toMatchObject([
      { action: 'invitation.created', actorKind: 'person' },
      { action: 'invitation.accepted', actorKind: 'person' },
    ])
  })

  it('is written by one function only', () => {
    const folder = new URL('../../../sql/', import.meta.url)
    const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.sql') && /insert\s+into\s+audit_log/i.test(readFileSync(new URL(name, folder), 'utf8')),
    )
    expect(writers).toEqual(['functions/access/record_audit.sql'])
  })
})

it('the records about one object stand in the order in which they were written, whenever their requests began', async () => {
  const object = 'per_00000000000000000000000000000001'
  const record = (id: string, action: string, createdAt: string) =>
    run('select record_audit(null, $1)', [
      JSON.stringify({ id, actor: 'x', actorKind: 'program', actorId: null, action, object, details: {}, createdAt }),
    ])
  await record('01900000-0000-7000-8000-00ffffffffff', 'second', '2026-03-10T12:00:00.002Z')
  await record('01900000-0000-7000-8000-000000000009', 'began first', '2026-03-10T12:00:00.001Z')
  await record('01900000-0000-7000-8000-000000000008', 'began before', '2026-03-10T12:00:00.000Z')
  const entries = (await list(`object=${object}`)) as (Entry & { createdAt: string })[]
  expect(entries.map(({ action, createdAt }) => ({ action, createdAt })).toReversed()).toEqual([
    { action: 'second', createdAt: '2026-03-10T12:00:00.002Z' },
    { action: 'began first', createdAt: '2026-03-10T12:00:00.002Z' },
    { action: 'began before', createdAt: '2026-03-10T12:00:00.002Z' },
  ])
})
