// Another company's object, another environment's object and a missing object get the same answer. The cases are generated
// from the routes and from every id that one company has, so that a new route is tested automatically.
import { afterAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route.ts'
import { type TestAnswer, type TestCompany, TestServer } from '../support/harness.ts'
import { addCard, addHolder, type ListBody } from './rows.ts'

const server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
const owner = await server.createCompany()
const other = await server.createCompany()
/** Who asks for the owner's sandbox objects: they must look missing to all of them. */
const strangers = [
  ['another company', other.key],
  ['another company in live', await server.createKey(other.id, { environment: 'live' })],
  ['the same company in live', await server.createKey(owner.id, { environment: 'live' })],
] as const
const liveScope = { ...owner.scope, environment: 'live' as const }
const liveHolder = await addHolder(server, liveScope)
afterAll(() => server.stop())

/** Every kind of id that a company can meet. */
const KINDS = ['hld', 'card', 'op', 'inv', 'txn', 'we', 'evt', 'key', 'req', 'co'] as const
const ids = await harvest(owner)

/** Makes one of everything, and collects the ids from every list that the company can read. */
async function harvest({ key, scope, wireId }: TestCompany): Promise<ReadonlyMap<string, string>> {
  const holderId = await addHolder(server, scope)
  const cardId = await addCard(server, scope, { holderId, balance: 10_000n })
  const make = async (path: string, body: unknown) => {
    const answer = await server.post(path, key, body)
    expect([200, 201], answer.text).toContain(answer.status)
  }
  await make('/api/v1/webhook-endpoints', { url: 'http://127.0.0.1:9999/' })
  await make('/api/v1/sandbox/funding', { amount: '1000.00' })
  await make('/api/v1/operations', { type: 'topup', cardId, amount: '25.00' })
  await make('/api/v1/card-account/invoices', { amount: '100' })
  await make('/api/v1/sandbox/transactions', { cardId, type: 'purchase', amount: '1.00' })
  await server.app.requestLog?.flush()
  const texts = [wireId]
  for (const path of companyOperatorRoutes().filter(isList).map(pathOf)) texts.push((await server.get(path, key)).text)
  const found = new Map<string, string>()
  for (const [id = ''] of texts.join(' ').matchAll(/\b[a-z]+_[0-9a-f]{32}\b/g)) found.set(id.split('_')[0] ?? '', id)
  return found
}

function companyOperatorRoutes(): Route[] {
  return server.app.routes.filter(({ access }) => access.by === 'company')
}
function isList({ method, path }: Route): boolean {
  return method === 'GET' && !path.includes(':') && !path.endsWith('/stream')
}
function pathOf({ path }: Route): string {
  const days = 'from=2026-03-01&to=2026-03-31'
  if (path.endsWith('/spend')) return `${path}?by=card&${days}`
  return /\/(account-statements|history)$/.test(path) ? `${path}?${days}` : path
}

/** Valid bodies for the routes that need one, so that only the object can be refused. `id` is the object that the body names. */
const BODIES: Readonly<Record<string, (id: string) => unknown>> = {
  '/api/v1/holders/:id/details': () => ({ values: [{ field: 'city', value: 'Paris' }] }),
  '/api/v1/sandbox/invoices/:id/payments': () => ({ amount: '1' }),
  '/api/v1/sandbox/reviews/:id/resolve': () => ({ outcome: 'failed' }),
  '/api/v1/sandbox/transactions/:id/status': () => ({ status: 'settled' }),
  '/api/v1/operations': (id) =>
    id.startsWith('card')
      ? { type: 'topup', cardId: id, amount: '25.00' }
      : { type: 'issue', productId: 'prod_card_virtual', holderId: id, amount: '25.00' },
  '/api/v1/quotes': (id) =>
    id.startsWith('card')
      ? { type: 'topup', cardId: id, amount: '25.00' }
      : { type: 'issue', productId: 'prod_card_virtual', holderId: id, amount: '25.00' },
  '/api/v1/sandbox/transactions': (id) => ({ cardId: id, type: 'purchase', amount: '1.00' }),
}

const missing = (id: string) => id.replaceAll(/[0-9a-f]{32}/g, 'f'.repeat(32))

function call(route: Route, token: string, id: string) {
  const body = route.method === 'GET' ? undefined : BODIES[route.path]?.(id)
  return server.request(route.method, route.path.replaceAll(/:\w+/g, id), {
    token,
    idempotencyKey: 'isolation',
    ...(body === undefined ? {} : { body }),
  })
}

/** Returns the whole answer without the parts that differ between any two answers. */
function bytesOf({ status, headers, text, body }: TestAnswer): string {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name))
  return JSON.stringify([status, kept, text.replace(String(body?.['requestId']), '')])
}

