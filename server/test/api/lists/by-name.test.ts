// Holders and cards by name: without regard to case, each once, whatever happens between two pages.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'
import { addCard, addHolder } from '../rows.ts'

interface Page {
  readonly data: readonly { readonly id: string; readonly name: string }[]
  readonly nextCursor: string | null
}

const NAMES = ['bea', 'Zoe', 'Ada', 'ada', 'Ärzte', 'ben'] as const
/** By bytes, in lower case. Of equal names the older one comes first. */
const SORTED = ['Ada', 'ada', 'bea', 'ben', 'Zoe', 'Ärzte']

const server = await TestServer.start()
let company: TestCompany
beforeAll(async () => {
  company = await server.createCompany()
  for (const name of NAMES) {
    server.clock.advance(1)
    const status = name.startsWith('b') ? 'blocked' : 'active'
    const holderId = await addHolder(server, company.scope, { name, status, email: `${name}@example.com` })
    await addCard(server, company.scope, { holderId, name, status })
  }
  const other = await server.createCompany()
  await addCard(server, other.scope, { name: 'Aaron' })
})
afterAll(() => server.stop())

const read = async (query: string): Promise<Page> => {
  const { status, text, body } = await server.get<Page>(`/api/v1/${query}`, company.key)
  expect(status, text).toBe(200)
  return body
}
const namesOf = ({ data }: Page) => data.map(({ name }) => name)

async function readPages(query: string, between?: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | null | undefined; cursor !== null && names.length < 20;) {
    const page = await read(`${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
    names.push(...namesOf(page))
    cursor = page.nextCursor
    await between?.()
  }
  return names
}

test.each(['holders', 'cards'])('%s are ordered by name, in pages and as a whole, up and down', async (list) => {
  expect(namesOf(await read(`${list}?sort=name_asc`))).toEqual(SORTED)
  expect(namesOf(await read(`${list}?sort=name_desc`))).toEqual(SORTED.toReversed())
  for (const limit of [1, 2, 100]) {
    expect(await readPages(`${list}?sort=name_asc&limit=${limit}`)).toEqual(SORTED)
    expect(await readPages(`${list}?sort=name_desc&limit=${limit}`)).toEqual(SORTED.toReversed())
  }
  expect(await readPages(`${list}?sort=name_asc&status=blocked&limit=1`)).toEqual(['bea', 'ben'])
  expect(await readPages(`${list}?sort=name_desc&q=AD&limit=1`)).toEqual(['ada', 'Ada'])
  expect(namesOf(await read(`${list}?sort=oldest`))).toEqual(NAMES)
})

test.each(['holders', 'cards'])('a cursor of %s has one order', async (list) => {
  const { nextCursor } = await read(`${list}?sort=name_asc&limit=1`)
  for (const query of ['sort=name_desc', 'sort=oldest', 'limit=2'])
    expectError(await server.get(`/api/v1/${list}?${query}&cursor=${nextCursor}`, company.key), 'validation_failed')
})

test('a holder who is added or renamed between two pages does not move the others', async () => {
  let turn = 0
  const names = await readPages('holders?sort=name_asc&limit=2', async () => {
    turn += 1
    server.clock.advance(1)
    await addHolder(server, company.scope, { name: 'Aaa', email: `${turn}@example.com` })
    if (turn > 1) return
    // The last of the first page gets a name that is read already.
    const { data } = await read('holders?sort=name_asc&limit=3')
    const ada = data.findLast(({ name }) => name === 'ada')
    await server.request('PATCH', `/api/v1/holders/${ada?.id}`, { token: company.key, body: { name: 'Aab' } })
  })
  expect(names).toEqual(SORTED)
})

test('the longest name fits into the cursor', async () => {
  const own = await server.createCompany()
  for (const name of ['\u{1F980}'.repeat(255), 'x']) await addHolder(server, own.scope, { name })
  const path = '/api/v1/holders?sort=name_desc&limit=1'
  const { body } = await server.get<Page>(path, own.key)
  const next = await server.get<Page>(`${path}&cursor=${body.nextCursor}`, own.key)
  expect(next.body.data.map(({ name }) => name)).toEqual(['x'])
})
