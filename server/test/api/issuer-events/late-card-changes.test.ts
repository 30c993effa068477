// A card.status event with a token ends the card change that was asked for with it, after the checks that an answer has to
// pass. Repeated, reordered and contradicting events change nothing.
import { afterEach, expect, it } from 'vitest'
import { findId } from '../../../src/lib/ids.ts'
import { expectError } from '../expect-error.ts'
import { addCard } from '../rows.ts'
import { expectSoundLedger, resolve } from '../../support/invoices.ts'
import type { TestEvent } from '../../support/issuer-events.ts'
import { until } from '../../support/wait.ts'
import { LOOK_UP_DELAY_MS, startWorld } from './world.ts'

const { world, company, holderId, events } = await startWorld()
afterEach(() => expectSoundLedger(world.server))

async function issue(): Promise<{ id: string; card: string }> {
  const body = { type: 'issue', productId: 'prod_card_virtual', amount: '21', holderId }
  const { id } = (await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)).body
  const { result } = await world.waitForOperation(company, id, 'completed')
  return { id, card: (result as { cardId: string }).cardId }
}
const readCard = async (id: string) =>
  (await world.server.get<{ status: string }>(`/api/v1/cards/${id}`, company.key)).body
const readAvailable = async () =>
  Number(
    (await world.server.get<{ available: string }>('/api/v1/balance', company.key)).body.available.replace('.', ''),
  )
const tokenOf = (id: string) => findId('chg', id) ?? findId('op', id) ?? ''

/** Returns the id of a change in review, or of one that waits for its look-up. */
async function openChange(card: string, action: 'freeze' | 'close', { inReview = true } = {}): Promise<string> {
  await world.behave('all', 'fail', { times: 1 })
  expect((await world.server.post(`/api/v1/cards/${card}/${action}`, company.key)).status).toBe(202)
  const row = await world.server.db.find<{ id: string }>({
    name: undefined,
    text: 'select id from card_change where company_id = $1 and environment = $2 and card_id = $3 order by id desc limit 1',
    values: [company.scope.companyId, company.scope.environment, findId('card', card)],
  })
  const id = `chg_${(row?.id ?? '').replaceAll('-', '')}`
  if (!inReview) return id
  world.server.clock.advance(LOOK_UP_DELAY_MS)
  await until('the change is in review', () => isInReview(id))
  return id
}
/** A review that was decided is shown with its decision. */
const isInReview = async (id: string) => {
  const path = `/admin/v1/reviews/${id}`
  const { status, body } = await world.server.get<{ decision?: object }>(path, world.server.operatorToken)
  return status === 200 && body.decision === undefined
}
const report = (id: string, card: string, data: Record<string, unknown>): TestEvent => ({
  type: 'card.status',
  data: { token: tokenOf(id), cardId: card, ...data },
})
const failure = { code: 'limit', message: 'Not today.' }

it.each([true, false])('a card.status event with its token completes it (in review: %s)', async (inReview) => {
  const { card } = await issue()
  const id = await openChange(card, 'freeze', { inReview })
  const event = { ...report(id, card, { status: 'frozen' }), id: `once-${id}` }
  expect(await events.sendAll([event, event, report(id, card, { status: 'frozen' })])).toEqual([200, 200, 200])
  expect(await readCard(card)).toEqual(expect.not.objectContaining({ pendingStatus: expect.anything() }))
  expect((await readCard(card)).status).toBe('frozen')
  expect([await isInReview(id), await events.auditOf(id)]).toEqual([false, ['issuer.completed']])

  expect((await world.server.post(`/api/v1/cards/${card}/unfreeze`, company.key)).status).toBe(200)
  expect((await events.send(report(id, card, { status: 'frozen' }))).status).toBe(200)
  expect((await readCard(card)).status).toBe('active')
})

it('a completed close returns the balance that the issuer reports, once', async () => {
  const { card } = await issue()
  const before = await readAvailable()
  const id = await openChange(card, 'close')
  const event = report(id, card, { status: 'closed', balance: '3.50' })
  expect(await events.sendAll([event, event])).toEqual([200, 200])
  expect(await readCard(card)).toMatchObject({ status: 'closed', balance: '0.00' })
  expect((await readAvailable()) - before).toBe(350)
})

it('a close that a person decided contradicts the event if less was left than has returned', async () => {
  const { card } = await issue()
  const before = await readAvailable()
  const id = await openChange(card, 'close')
  expect((await resolve(world.server, id, { outcome: 'completed' })).status).toBe(200)
  expect((await events.send(report(id, card, { status: 'closed', balance: '21.00' }))).status).toBe(200)
  expect((await events.send(report(id, card, { status: 'closed', balance: '25.00' }))).status).toBe(200)
  expect((await events.send(report(id, card, { status: 'closed' }))).status).toBe(200)
  expect(await events.auditOf(id)).toEqual([])
  expectError(await events.send(report(id, card, { status: 'closed', balance: '3.50' })), 'event_conflict')
  expect(await events.auditOf(id)).toEqual(['issuer.contradiction'])
  expect((await readAvailable()) - before).toBe(2_100)
})

it('a failure ends it and leaves the card unchanged; a success afterwards contradicts it', async () => {
  const { card } = await issue()
  const id = await openChange(card, 'freeze')
  const event = report(id, card, { status: 'active', failure })
  expect(await events.sendAll([event, event])).toEqual([200, 200])
  expect(await readCard(card)).toEqual(expect.not.objectContaining({ pendingStatus: expect.anything() }))
  expect((await readCard(card)).status).toBe('active')
  expectError(await events.send(report(id, card, { status: 'frozen' })), 'event_conflict')
  expect((await readCard(card)).status).toBe('active')
  expect(await events.auditOf(id)).toEqual(['issuer.contradiction', 'issuer.failed'])
})

it('an event that does not match changes nothing', async () => {
  const { id: operation, card } = await issue()
  const id = await openChange(card, 'freeze')
  const foreign = await addCard(world.server, company.scope)
  const stranger = await world.createCompany()
  const right = report(id, card, { status: 'frozen' })
  expectError(await events.send(report(id, card, { status: 'closed' })), 'event_conflict')
  expectError(await events.send(report(id, card, { status: 'frozen', failure })), 'event_conflict')
  expectError(await events.send(report(id, foreign, { status: 'frozen' })), 'event_conflict')
  expectError(await events.send(report(id, card, { status: 'active', token: undefined, failure })), 'event_conflict')
  expectError(await events.send({ ...right, companyId: stranger.wireId }), 'not_found')
  expectError(await events.send(report(id, card, { status: 'frozen', token: tokenOf(operation) })), 'not_found')
  expectError(await events.send(right, 'x'.repeat(40)), 'invalid_issuer_signature')
  expect(await readCard(card)).toMatchObject({ status: 'active', pendingStatus: 'frozen' })
  expect(await isInReview(id)).toBe(true)
  expect((await events.send(right)).status).toBe(200)
})
