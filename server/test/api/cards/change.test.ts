// POST /cards/{id}/freeze, unfreeze, close: the status, the money, the refusals, and unknown outcomes.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CARD_ACTIONS, CARD_CHANGE_STATUSES, CARD_CHANGE_TRANSITIONS } from '../../../src/card-changes/states.ts'
import { CARD_STATUSES, CARD_TRANSITIONS } from '../../../src/cards/states.ts'
import { settleCardChange } from '../../../src/card-changes/queries.ts'
import { sql } from '../../../src/db/sql.ts'
import { findId, formatId } from '../../../src/lib/ids.ts'
import {
  eventually,
  expectBooksRight,
  fund,
  issueCard,
  operate,
  readBalance,
  readCard,
  settled,
  type WireCard,
} from '../../books/steps.ts'
import { expectError } from '../expect-error.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

let server: TestServer
let company: TestCompany

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  await fund(server, company, '10000')
})
afterEach(() => expectBooksRight(server))
afterAll(() => server.stop())

const change = (card: { id: string }, action: string) =>
  server.post<WireCard>(`/api/v1/cards/${card.id}/${action}`, company.key)
const reviews = async () =>
  (
    await server.get<{ data: { id: string; object: string; dossier: { request: { cardId?: string } } }[] }>(
      '/admin/v1/reviews?limit=100',
      server.operatorToken,
    )
  ).body.data
const reviewOf = (card: { id: string }) =>
  eventually(
    async () => (await reviews()).find((review) => review.dossier.request.cardId === card.id),
    (review) => review !== undefined,
  )
const resolve = (id: string, body: object) =>
  server.request('POST', `/admin/v1/reviews/${id}/resolve`, { token: server.operatorToken, body })
const setStatus = (card: { id: string }, status: string) =>
  server.db.run(sql`update card set status = ${status} where id = ${findId('card', card.id)}`)

test('the card keeps who changed it, when, and what returned to the card account', async () => {
  const card = await issueCard(server, company)
  await change(card, 'freeze')
  await change(card, 'close')
  const list = (key: string) =>
    server.get<{ data: Record<string, unknown>[]; nextCursor: null }>(`/api/v1/cards/${card.id}/changes`, key)
  const { data } = (await list(company.key)).body
  const by = { kind: 'key', id: expect.stringMatching(/^key_/), name: 'test' }
  expect(data).toEqual([
    expect.objectContaining({
      wantedStatus: 'closed',
      status: 'completed',
      returnedAmount: card.balance,
      createdBy: by,
    }),
    expect.objectContaining({
      wantedStatus: 'frozen',
      status: 'completed',
      endedAt: expect.any(String),
      createdBy: by,
    }),
  ])
  expectError(await list((await server.createCompany()).key), 'not_found')
})

