// The issuer's signed events end reviews and open look-ups, after the checks that an answer has to pass. Repeated, reordered
// and contradicting events change nothing, and nothing is ever sent to the issuer.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findId } from '../../../src/lib/ids.ts'
import { expectError } from '../expect-error.ts'
import { expectSoundLedger, resolve } from '../../support/invoices.ts'
import type { TestEvent } from '../../support/issuer-events.ts'
import { until } from '../../support/wait.ts'
import { LOOK_UP_DELAY_MS, startWorld } from './world.ts'

const KINDS = ['issue', 'topup', 'service'] as const
type Kind = (typeof KINDS)[number]

const { world, company, holderId, events } = await startWorld()
let cardId: string
beforeAll(async () => {
  cardId = await issueCard()
})
afterEach(async () => {
  await world.behave('all', 'normal')
  await world.sendEvents('normal')
  await expectSoundLedger(world.server)
})

async function order(kind: Kind): Promise<string> {
  const bodies = {
    issue: { type: 'issue', productId: 'prod_card_virtual', amount: '21', holderId },
    topup: { type: 'topup', amount: '22', cardId },
    service: { type: 'service', productId: 'prod_service_esim', amount: '20', recipient: 'a@example.com' },
  }
  const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, bodies[kind])
  expect(answer.status).toBe(201)
  return answer.body.id
}
const AMOUNTS = { issue: '21.00', topup: '22.00', service: '20.00' }

async function issueCard(): Promise<string> {
  const { result } = await world.waitForOperation(company, await order('issue'), 'completed')
  return (result as { cardId: string }).cardId
}

interface Progress {
  status: string
  unsent_count: number
  waits: boolean
}
/** Waits until what the worker wrote about an operation fulfils the condition. */
const untilWritten = (id: string, what: string, isSo: (row: Progress) => boolean) =>
  until(what, async () => {
    const row = await world.server.db.find<Progress>({
      name: undefined,
      text: `select o.status, o.unsent_count, coalesce(q.due_at >= $4, false) as waits
             from operation o left join issuer_request q on q.company_id = o.company_id and q.environment = o.environment and q.id = o.id
             where o.company_id = $1 and o.environment = $2 and o.id = $3`,
      values: [
        company.scope.companyId,
        company.scope.environment,
        tokenOf(id),
        new Date(world.server.clock.now().getTime() + LOOK_UP_DELAY_MS),
      ],
    })
    return row !== undefined && isSo(row)
  })

/** The server stops requests of a kind after five in a row that are not answered. */
const answerOne = async (kind: Kind) => world.waitForOperation(company, await order(kind), 'completed')

/** Returns an operation whose answer was lost and that waits for its look-up. */
async function openUnknown(kind: Kind): Promise<string> {
  await world.behave('all', 'fail', { times: 1 })
  const id = await order(kind)
  await untilWritten(id, 'the look-up is planned', (row) => row.status === 'processing' && row.waits)
  return id
}

/** Returns an operation in review, after a look-up whose answer says nothing. */
async function openReview(kind: Kind): Promise<string> {
  const id = await openUnknown(kind)
  world.server.clock.advance(LOOK_UP_DELAY_MS)
  await world.waitForOperation(company, id, 'manual_review')
  return id
}

const tokenOf = (id: string) => findId('op', id) ?? ''
const completed = (kind: Kind, id: string, more: Record<string, unknown> = {}): TestEvent => ({
  type: 'operation.completed',
  data: {
    token: tokenOf(id),
    kind,
    amount: AMOUNTS[kind],
    receipt: 'R-late',
    ...(kind === 'issue' ? { last4: '4242' } : {}),
    ...more,
  },
})
const failed = (kind: Kind, id: string, more: Record<string, unknown> = {}): TestEvent => ({
  type: 'operation.failed',
  data: { token: tokenOf(id), kind, amount: AMOUNTS[kind], code: 'limit', message: 'Too much.', ...more },
})

const readOperation = async (id: string) => (await world.server.get(`/api/v1/operations/${id}`, company.key)).body
const readBalance = async () =>
  (await world.server.get<{ available: string; held: string }>('/api/v1/balance', company.key)).body
const readCard = async (id: string) =>
  (await world.server.get<{ status: string; last4: string; balance: string }>(`/api/v1/cards/${id}`, company.key)).body
const cents = (value: unknown) => Number(String(value).replace('.', ''))

