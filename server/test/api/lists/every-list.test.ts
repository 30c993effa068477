// Every list of the API, found in the list of routes: its pages have each object once, in one order, newest first.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { furnish } from '../../support/furnish.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { startReceiver } from '../../support/receiver.ts'
import { expectError } from '../expect-error.ts'

interface List {
  readonly data: readonly { readonly id: string }[]
  readonly nextCursor: string | null
}

const server = await TestServer.start({ OPERATOR_RATE_LIMIT_PER_SECOND: '100000' })
let company: TestCompany
beforeAll(async () => {
  company = await server.createCompany()
  await server.createCompany()
  const receiver = await startReceiver(500)
  for (let turn = 0; turn < 2; turn += 1) {
    await furnish(server, company, receiver.url)
    server.clock.advance(1)
    await server.createKey(company.id)
  }
  await receiver.close()
})
afterAll(() => server.stop())

/** Reviews wait: the one that has waited for the longest comes first. */
const OLDEST_FIRST = '/admin/v1/reviews'
/**
 * Their lines have no ids, or names instead of ids, or they have tests of their own. The request log gets longer while it is read.
 */
const OTHER = [
  'statements',
  'products',
  'prices',
  'seals',
  'people',
  'invitations',
  'operator-tokens',
  'attempts',
  'request-logs',
  'changes',
]

const isList = ({ method, access, query }: Route) =>
  method === 'GET' &&
  (access.by === 'company' || access.by === 'operator') &&
  JSON.stringify(query ?? null).includes('"cursor"')
const lists = server.app.routes.filter((route) => isList(route) && !OTHER.some((name) => route.path.includes(name)))

it('there are lists', () => expect(lists.length).toBeGreaterThan(10))

it.each(lists.map((route) => [route.path, route] as const))('%s', async (path, { access, query: schema }) => {
  const token = access.by === 'company' ? company.key : server.operatorToken
  const ofCompany = path.replace(':id', company.wireId)
  const { required = [] } = (schema ?? {}) as { required?: string[] }
  const scope = required.includes('environment') ? 'environment=sandbox&' : ''
  const read = async (query: string) => {
    const answer = await server.get<List>(`${ofCompany}?${scope}${query}`, token)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }
  const { data } = await read('limit=100')
  const ids = data.map(withoutPrefix)
  expect(ids.length, 'objects').toBeGreaterThan(1)
  expect(ids).toEqual(path === OLDEST_FIRST ? ids.toSorted() : ids.toSorted().toReversed())
  const paged: string[] = []
  for (let cursor: string | null | undefined; cursor !== null && paged.length < 10;) {
    const page = await read(cursor === undefined ? 'limit=1' : `limit=1&cursor=${cursor}`)
    expect(page.data).toHaveLength(1)
    paged.push(...page.data.map(withoutPrefix))
    cursor = page.nextCursor
  }
  expect(paged.length).toBe(Math.min(10, ids.length))
  expect(ids.filter((id) => paged.includes(id))).toEqual(paged)
})

const sorted = lists.filter(({ query }) => JSON.stringify(query ?? null).includes('"sort"'))

it('the lists that people sort have an order', () => {
  expect(sorted.map(({ path }) => path.split('/').at(-1) ?? '').toSorted()).toEqual([
    'cards',
    'holders',
    'invoices',
    'operations',
    'transactions',
  ])
})

it.each(sorted.map(({ path }) => path))(
  '%s has the oldest first if asked, and its cursor has one order',
  async (path) => {
    const read = async (query: string) => (await server.get<List>(`${path}?${query}`, company.key)).body
    const newest = (await read('limit=100')).data.map(withoutPrefix)
    expect((await read('limit=100&sort=newest')).data.map(withoutPrefix)).toEqual(newest)
    const oldest: string[] = []
    for (let cursor: string | null | undefined; cursor !== null && oldest.length < newest.length;) {
      const page = await read(`limit=2&sort=oldest${cursor === undefined ? '' : `&cursor=${cursor}`}`)
      oldest.push(...page.data.map(withoutPrefix))
      cursor = page.nextCursor
    }
    expect(oldest).toEqual(newest.toReversed())
    const cursors = { newest: await read('limit=1'), oldest: await read('limit=1&sort=oldest') }
    expectError(
      await server.get(`${path}?sort=oldest&cursor=${cursors.newest.nextCursor}`, company.key),
      'validation_failed',
    )
    expectError(await server.get(`${path}?cursor=${cursors.oldest.nextCursor}`, company.key), 'validation_failed')
    expect((await read(`sort=newest&limit=1&cursor=${cursors.newest.nextCursor}`)).data).toHaveLength(1)
    expectError(await server.get(`${path}?sort=amount`, company.key), 'validation_failed')
  },
)

/** Ids of several kinds are ordered by the time in them. */
const withoutPrefix = ({ id }: { id: string }) => id.slice(id.indexOf('_') + 1)
