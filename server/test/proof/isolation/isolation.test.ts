// Two companies with two environments each: a request for an object of the other three gets the same answer as one for an object
// that does not exist, byte for byte except for the request id. The calls come from the list of routes and the ids from every list that
// each of the four can read; what is live was made through the reference issuer. test/api/isolation.test.ts has the lists and
// filters; the scopes and roles of every call are in
// test/api/access-matrix.test.ts and test/api/people/roles.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../../src/http/route.ts'
import { type Environment, ENVIRONMENTS } from '../../../src/lib/scope.ts'
import { addCard, addHolder } from '../../api/rows.ts'
import { addTotp, type Browser, invite, join } from '../../api/people/people.ts'
import type { TestAnswer, TestCompany } from '../../support/harness.ts'
import { LiveWorld } from '../../support/live.ts'
import { until } from '../../support/wait.ts'

const world = await LiveWorld.start([0, 0], {
  WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true',
  OPERATOR_RATE_LIMIT_PER_SECOND: '100000',
})
const { server } = world
afterAll(() => world.stop())

/** A company in one environment, with a key and its owner's session. */
interface Place {
  readonly name: string
  readonly company: TestCompany
  readonly environment: Environment
  readonly key: string
  readonly owner: Browser
  readonly ids: readonly string[]
}

const places: Place[] = []
beforeAll(async () => {
  for (const name of ['first', 'second']) {
    const company = await world.createCompany()
    const owner = await join(server, 'owner', company)
    // Without it, people may not change anything in live.
    await addTotp(owner)
    await join(server, 'viewer', company)
    await invite(server, 'viewer', { company })
    for (const environment of ENVIRONMENTS) {
      const key = environment === 'live' ? company.key : await server.createKey(company.id, { environment })
      places.push({
        name: `${name}, ${environment}`,
        company,
        environment,
        key,
        owner,
        ids: await furnish(company, environment, key, owner),
      })
    }
  }
})

/** Makes one of everything, and returns the ids of all lists. */
async function furnish(company: TestCompany, environment: Environment, key: string, owner: Browser): Promise<string[]> {
  const make = async (path: string, body: unknown) => {
    const answer = await server.post<{ id: string }>(path, key, body)
    expect([200, 201], answer.text).toContain(answer.status)
    return answer.body.id
  }
  await make('/api/v1/webhook-endpoints', { url: 'https://127.0.0.1:9999/' })
  const holderId = await addHolder(server, { ...company.scope, environment })
  if (environment === 'live') await furnishLive(company, holderId, make)
  else {
    const cardId = await addCard(server, { ...company.scope, environment }, { holderId, balance: 10_000n })
    await make('/api/v1/sandbox/funding', { amount: '1000.00' })
    await make('/api/v1/operations', { type: 'topup', cardId, amount: '25.00' })
    await make('/api/v1/card-account/invoices', { amount: '100' })
    await make('/api/v1/sandbox/transactions', { cardId, type: 'purchase', amount: '1.00' })
  }
  const texts: string[] = []
  for (const route of server.app.routes.filter(isList)) {
    const query = route.path.endsWith('/account-statements') ? '?from=2026-03-01&to=2026-03-31' : ''
    const path = route.path + query
    texts.push(
      (route.access.by === 'member' ? await owner.get(path, { environment }) : await server.get(path, key)).text,
    )
  }
  const found = new Map<string, string>()
  for (const [id = ''] of texts.join(' ').matchAll(/\b[a-z]+_[0-9a-f]{32}\b/g)) found.set(prefixOf(id), id)
  // A company is the same one in both environments.
  found.delete('co')
  return [...found.values()]
}

/** The issuer is asked for an invoice and a card, and reports their payments. */
async function furnishLive(
  company: TestCompany,
  holderId: string,
  make: (path: string, body: unknown) => Promise<string>,
): Promise<void> {
  await world.fund(company, '1000')
  const issue = { type: 'issue', productId: 'prod_card_virtual', amount: '100', holderId }
  const { result } = await world.waitForOperation(company, await make('/api/v1/operations', issue), 'completed')
  const { cardId } = result as { cardId: string }
  const payment = { cardId, transactionId: company.wireId, type: 'purchase', status: 'settled', amount: '-1.00' }
  const data = { ...payment, currency: 'USD', occurredAt: server.clock.now().toISOString() }
  await world.control('POST', 'events', { event: { type: 'card.transaction', companyId: company.wireId, data } })
  await until('the payment is listed', async () =>
    (await server.get('/api/v1/transactions', company.key)).text.includes('txn_'),
  )
}