describe.each(KINDS)('%s', (kind) => {
  beforeEach(() => answerOne(kind))

  it('a completed event ends the review and captures the funds once, however often it comes', async () => {
    const before = await readBalance()
    const id = await openReview(kind)
    const event = { ...completed(kind, id), id: `once-${id}` }
    expect(await events.sendAll([event, event, completed(kind, id)])).toEqual([200, 200, 200])
    const { status, total, result } = await readOperation(id)
    expect([status, result]).toEqual(['completed', expect.objectContaining({ receipt: 'R-late' })])
    const after = await readBalance()
    expect([cents(before.available) - cents(after.available), after.held]).toEqual([cents(total), '0.00'])
    if (kind === 'issue') expect(await readCard((result as { cardId: string }).cardId)).toMatchObject({ last4: '4242' })
    expect(await world.arrivalsOf(id)).toBe(1)
    expect(await events.auditOf(id)).toEqual(['issuer.completed'])
  })

  it('a failed event ends the review and releases the funds once, however often it comes', async () => {
    const before = await readBalance()
    const id = await openReview(kind)
    const event = { ...failed(kind, id), id: `once-${id}` }
    expect(await events.sendAll([event, event, failed(kind, id)])).toEqual([200, 200, 200])
    expect(await readOperation(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'limit', message: 'Too much.' },
    })
    expect(await readBalance()).toEqual(before)
    expect(await world.arrivalsOf(id)).toBe(1)
    expect(await events.auditOf(id)).toEqual(['issuer.failed'])
  })

  it.each([
    ['completed', completed],
    ['failed', failed],
  ] as const)('a %s event ends an operation that waits for its look-up', async (status, event) => {
    const id = await openUnknown(kind)
    expect((await events.send(event(kind, id))).status).toBe(200)
    expect((await readOperation(id))['status']).toBe(status)
  })
})

describe('an event that does not match', () => {
  let id: string
  let other: string
  let before: unknown
  beforeAll(async () => {
    id = await openReview('issue')
    other = await openReview('service')
    before = await readAll()
  })
  const readAll = async () => [await readOperation(id), await readOperation(other), await readBalance()]

  it.each<[string, () => TestEvent, 'event_conflict' | 'not_found' | 'validation_failed']>([
    ['a larger amount', () => completed('issue', id, { amount: '21.01' }), 'event_conflict'],
    ['a smaller amount', () => completed('issue', id, { amount: '20.99' }), 'event_conflict'],
    ['another amount of a failure', () => failed('issue', id, { amount: '21.01' }), 'event_conflict'],
    ['another kind', () => completed('issue', id, { kind: 'service' }), 'event_conflict'],
    ['another kind of a failure', () => failed('issue', id, { kind: 'topup' }), 'event_conflict'],
    ['no last four digits', () => completed('issue', id, { last4: undefined }), 'event_conflict'],
    ["another operation's token", () => completed('issue', id, { token: tokenOf(other) }), 'event_conflict'],
    ["another operation's token in a failure", () => failed('issue', id, { token: tokenOf(other) }), 'event_conflict'],
    ['an unknown token', () => completed('issue', id, { token: '00000000-0000-7000-8000-000000000000' }), 'not_found'],
    ['no amount', () => completed('issue', id, { amount: undefined }), 'validation_failed'],
    ['no receipt', () => completed('issue', id, { receipt: undefined }), 'validation_failed'],
    ['malformed last four digits', () => completed('issue', id, { last4: '42' }), 'validation_failed'],
    ['no reason of a failure', () => failed('issue', id, { code: undefined }), 'validation_failed'],
  ])('with %s changes nothing', async (_name, event, code) => {
    expectError(await events.send(event()), code)
    expect(await readAll()).toEqual(before)
  })

  it('of another company changes nothing', async () => {
    const stranger = await world.createCompany()
    expectError(await events.send({ ...completed('issue', id), companyId: stranger.wireId }), 'not_found')
    expectError(await events.send({ ...failed('issue', id), companyId: stranger.wireId }), 'not_found')
    expect(await readAll()).toEqual(before)
  })

  it('with a wrong signature changes nothing', async () => {
    expectError(await events.send(completed('issue', id), 'x'.repeat(40)), 'invalid_issuer_signature')
    expectError(await events.send(failed('issue', id), 'x'.repeat(40)), 'invalid_issuer_signature')
    expect(await readAll()).toEqual(before)
  })

  it('is in the audit log once, is answered the same when it comes again, and does not spoil a right one', async () => {
    const earlier = await events.auditOf(id)
    const event = { ...completed('issue', id, { amount: '99.00' }), id: 'mismatch' }
    expectError(await events.send(event), 'event_conflict')
    expectError(await events.send(event), 'event_conflict')
    expect(await events.auditOf(id)).toEqual([...earlier, 'issuer.contradiction'])
    expect(await readAll()).toEqual(before)
    expect(await events.sendAll([completed('issue', id), failed('service', other)])).toEqual([200, 200])
  })
})