it('the owner has an object of every kind', () => {
  expect([...ids.keys()].toSorted()).toEqual(expect.arrayContaining([...KINDS].toSorted()))
})

const isNamedInBody = (route: Route) => /"(holderId|cardId)"/.test(JSON.stringify(route.body ?? {}))
const withIds = companyOperatorRoutes().filter((route) => route.path.includes(':') || isNamedInBody(route))

describe.each(withIds.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  it('answers 404 to a missing object if the request is valid otherwise', async () => {
    const prefix = isNamedInBody(route) && !route.path.includes(':') ? 'card' : 'op'
    expect(await call(route, owner.key, `${prefix}_${'f'.repeat(32)}`)).toMatchObject({ status: 404 })
  })

  it.each(strangers)('gives %s the same bytes for every id of the owner as for a missing id', async (name, key) => {
    for (const id of ids.values()) {
      const [theirs, none] = [await call(route, key, id), await call(route, key, missing(id))]
      expect(bytesOf(theirs), id).toBe(bytesOf(none))
      // Another company in the sandbox passes every check except the one for the object. A live key may be refused earlier.
      expect(name === 'another company' ? [404] : [403, 404], theirs.text).toContain(theirs.status)
    }
  })
})

describe.each(
  companyOperatorRoutes()
    .filter(isList)
    .map((route) => [route.path, route] as const),
)('the list %s', (_path, route) => {
  it.each(strangers)('shows %s nothing of the owner', async (_name, key) => {
    await server.app.requestLog?.flush()
    const answer = await server.get(pathOf(route), key)
    expect(answer.status).toBe(200)
    const known = [...ids].filter(([kind]) => kind !== 'co' || _name !== 'the same company in live').map(([, id]) => id)
    // The request log shows the paths, the queries and the bodies that the stranger sent.
    const shown = answer.text.replaceAll(/"(?:path|query)":"[^"]*"|"requestBody":\{[^}]*\}/g, '')
    for (const id of known) expect(shown).not.toContain(id)
  })

  const { properties = {} } = (route.query ?? {}) as { properties?: object }
  const filters = Object.keys(properties)
  const idFilters = filters.filter((name) => name.endsWith('Id') && name !== 'productId')
  if (idFilters.length > 0) {
    it.each(strangers)('gives %s nothing when filtering by the owner’s objects', async (_name, key) => {
      for (const id of ids.values()) {
        for (const filter of idFilters) {
          const answer = await server.get<ListBody>(`${route.path}?${filter}=${id}`, key)
          expect(answer.body.data, `${filter}=${id}`).toEqual([])
        }
      }
    })
  }
})

it('a filter by the company’s own holder finds its card', async () => {
  const answer = await server.get<ListBody>(`/api/v1/cards?holderId=${ids.get('hld')}`, owner.key)
  expect(answer.body.data).toHaveLength(1)
})

it('the database itself refuses a card whose holder is in the other environment', async () => {
  await expect(addCard(server, owner.scope, { holderId: liveHolder })).rejects.toThrow(/foreign key/)
})
