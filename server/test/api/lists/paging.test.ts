// Paging over every list: limits, cursors that are bound to their list, and rows that are inserted meanwhile.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { addCard, addHolder, addManyHolders, type ListBody } from '../rows.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

const page = async (path: string, token: string) => (await server.get<ListBody>(path, token)).body

async function readAll(path: string, token: string, between?: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null | undefined
  // Bounded: no list here has as many pages.
  for (let turn = 0; turn < 200 && cursor !== null; turn += 1) {
    const body: ListBody = await page(cursor === undefined ? path : `${path}&cursor=${cursor}`, token)
    ids.push(...body.data.map(({ id }) => id))
    expect(body).toHaveProperty('nextCursor')
    cursor = body.nextCursor
    await between?.()
  }
  return ids
}

describe('pages', () => {
  it.each([1, 3, 7, 100])('of %i give every row once, newest first, and end with null', async (limit) => {
    const { key, scope } = await server.createCompany()
    const made: string[] = []
    for (let index = 0; index < 7; index += 1) {
      // Several in one millisecond, too.
      if (index % 3 === 0) server.clock.advance(1)
      made.push(await addHolder(server, scope))
    }
    expect(await readAll(`/api/v1/holders?limit=${limit}`, key)).toEqual(made.toReversed())
  })

  it('neither repeat nor skip a row when others are inserted meanwhile', async () => {
    const { key, scope } = await server.createCompany()
    const made: string[] = []
    for (let index = 0; index < 10; index += 1) {
      server.clock.advance(1)
      made.push(await addHolder(server, scope))
    }
    const insert = async () => {
      server.clock.advance(1)
      await addHolder(server, scope)
    }
    expect(await readAll('/api/v1/holders?limit=3', key, insert)).toEqual(made.toReversed())
  })

  it('have 50 rows if only a cursor is given', async () => {
    const { key, scope } = await server.createCompany()
    await addManyHolders(server, scope, 60)
    const first = await page('/api/v1/holders?limit=1', key)
    expect((await page(`/api/v1/holders?cursor=${first.nextCursor}`, key)).data).toHaveLength(50)
  })
})

describe('a cursor', () => {
  let one: TestCompany
  let other: TestCompany
  let cursor: string
  beforeAll(async () => {
    one = await server.createCompany()
    other = await server.createCompany()
    for (const { scope } of [one, other]) {
      for (let index = 0; index < 3; index += 1) await addCard(server, scope)
    }
    cursor = (await page('/api/v1/holders?limit=1&status=active', one.key)).nextCursor ?? ''
  })
  const refused = async (path: string, token: string) =>
    expect(expectError(await server.get(path, token), 'validation_failed').message).toContain('query.cursor')

  it('works with its own list, filters and scope, and with another limit', async () => {
    expect((await page(`/api/v1/holders?limit=2&status=active&cursor=${cursor}`, one.key)).data).toHaveLength(2)
    const second = await server.createKey(one.id, { scopes: ['holders:read'] })
    expect((await page(`/api/v1/holders?status=active&cursor=${cursor}`, second)).data).toHaveLength(2)
  })

  it('of another list is refused', () => refused(`/api/v1/cards?status=active&cursor=${cursor}`, one.key))
  it('of other filters is refused', async () => {
    await refused(`/api/v1/holders?cursor=${cursor}`, one.key)
    await refused(`/api/v1/holders?status=blocked&cursor=${cursor}`, one.key)
    await refused(`/api/v1/holders?status=active&kind=individual&cursor=${cursor}`, one.key)
  })
  it('of another company is refused', () => refused(`/api/v1/holders?status=active&cursor=${cursor}`, other.key))
  it('of another environment is refused', async () =>
    refused(`/api/v1/holders?status=active&cursor=${cursor}`, await server.createKey(one.id, { environment: 'live' })))
  it('that is empty or too long is refused', async () => {
    await refused('/api/v1/holders?cursor=', one.key)
    await refused(`/api/v1/holders?cursor=${'x'.repeat(5000)}`, one.key)
  })
  it('with any character changed is refused', async () => {
    for (let at = 0; at < cursor.length; at += 1) {
      const forged = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
      await refused(`/api/v1/holders?limit=1&status=active&cursor=${forged}`, one.key)
    }
  })
  it("of one company's keys is refused on another's", async () => {
    await server.createKey(one.id)
    const path = (company: TestCompany) => `/admin/v1/companies/${company.wireId}/keys?limit=1`
    const { nextCursor } = await page(path(one), server.operatorToken)
    expect((await page(`${path(one)}&cursor=${nextCursor}`, server.operatorToken)).data).toHaveLength(1)
    await refused(`${path(other)}&cursor=${nextCursor}`, server.operatorToken)
  })
})