describe('a change that the issuer confirms', () => {
  test('freeze and unfreeze return the card with its new status, and repeating them changes nothing', async () => {
    const card = await issueCard(server, company)
    const frozen = await change(card, 'freeze')
    expect([frozen.status, frozen.body]).toEqual([200, { ...card, status: 'frozen' }])
    expect((await change(card, 'freeze')).body).toEqual({ ...card, status: 'frozen' })
    const again = await change(card, 'unfreeze')
    expect([again.status, again.body]).toEqual([200, card])
  })

  test('a frozen card accepts no top-up and no payment', async () => {
    const card = await issueCard(server, company)
    await change(card, 'freeze')
    const topup = await server.post('/api/v1/operations', company.key, { type: 'topup', cardId: card.id, amount: '10' })
    expectError(topup, 'card_not_active')
    const payment = await server.post('/api/v1/sandbox/transactions', company.key, {
      cardId: card.id,
      type: 'purchase',
      amount: '1',
    })
    expect(payment.body).toMatchObject({ status: 'declined' })
  })

  test('close returns the balance to the card account as one adjustment that refers to the card', async () => {
    const card = await issueCard(server, company, { amount: '250.00' })
    const before = Number(await readBalance(server, company))
    const closed = await change(card, 'close')
    expect([closed.status, closed.body]).toEqual([200, { ...card, status: 'closed', balance: '0.00' }])
    expect(Number(await readBalance(server, company))).toBe(before + 250)
    const { body } = await server.get<{ data: Record<string, string>[] }>(
      '/api/v1/account-statements?from=2026-03-10&to=2026-03-10',
      company.key,
    )
    expect(body.data.filter((entry) => entry['reference'] === card.id)).toEqual([
      expect.objectContaining({ kind: 'adjustment', amount: '250.00', availableDelta: '250.00', heldDelta: '0.00' }),
    ])
    expect((await change(card, 'close')).body).toEqual(closed.body)
    expect(Number(await readBalance(server, company))).toBe(before + 250)
  })

  test('the balance that the issuer reports is returned, if it reports one', async () => {
    const card = await issueCard(server, company, { amount: '40.00', name: 'change unknown' })
    const before = Number(await readBalance(server, company))
    expect((await change(card, 'close')).status).toBe(202)
    const review = await reviewOf(card)
    const confirmation = { status: 'completed', returned: 3999n, failure: null, dueAt: null, lookUps: null } as const
    const id = findId('chg', review?.id ?? '') ?? ''
    expect(await settleCardChange(server.db, company.scope, id, server.clock.now(), confirmation)).toEqual({
      moved: true,
    })
    expect(await settleCardChange(server.db, company.scope, id, server.clock.now(), confirmation)).toEqual({
      moved: false,
    })
    expect(Number(await readBalance(server, company))).toBeCloseTo(before + 39.99)
    expect(await readCard(server, company, card.id)).toMatchObject({ status: 'closed', balance: '0.00' })
  })

  test('ten concurrent requests cause one change', async () => {
    const card = await issueCard(server, company, { amount: '77.00' })
    const before = Number(await readBalance(server, company))
    const answers = await Promise.all(Array.from({ length: 10 }, () => change(card, 'close')))
    expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true)
    expect(
      await eventually(
        () => readCard(server, company, card.id),
        ({ status }) => status === 'closed',
      ),
    ).toMatchObject({ balance: '0.00' })
    expect(Number(await readBalance(server, company))).toBe(before + 77)
    const rows = await server.db.many(sql`select 1 from card_change where card_id = ${findId('card', card.id)}`)
    expect(rows).toHaveLength(1)
  })
})

describe('refused', () => {
  test.each(CARD_STATUSES.flatMap((status) => Object.keys(CARD_ACTIONS).map((action) => ({ status, action }))))(
    '$action of a card that is $status answers as the table says',
    async ({ status, action }) => {
      const card = await issueCard(server, company, { amount: '10.00' })
      await setStatus(card, status)
      const { from, to } = CARD_ACTIONS[action as keyof typeof CARD_ACTIONS]
      const answer = await change(card, action)
      if (status === to || from.includes(status)) expect([answer.status, answer.body.status]).toEqual([200, to])
      else expectError(answer, 'card_status_not_allowed')
      if (answer.status === 200 && status === 'closed') await setStatus(card, 'active')
    },
  )

  test('a closed card cannot be changed, and another company’s card and a missing card are not found', async () => {
    const card = await issueCard(server, company, { amount: '10.00' })
    const other = await server.createCompany()
    expectError(await server.post(`/api/v1/cards/${card.id}/freeze`, other.key), 'not_found')
    expectError(await change({ id: 'card_nonsense' }, 'freeze'), 'not_found')
    await change(card, 'close')
    expectError(await change(card, 'unfreeze'), 'card_status_not_allowed')
  })

  test('a change that the issuer declines answers 400 and leaves the card unchanged', async () => {
    const card = await issueCard(server, company, { name: 'change fail' })
    expectError(await change(card, 'close'), 'card_change_declined')
    expect(await readCard(server, company, card.id)).toEqual(card)
  })

  test('a close is refused while a top-up is unfinished, whatever its outcome will be', async () => {
    const card = await issueCard(server, company)
    const topup = await operate(server, company, { type: 'topup', cardId: card.id, amount: '10.77' })
    expectError(await change(card, 'close'), 'card_topup_open')
    await settled(server, company, topup)
    expectError(await change(card, 'close'), 'card_topup_open')
    await resolve(topup.id, { outcome: 'completed', reason: 'seen at the issuer' })
    expect((await change(card, 'close')).body).toMatchObject({ status: 'closed' })
  })

  test('every change needs cards:write', async () => {
    const card = await issueCard(server, company)
    const reader = await server.createKey(company.id, { scopes: ['cards:read'] })
    for (const action of Object.keys(CARD_ACTIONS)) {
      expectError(await server.post(`/api/v1/cards/${card.id}/${action}`, reader), 'scope_missing')
    }
  })

  test('in live only unfreeze needs an activation, and a missing card is not found even without an issuer', async () => {
    const live = await server.createKey(company.id, { environment: 'live' })
    const path = (action: string) => `/api/v1/cards/${formatId('card', crypto.randomUUID())}/${action}`
    expectError(await server.post(path('freeze'), live), 'not_found')
    expectError(await server.post(path('close'), live), 'not_found')
    expectError(await server.post(path('unfreeze'), live), 'capability_not_activated')
  })
})

