// A server with the adapter as its issuer, over HTTP: the whole way of a card, what waits for a person, and what operators see of it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId } from '../../src/lib/ids.ts'
import { must } from '../../src/lib/invariant.ts'
import { addHolder } from '../api/rows.ts'
import { AdapterWorld } from '../support/adapter.ts'
import type { TestCompany } from '../support/harness.ts'
import { SECRET } from '../support/live.ts'
import { until } from '../support/wait.ts'

interface OpenRequest {
  token: string
  waitingSince: string | null
  steps: { name: string; state: string }[]
}
interface LiveIssuer {
  isAnswering: boolean
  state: { cards: { requestsWaiting: number; owed: string; float: string }; deposits: null } | null
}

let world: AdapterWorld
let company: TestCompany
let holderId: string

beforeAll(async () => {
  world = await AdapterWorld.start()
  company = await world.createCompany()
  holderId = await addHolder(world.server, company.scope)
})
afterAll(() => world.stop())

const admin = <Body>(path: string) => world.server.get<Body>(`/admin/v1/${path}`, world.server.operatorToken)
async function order(body: object): Promise<string> {
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}
const issue = () => order({ type: 'issue', productId: 'prod_card_virtual', holderId, amount: '50', name: 'Travel' })
const operation = async (id: string) =>
  (await world.server.get<{ status: string }>(`/api/v1/operations/${id}`, company.key)).body
const ends = (id: string, status: string) =>
  until(`the operation is ${status}`, async () => {
    const found = await operation(id)
    return found.status === status && found
  })
/** Look-ups of the adapter come after pauses of its clock. */
async function passTime(until_: () => Promise<boolean>): Promise<void> {
  await until('the adapter has looked', async () => {
    world.server.clock.advance(60_000)
    return until_()
  })
}

test('a card is issued, paid with, topped up, frozen and closed, and every book agrees', async () => {
  await ends(await issue(), 'completed')
  const cards = await world.server.get<{ data: { id: string }[] }>('/api/v1/cards', company.key)
  const cardId = must(cards.body.data[0]).id
  const card = must([...world.bank.cards.values()].at(-1))
  await ends(await order({ type: 'topup', cardId, amount: '20' }), 'completed')
  world.bank.pay(card.id, 5_00n)
  await until('the payment is seen', async () => {
    world.server.clock.advance(1_000)
    const found = await world.server.get<{ data: { amount: string }[] }>(
      `/api/v1/transactions?cardId=${cardId}`,
      company.key,
    )
    return found.body.data.some(({ amount }) => amount === '-5.00')
  })
  const change = (what: string) =>
    world.server.post<{ status: string }>(`/api/v1/cards/${cardId}/${what}`, company.key, {})
  expect((await change('freeze')).body.status).toBe('frozen')
  expect(card.status).toBe('frozen')
  expect(await admin('reconciliation')).toMatchObject({ status: 200, body: { differences: [] } })
  expect((await world.control('POST', 'cards/reconcile', {})).body).toMatchObject({ differences: [], owed: '65.00' })
  expect((await admin<LiveIssuer>('issuer')).body).toMatchObject({
    isAnswering: true,
    provider: 'Example Bank',
    mode: 'test',
    cardModes: ['balance'],
    state: { cards: { owed: '65.00', float: '9930.00', requestsWaiting: 0 }, deposits: null },
  })
  const metrics = await fetch(`${world.adapter.controlUrl}/control/metrics`, {
    headers: { authorization: `Bearer ${SECRET}` },
  })
  const text = await metrics.text()
  expect(text).toContain('\nadapter_owed_dollars 65.00\n')
  expect(text).toContain('\nadapter_float_dollars 9930.00\n')
  expect(text).not.toContain('adapter_deposits')
  expect((await change('close')).body.status).toBe('closed')
  expect(card).toMatchObject({ status: 'closed', balance: 0n })
})

test('the holder of a card gets the address of the page with its number, nobody else does, and it is recorded', async () => {
  await ends(await issue(), 'completed')
  const cards = await world.server.get<{ data: { id: string }[] }>('/api/v1/cards', company.key)
  const cardId = must(cards.body.data[0]).id
  const ask = (key: string, id = cardId) => world.server.post<object>(`/api/v1/cards/${id}/number-page`, key, {})
  const providerId = must([...world.bank.cards.values()].at(-1)).id
  expect(await ask(company.key)).toMatchObject({
    status: 200,
    body: { url: `https://bank.example/cards/${providerId}/number`, expiresAt: '2026-03-10T12:01:00.000Z' },
  })
  const stranger = await world.createCompany()
  expect((await ask(stranger.key)).status).toBe(404)
  const reader = await world.server.createKey(company.id, { environment: 'live', scopes: ['cards:read'] })
  expect((await ask(reader)).status).toBe(403)
  const log = await admin<{ data: { action: string; object: string }[] }>(
    `audit-log?companyId=${formatId('co', company.id)}`,
  )
  expect(log.body.data.filter(({ action }) => action === 'card.number_page')).toMatchObject([{ object: cardId }])
  await world.server.post(`/api/v1/cards/${cardId}/close`, company.key, {})
  expect(await ask(company.key)).toMatchObject({ status: 400, body: { code: 'card_status_not_allowed' } })
})

test('a request whose outcome nobody can know waits for a person, and the decision reaches the server', async () => {
  world.bank.fail('transfer', 'dropped')
  const id = await issue()
  const open = async () => (await world.control<{ data: OpenRequest[] }>('GET', 'requests')).body.data
  await passTime(async () => (await open()).some(({ waitingSince }) => waitingSince !== null))
  const [request] = await open()
  expect(request?.steps.map(({ name, state }) => `${name} ${state}`)).toEqual(['card done', 'transfer unknown'])
  expect((await admin<LiveIssuer>('issuer')).body.state?.cards.requestsWaiting).toBe(1)
  // The server holds the money meanwhile.
  expect(['processing', 'manual_review']).toContain((await operation(id)).status)
  const decision = { decision: 'send_again', by: 'Ada', reason: 'The bank has no such transfer.' }
  const path = `requests/${request?.token}/decide`
  expect((await world.control('POST', path, { ...decision, decision: 'perhaps' })).status).toBe(400)
  expect((await world.control('POST', path, decision)).status).toBe(200)
  await passTime(async () => (await operation(id)).status === 'completed')
  expect((await world.control('POST', path, decision)).status).toBe(404)
})

test('the control port asks for the secret, and a webhook needs none because it proves nothing', async () => {
  const refused = await fetch(`${world.adapter.controlUrl}/control/requests`, {
    headers: { authorization: 'Bearer no' },
  })
  expect(refused.status).toBe(401)
  const calls = world.bank.calls.length
  const webhook = await fetch(`${world.adapter.url}/webhooks/provider`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'card.closed', secret: SECRET.length }),
  })
  expect(webhook.status).toBe(200)
  expect(world.bank.calls).toHaveLength(calls)
})

test('details of a holder that the provider does not take are refused by name', async () => {
  const wrong = await world.control<{ message: string }>('PUT', `holders/${holderId}/details`, {
    by: 'Ada',
    details: { city: 'Rome' },
  })
  expect(wrong).toMatchObject({ status: 400, body: { message: 'city: The provider does not ask for this.' } })
  expect((await world.control('PUT', 'holders/nobody/details', { by: 'Ada', details: {} })).status).toBe(400)
})