it.each([
  ['completed', completed, failed],
  ['failed', failed, completed],
] as const)('an event that contradicts a %s operation changes nothing and is shown', async (status, first, second) => {
  await answerOne('service')
  const id = await openReview('service')
  expect((await events.send(first('service', id))).status).toBe(200)
  const before = [await readOperation(id), await readBalance()]
  expectError(await events.send(second('service', id)), 'event_conflict')
  expect([await readOperation(id), await readBalance()]).toEqual(before)
  expect(await events.auditOf(id)).toEqual([`issuer.${status}`, 'issuer.contradiction'].toSorted())
})

it("an event that contradicts an operator's decision changes nothing and is shown", async () => {
  const denied = await openReview('service')
  expect((await resolve(world.server, denied, { outcome: 'failed' })).status).toBe(200)
  expectError(await events.send(completed('service', denied)), 'event_conflict')
  expect((await readOperation(denied))['status']).toBe('failed')
  expect(await events.auditOf(denied)).toEqual(['issuer.contradiction'])

  const made = await openReview('issue')
  expect((await resolve(world.server, made, { outcome: 'completed', last4: '1111' })).status).toBe(200)
  expectError(await events.send(completed('issue', made)), 'event_conflict')
  expect((await events.send(completed('issue', made, { last4: '1111' }))).status).toBe(200)
  expect(await events.auditOf(made)).toEqual(['issuer.contradiction'])
})

it('an event about an operation that was never sent changes nothing, and the operation is carried out', async () => {
  await world.listen(false)
  const id = await order('service')
  await untilWritten(id, 'it is queued again', (row) => row.status === 'queued' && row.unsent_count === 1)
  expectError(await events.send(completed('service', id)), 'event_conflict')
  expectError(await events.send(failed('service', id)), 'event_conflict')
  await world.listen(true)
  world.server.clock.advance(1_000)
  const { result } = await world.waitForOperation(company, id, 'completed')
  expect(result).not.toMatchObject({ receipt: 'R-late' })
  expect(await world.arrivalsOf(id)).toBe(1)
})

it('of opposite events at the same time one wins, and the others are refused', async () => {
  await answerOne('service')
  const id = await openReview('service')
  const opposite = Array.from({ length: 12 }, (_, index) => ({
    ...(index % 2 === 0 ? completed('service', id) : failed('service', id)),
    id: `race-${index}`,
  }))
  const first = await Promise.all(opposite.map((event) => events.send(event)))
  expect(first.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([])
  const { status } = await readOperation(id)
  const expected = opposite.map(({ type }) => (type === `operation.${String(status)}` ? 200 : 409))
  expect(await events.sendAll(opposite)).toEqual(expected)
  expect((await events.auditOf(id)).filter((action) => action !== 'issuer.contradiction')).toEqual([
    `issuer.${String(status)}`,
  ])
})

it('the reference issuer sends these events, repeated and newest first', async () => {
  const tell = (event: TestEvent) =>
    world.control<{ id: string }>('POST', 'events', { event: { companyId: company.wireId, ...event } })
  const stateOf = async (eventId: string) => (await world.book()).events.find(({ id }) => id === eventId)?.status
  const [done, lost] = [await openReview('topup'), await openReview('service')]
  await world.sendEvents('hold')
  await tell(completed('topup', done))
  await tell(failed('service', lost))
  await world.sendEvents('reorder')
  await world.waitForOperation(company, done, 'completed')
  await world.waitForOperation(company, lost, 'failed')
  await world.sendEvents('duplicate')
  const { id: again } = await tell(completed('topup', done))
  const { id: contrary } = await tell(failed('topup', done))
  await until('the event is delivered', async () => (await stateOf(again)) === 'delivered')
  await until('the event is refused', async () => (await stateOf(contrary)) === 'refused')
  expect((await readOperation(done))['status']).toBe('completed')
  expect(await events.auditOf(done)).toEqual(['issuer.completed', 'issuer.contradiction'])
})