describe('an unknown outcome', () => {
  test('answers 202 with the unchanged card and pendingStatus, then becomes a review; top-ups and other changes are refused', async () => {
    const card = await issueCard(server, company, { name: 'change unknown' })
    const answer = await change(card, 'freeze')
    expect([answer.status, answer.body]).toEqual([202, { ...card, pendingStatus: 'frozen' }])
    const again = await change(card, 'freeze')
    expect([again.status, again.body]).toEqual([202, { ...card, pendingStatus: 'frozen' }])
    expectError(await change(card, 'close'), 'card_change_open')
    const topup = await server.post('/api/v1/operations', company.key, { type: 'topup', cardId: card.id, amount: '10' })
    expectError(topup, 'card_not_active')
    const review = await reviewOf(card)
    expect(review).toMatchObject({ object: 'card_change', id: expect.stringMatching(/^chg_[0-9a-f]{32}$/) })
    const one = await server.get<{ dossier: { exchanges: { outcome: string; purpose: string }[] } }>(
      `/admin/v1/reviews/${review?.id}`,
      server.operatorToken,
    )
    expect(one.body.dossier.exchanges.map(({ purpose, outcome }) => `${purpose} ${outcome}`)).toEqual([
      'request unknown',
      'look_up unknown',
    ])
    const decided = await resolve(review?.id ?? '', { outcome: 'completed', reason: 'the issuer shows it frozen' })
    expect([decided.status, decided.body]).toMatchObject([
      200,
      { id: review?.id, status: 'completed', wantedStatus: 'frozen' },
    ])
    expect(await readCard(server, company, card.id)).toEqual({ ...card, status: 'frozen' })
    expectError(await resolve(review?.id ?? '', { outcome: 'failed', reason: 'again' }), 'already_resolved')
  })

  test('that is resolved as failed leaves the card unchanged, and the card can be changed again', async () => {
    const card = await issueCard(server, company, { name: 'change unknown' })
    await change(card, 'close')
    const review = await reviewOf(card)
    const key = `/api/v1/sandbox/reviews/${review?.id}/resolve`
    expectError(await server.post(key, (await server.createCompany()).key, { outcome: 'failed' }), 'not_found')
    expect((await server.post(key, company.key, { outcome: 'failed' })).body).toMatchObject({ status: 'failed' })
    expect(await readCard(server, company, card.id)).toEqual(card)
    expect((await change(card, 'close')).status).toBe(202)
    await resolve((await reviewOf(card))?.id ?? '', {
      outcome: 'completed',
      reason: 'closed',
      receivedAmount: '100.00',
    })
    expect(await readCard(server, company, card.id)).toMatchObject({ status: 'closed', balance: '0.00' })
  })

  test('of a process that died after recording the attempt is looked up after its lease, and never sent again', async () => {
    const card = await issueCard(server, company)
    await server.db.run(sql`
      select begin_card_change(${company.id}, ${server.clock.now()}, 'sandbox', ${crypto.randomUUID()}, ${findId('card', card.id)}, 'frozen',
        array['active'], ${new Date(server.clock.now().getTime() + 45_000)})`)
    server.clock.advance(46_000)
    // The sandbox issuer rules out what it did not carry out, so that no person has to decide.
    const read = () => readCard(server, company, card.id)
    expect(await eventually(read, ({ pendingStatus }) => pendingStatus === undefined)).toEqual(card)
    const changes = await server.db.many<{ status: string; failure_code: string }>(
      sql`select status, failure_code from card_change where card_id = ${findId('card', card.id)}`,
    )
    expect(changes).toEqual([{ status: 'failed', failure_code: 'not_carried_out' }])
    expect(
      await server.db.many(
        sql`select 1 from sandbox_effect where kind = 'card_status' and created_at >= ${server.clock.now()}`,
      ),
    ).toEqual([])
  })

  test('operations and card changes share one list of reviews, oldest first, in pages', async () => {
    const made: string[] = []
    for (let round = 0; round < 3; round += 1) {
      server.clock.advance(10)
      made.push(
        (
          await operate(server, company, {
            type: 'service',
            productId: 'prod_service_esim',
            amount: '10',
            recipient: 'unknown',
          })
        ).id,
      )
      const card = await issueCard(server, company, { name: 'change unknown' })
      server.clock.advance(10)
      await change(card, 'freeze')
      made.push((await reviewOf(card))?.id ?? '')
    }
    await eventually(
      async () => (await reviews()).length,
      (count) => count >= 6,
    )
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await server.get<{ data: { id: string }[]; nextCursor: string | null }>(
        `/admin/v1/reviews?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        server.operatorToken,
      )
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.nextCursor ?? ''
    } while (cursor !== '')
    expect(seen.filter((id) => made.includes(id))).toEqual(made)
    const only = (query: string) =>
      server.get<{ data: { id: string }[]; nextCursor: string }>(`/admin/v1/reviews?${query}`, server.operatorToken)
    const { body: sandbox } = await only('environment=sandbox&limit=100')
    expect(sandbox.data.map(({ id }) => id)).toEqual(seen)
    expect((await only('environment=live')).body.data).toEqual([])
    const { body: first } = await only('environment=sandbox&limit=2')
    expectError(await only(`environment=live&limit=2&cursor=${first.nextCursor}`), 'validation_failed')
    expectError(await only('environment=test'), 'validation_failed')
    for (const id of seen) await resolve(id, { outcome: 'failed', reason: 'end of the test' })
  })
})

test('a top-up that completes after the issuer closed the card is returned to the card account', async () => {
  const card = await issueCard(server, company)
  const topup = await operate(server, company, { type: 'topup', cardId: card.id, amount: '10.77' })
  await settled(server, company, topup)
  const before = Number(await readBalance(server, company))
  await setStatus(card, 'closed')
  await resolve(topup.id, { outcome: 'completed', reason: 'seen at the issuer' })
  expect(await readCard(server, company, card.id)).toMatchObject({ balance: '100.00' })
  expect(before - Number(await readBalance(server, company))).toBeCloseTo(0.02) // the fee
})

test('the tables of states contain every status, and closed is final', () => {
  expect(Object.keys(CARD_TRANSITIONS)).toEqual([...CARD_STATUSES])
  expect(CARD_TRANSITIONS.closed).toEqual([])
  for (const { from, to } of Object.values(CARD_ACTIONS)) {
    for (const status of from) expect(CARD_TRANSITIONS[status]).toContain(to)
  }
  expect(Object.keys(CARD_CHANGE_TRANSITIONS).toSorted()).toEqual([...CARD_CHANGE_STATUSES].toSorted())
})