const prefixOf = (id: string) => id.slice(0, id.indexOf('_'))
const isOfCompany = ({ access }: Route) => access.by === 'company' || access.by === 'member'
const isList = (route: Route) =>
  isOfCompany(route) && route.method === 'GET' && !route.path.includes(':') && !route.path.endsWith('/stream')

const BODIES: Readonly<Record<string, unknown>> = {
  'PUT /api/v1/holders/:id/details': { values: [{ field: 'city', value: 'Paris' }] },
  'POST /api/v1/sandbox/invoices/:id/payments': { amount: '1' },
  'POST /api/v1/sandbox/reviews/:id/resolve': { outcome: 'failed' },
  'POST /api/v1/sandbox/transactions/:id/status': { status: 'settled' },
  'PATCH /api/v1/webhook-endpoints/:id': { description: 'x' },
  'PATCH /api/v1/people/:id': { role: 'viewer' },
}

function ask({ key, owner, environment }: Place, route: Route, id: string): Promise<TestAnswer> {
  const path = route.path.replaceAll(/:\w+/g, id)
  const body = BODIES[`${route.method} ${route.path}`]
  const more = { idempotencyKey: 'isolation', ...(body === undefined ? {} : { body }) }
  return route.access.by === 'member'
    ? owner.send(route.method, path, { ...more, environment })
    : server.request(route.method, path, { ...more, token: key })
}

/** The answer without what differs between any two answers. */
function bytesOf({ status, headers, text, body }: TestAnswer): string {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date', 'ratelimit'].includes(name))
  return JSON.stringify([status, kept, text.replace(String(body?.['requestId']), '')])
}

it('each of the four has objects of its own', () => {
  const all = places.flatMap(({ ids }) => ids)
  expect(places).toHaveLength(4)
  expect(new Set(all).size).toBeGreaterThan(4 * 7)
  for (const { ids, name } of places)
    expect(ids.map(prefixOf), name).toEqual(
      expect.arrayContaining(['hld', 'card', 'op', 'inv', 'txn', 'we', 'evt', 'key', 'per', 'invt']),
    )
})

const withId = server.app.routes.filter((route) => isOfCompany(route) && route.path.includes(':'))

describe.each(withId.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  it('answers about the objects of others as about objects that do not exist', async () => {
    for (const asker of places) {
      const missing = new Map<string, string>()
      for (const place of places.filter((other) => other !== asker)) {
        // People, invitations and keys belong to a company, whatever the environment.
        if (route.access.by === 'member' && place.company === asker.company) continue
        for (const id of place.ids) {
          const prefix = prefixOf(id)
          const none = missing.get(prefix) ?? bytesOf(await ask(asker, route, `${prefix}_${'f'.repeat(32)}`))
          missing.set(prefix, none)
          const answer = await ask(asker, route, id)
          expect(bytesOf(answer), `${asker.name} asks for ${id} of ${place.name}`).toBe(none)
          // A call of the sandbox is refused in live before the object is looked for.
          const isForeign = asker.environment === 'live' && route.path.startsWith('/api/v1/sandbox/')
          expect(answer.status, answer.text).toBe(isForeign ? 403 : 404)
        }
      }
    }
  })
})

it('afterwards everybody still has everything', async () => {
  const withIdOf = (path: string) => withId.find((route) => route.method === 'GET' && route.path === path)
  for (const [path, prefix] of [
    ['/api/v1/cards/:id', 'card'],
    ['/api/v1/holders/:id', 'hld'],
    ['/api/v1/webhook-endpoints/:id', 'we'],
  ] as const) {
    const route = withIdOf(path)
    if (route === undefined) throw new Error(path)
    for (const place of places) {
      const id = place.ids.find((other) => prefixOf(other) === prefix) ?? ''
      expect((await ask(place, route, id)).status, `${place.name} ${id}`).toBe(200)
    }
  }
})
