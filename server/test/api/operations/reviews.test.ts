// Operations in manual review, as operators, and developers in the sandbox, see and decide them.
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { cardIdOf } from '../../../src/cards/card-id.ts'
import { findId, formatId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import type { TestAnswer } from '../../support/harness.ts'
import { selectWaiting } from '../../support/on-citus.ts'
import {
  accept,
  balanceOf,
  CARD,
  createCard,
  createCustomer,
  type Customer,
  expectCleanAudit,
  expectRefused,
  issueBody,
  type OperationBody,
  perform,
  read,
  serviceBody,
  topupBody,
  untilFinal,
} from '../../support/operations.ts'
import { startServer } from './server.ts'

interface Review {
  id: string
  object: string
  companyId: string
  companyName: string
  title: string
  environment: string
  heldAmount: string
  since: string
  reasons: string[]
  dossier: {
    type: string
    acceptedAt: string
    claimedAt: string | null
    request: Record<string, unknown>
    exchanges: { purpose: string; sent: unknown; received: unknown; outcome: string; startedAt: string }[]
    names: Record<string, string>
    note: string | null
  }
}
interface Page<Item> {
  data: Item[]
  nextCursor: string | null
}

const server = await startServer()
let customer: Customer
let other: Customer
let cardId: string

beforeAll(async () => {
  customer = await createCustomer(server, { funds: '10000.00' })
  other = await createCustomer(server)
  cardId = await createCard(server, customer)
})

const admin = <Body = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
): Promise<TestAnswer<Body>> =>
  server.request<Body>(method, `/admin/v1${path}`, {
    token: server.operatorToken,
    ...(body === undefined ? {} : { body }),
  })
const resolve = (id: string, body: unknown) => admin<OperationBody>('POST', `/reviews/${id}/resolve`, body)
const resolveInSandbox = (company: { key: string }, id: string, body: unknown) =>
  server.request<OperationBody>('POST', `/api/v1/sandbox/reviews/${id}/resolve`, { token: company.key, body })

async function openReview(body: Record<string, unknown>, company: Customer = customer): Promise<OperationBody> {
  const operation = await perform(server, company, body)
  expect(operation.status).toBe('manual_review')
  return operation
}
const openIssue = (more: Record<string, unknown> = {}) => openReview(issueBody(customer, { name: 'unknown', ...more }))
const openTopup = () => openReview(topupBody(cardId, { amount: '10.77' }))
const openService = () => openReview(serviceBody({ recipient: 'unknown' }))
const cardOf = async (id: string | undefined) =>
  (await server.get<Record<string, string>>(`/api/v1/cards/${id}`, customer.key)).body

describe('GET /admin/v1/reviews', () => {
  it('lists the reviews of all companies, oldest first, page by page', async () => {
    const opened: string[] = []
    for (const company of [customer, other, customer]) {
      server.clock.advance(1000)
      opened.push((await openReview(serviceBody({ recipient: 'unknown' }), company)).id)
    }
    const { body } = await admin<Page<Review>>('GET', '/reviews')
    expect(body.data.map(({ id }) => id)).toEqual(opened)
    expect(body.data.map(({ companyId }) => companyId)).toEqual([customer.wireId, other.wireId, customer.wireId])
    expect(body.nextCursor).toBeNull()
    const first = await admin<Page<Review>>('GET', '/reviews?limit=2')
    const second = await admin<Page<Review>>('GET', `/reviews?limit=2&cursor=${first.body.nextCursor}`)
    expect([...first.body.data, ...second.body.data]).toEqual(body.data)
    for (const id of opened) expect((await resolve(id, { outcome: 'failed', reason: 'cleared' })).status).toBe(200)
    expect((await admin<Page<Review>>('GET', '/reviews')).body.data).toEqual([])
  })

  it('shows what was sent, what was answered, and when', async () => {
    server.clock.advance(60_000)
    const at = server.clock.now().toISOString()
    const { id } = await openIssue({ amount: '20.00' })
    const expected: Review = {
      id,
      object: 'operation',
      companyId: customer.wireId,
      companyName: 'Test company',
      title: 'Virtual card for Ada Lovelace',
      environment: 'sandbox',
      heldAmount: '23.04',
      since: at,
      reasons: ['issuer_unknown'],
      dossier: {
        type: 'issue',
        acceptedAt: at,
        claimedAt: at,
        request: {
          token: id,
          type: 'issue',
          amount: '20.00',
          productId: CARD,
          holderId: customer.holderId,
          cardId: formatId('card', cardIdOf(must(findId('op', id)))),
          name: 'unknown',
        },
        exchanges: [
          expect.objectContaining({
            purpose: 'request',
            sent: expect.objectContaining({ token: id, amount: '20.00', name: 'unknown' }),
            received: { reason: 'the sandbox was told to leave the outcome open' },
            outcome: 'unknown',
            startedAt: at,
            finishedAt: at,
          }),
          expect.objectContaining({
            purpose: 'look_up',
            sent: { token: id },
            received: { reason: 'the sandbox was told to leave the outcome open' },
            outcome: 'unknown',
          }),
        ],
        names: { [customer.holderId]: 'Ada Lovelace', [CARD]: 'Virtual card' },
        note: null,
      },
    }
    const list = await admin<Page<Review>>('GET', '/reviews')
    expect(list.body.data).toEqual([expected])
    const one = await admin<Review>('GET', `/reviews/${id}`)
    expect(one.body).toEqual(expected)
    await resolve(id, { outcome: 'failed', reason: 'cleared' })
  })

  it('stays readable after the decision, with who decided what, when and why', async () => {
    const { id } = await openIssue()
    const { body: before } = await admin<Review>('GET', `/reviews/${id}`)
    await resolve(id, { outcome: 'failed', reason: 'not in its books', evidence: 'ticket 7' })
    const { body: after } = await admin<Review>('GET', `/reviews/${id}`)
    const decision = {
      outcome: 'failed',
      by: expect.stringMatching(/./),
      byId: expect.stringMatching(/^key_/),
      at: expect.any(String),
      reason: 'not in its books',
      evidence: 'ticket 7',
    }
    expect(after).toEqual({ ...before, since: expect.any(String), decision })
    const late = await resolve(id, { outcome: 'completed', reason: 'too late' })
    const { message, details } = late.body as unknown as { message: string; details: object }
    expect(message).toMatch(
      /decided this operation at .*: it is failed\. That decision counts; a later one is not applied\./,
    )
    expect(details).toMatchObject({
      status: 'failed',
      outcome: 'failed',
      by: expect.any(String),
      at: expect.any(String),
    })
  })

  it('answers 404 for an operation not in review, a missing one and a malformed id', async () => {
    const { id } = await perform(server, customer, serviceBody())
    for (const wrong of [id, `op_${'0'.repeat(32)}`, 'nonsense', cardId])
      expectRefused(await admin('GET', `/reviews/${wrong}`), 'not_found')
  })
})

describe('POST /admin/v1/reviews/{id}/resolve as completed', () => {
  it('creates the card of an issue and captures the money', async () => {
    const { id, total } = await openIssue({ amount: '30.00' })
    const before = await balanceOf(server, customer)
    const answer = await resolve(id, { outcome: 'completed', reason: 'seen at the issuer' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ id, status: 'completed', result: { receipt: expect.stringMatching(/^rcpt_/) } })
    expect(await read(server, customer, id)).toMatchObject(answer.body)
    expect(await cardOf(answer.body.result.cardId)).toMatchObject({
      name: 'unknown',
      balance: '30.00',
      status: 'active',
      holderId: customer.holderId,
      last4: expect.stringMatching(/^\d{4}$/),
    })
    const after = await balanceOf(server, customer)
    expect(Math.round((Number(before.held) - Number(after.held)) * 100)).toBe(Number(total.replace('.', '')))
    expect(after.available).toBe(before.available)
  })
  it("uses the issuer's receipt, last digits and card id", async () => {
    const { id } = await openIssue()
    const given = `card_${'1'.repeat(32)}`
    const decision = { outcome: 'completed', reason: 'r', evidence: 'e', receipt: 'R-1', last4: '4242', cardId: given }
    const answer = await resolve(id, decision)
    expect(answer.body.result).toEqual({ cardId: given, receipt: 'R-1' })
    expect(await cardOf(given)).toMatchObject({ last4: '4242' })
  })
  it('adds the amount of a top-up to the card', async () => {
    const { id } = await openTopup()
    const before = await cardOf(cardId)
    const answer = await resolve(id, { outcome: 'completed', reason: 'seen' })
    expect(answer.body.result).toEqual({ cardId, receipt: expect.any(String) })
    expect(Number((await cardOf(cardId))['balance'])).toBeCloseTo(Number(before['balance']) + 10.77)
  })
  it('completes a service', async () => {
    const { id } = await openService()
    const answer = await resolve(id, { outcome: 'completed', reason: 'seen', receipt: 'S-9' })
    expect(answer.body).toMatchObject({ status: 'completed', result: { receipt: 'S-9' } })
  })
  it.each(['nonsense', 'card_123', `op_${'2'.repeat(32)}`])('answers 400 to the card id %s', async (wrong) => {
    const { id } = await openIssue()
    expectRefused(await resolve(id, { outcome: 'completed', reason: 'r', cardId: wrong }), 'validation_failed')
    expect((await resolve(id, { outcome: 'failed', reason: 'cleared' })).status).toBe(200)
  })
  it('answers 400 to an amount that was received, which only an invoice has', async () => {
    const { id } = await openService()
    const decision = { outcome: 'completed', reason: 'r', receivedAmount: '10.00' }
    expectRefused(await resolve(id, decision), 'validation_failed')
    expect((await read(server, customer, id)).status).toBe('manual_review')
    expect((await resolve(id, { outcome: 'failed', reason: 'cleared' })).status).toBe(200)
  })
  it('answers 400 to a card id that is already used, and to one that is not the card of the top-up', async () => {
    const issue = await openIssue()
    const topup = await openTopup()
    const free = `card_${'3'.repeat(32)}`
    expectRefused(await resolve(issue.id, { outcome: 'completed', reason: 'r', cardId }), 'validation_failed')
    expectRefused(await resolve(topup.id, { outcome: 'completed', reason: 'r', cardId: free }), 'validation_failed')
    expect((await resolve(topup.id, { outcome: 'completed', reason: 'r', cardId })).status).toBe(200)
    expect((await resolve(issue.id, { outcome: 'completed', reason: 'r' })).status).toBe(200)
  })
  it('if two reviews are decided at the same time with one card id, one gets it and the other answers 400', async () => {
    const reviews = [await openIssue(), await openIssue()]
    const body = { outcome: 'completed', reason: 'r', cardId: `card_${'4'.repeat(32)}` }
    const blocker = new pg.Client(server.connection)
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query(`select from account where company_id = $1 and environment = 'sandbox' for update`, [
      customer.id,
    ])
    const decided = Promise.all(reviews.map(({ id }) => resolve(id, body)))
    // Both have found the card id free by then.
    await expect.poll(async () => (await server.db.many(selectWaiting())).length).toBe(2)
    await blocker.query('rollback')
    await blocker.end()
    const [first, second] = (await decided).toSorted((a, b) => a.status - b.status)
    expect(first?.status).toBe(200)
    expectRefused(must(second), 'validation_failed')
    for (const { id } of reviews) await resolve(id, { outcome: 'failed', reason: 'cleared' })
  })
})

describe('POST /admin/v1/reviews/{id}/resolve as failed', () => {
  it.each(['issue', 'topup', 'service'])('releases the money of an operation of kind %s', async (type) => {
    const open = { issue: openIssue, topup: openTopup, service: openService }[type] ?? openService
    const card = await cardOf(cardId)
    const before = await balanceOf(server, customer)
    const { id } = await open()
    const answer = await resolve(id, { outcome: 'failed', reason: 'not found at the issuer' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ status: 'failed', result: {}, failure: { code: 'review_failed' } })
    expect(await balanceOf(server, customer)).toEqual(before)
    expect(await cardOf(cardId)).toEqual(card)
  })
})

describe('a decision is refused', () => {
  it.each<[string, unknown]>([
    ['without a reason', { outcome: 'failed' }],
    ['with an empty reason', { outcome: 'failed', reason: '' }],
    ['with a blank reason', { outcome: 'failed', reason: '  ' }],
    ['with a reason that is too long', { outcome: 'failed', reason: 'r'.repeat(2001) }],
    ['without an outcome', { reason: 'r' }],
    ['with another outcome', { outcome: 'queued', reason: 'r' }],
    ['with an unknown field', { outcome: 'failed', reason: 'r', force: true }],
    ['with five digits', { outcome: 'completed', reason: 'r', last4: '12345' }],
    ['with an empty receipt', { outcome: 'completed', reason: 'r', receipt: '' }],
  ])('%s: answers 400, and the operation stays in review', async (_name, body) => {
    const { id } = await openIssue()
    expectRefused(await resolve(id, body), 'validation_failed')
    expect((await read(server, customer, id)).status).toBe('manual_review')
    await resolve(id, { outcome: 'failed', reason: 'cleared' })
  })
  it.each(['completed', 'failed'])(
    'when it was decided as %s before: 409 already_resolved, nothing moves',
    async (outcome) => {
      const { id } = await openService()
      const first = await resolve(id, { outcome, reason: 'first' })
      const before = await balanceOf(server, customer)
      for (const again of ['completed', 'failed']) {
        const { details } = expectRefused(await resolve(id, { outcome: again, reason: 'again' }), 'already_resolved')
        expect(details).toMatchObject({ status: outcome, outcome, by: 'test' })
        // The company is not told which operator it was.
        const own = expectRefused(await resolveInSandbox(customer, id, { outcome: again }), 'already_resolved')
        expect(own.details).toEqual({ status: outcome })
      }
      expect(await balanceOf(server, customer)).toEqual(before)
      expect(await read(server, customer, id)).toMatchObject(first.body)
    },
  )
  it('with 409 for a completed operation and for one in progress', async () => {
    const { id } = await perform(server, customer, serviceBody())
    expectRefused(await resolve(id, { outcome: 'failed', reason: 'r' }), 'already_resolved')
    const slow = await accept(server, customer, serviceBody({ recipient: 'slow' }))
    expectRefused(await resolve(slow, { outcome: 'failed', reason: 'r' }), 'already_resolved')
    expect((await untilFinal(server, customer, slow)).status).toBe('completed')
  })
  it('with 404 for a missing operation', async () => {
    for (const id of [`op_${'0'.repeat(32)}`, 'nonsense'])
      expectRefused(await resolve(id, { outcome: 'failed', reason: 'r' }), 'not_found')
  })
  it('for all but one if ten decide at the same time', async () => {
    const { id } = await openIssue()
    const outcomes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'completed' : 'failed'))
    const answers = await Promise.all(outcomes.map((outcome) => resolve(id, { outcome, reason: 'r' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ])
    await expectCleanAudit(server)
  })
})

describe('the audit log', () => {
  const records = async (id: string) => {
    const { body } = await admin<Page<Record<string, unknown>>>('GET', `/audit-log?object=${id}`)
    return body.data
  }
  it('has one record per decision: who, what, why, on what evidence', async () => {
    const { id } = await openService()
    const answer = await resolve(id, { outcome: 'completed', reason: 'the issuer says so', evidence: 'ticket 7' })
    expect(await records(id)).toEqual([
      expect.objectContaining({
        companyId: customer.wireId,
        actor: expect.stringMatching(/^operator key_/),
        action: 'review.completed',
        object: id,
        details: { outcome: 'completed', reason: 'the issuer says so', evidence: 'ticket 7' },
        requestId: answer.headers.get('x-request-id'),
        createdAt: server.clock.now().toISOString(),
      }),
    ])
    await resolve(id, { outcome: 'failed', reason: 'again' })
    expect(await records(id), 'a refused decision writes nothing').toHaveLength(1)
  })
  it.each(['half a \\ud800 pair', 'the other half \\udc00', 'a \\u0000'])(
    'refuses what is not valid text: %s answers 400',
    async (reason) => {
      const { id } = await openService()
      expectRefused(await resolve(id, `{"outcome":"failed","reason":"${reason}"}`), 'validation_failed')
      await resolve(id, { outcome: 'failed', reason: 'cleared' })
    },
  )
  it.each(['\\ud83d\\udcb3', '\\\\ud800', '\\\\u0000 is written so'])('stores any valid text: %s', async (reason) => {
    const { id } = await openService()
    expect((await resolve(id, `{"outcome":"failed","reason":"${reason}"}`)).status).toBe(200)
    expect((await records(id))[0]).toMatchObject({ details: { reason: JSON.parse(`"${reason}"`) } })
  })
})

describe('POST /sandbox/reviews/{id}/resolve', () => {
  it.each(['completed', 'failed'])(
    'resolves as %s without an operator, and writes an audit record',
    async (outcome) => {
      const { id } = await openIssue()
      const answer = await resolveInSandbox(customer, id, { outcome })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.status).toBe(outcome)
      const { body } = await admin<Page<Record<string, unknown>>>('GET', '/audit-log?limit=100')
      expect(body.data.find((line) => line['object'] === id)).toMatchObject({
        actor: expect.stringMatching(/^key key_/),
        action: `review.${outcome}`,
      })
    },
  )
  it("answers 404 for another company's review, and changes nothing", async () => {
    const { id } = await openIssue()
    expectRefused(await resolveInSandbox(other, id, { outcome: 'failed' }), 'not_found')
    expectRefused(await resolveInSandbox(customer, `op_${'0'.repeat(32)}`, { outcome: 'failed' }), 'not_found')
    expect((await read(server, customer, id)).status).toBe('manual_review')
    await resolve(id, { outcome: 'failed', reason: 'cleared' })
  })
  it.each([{}, { outcome: 'queued' }, { outcome: 'failed', reason: 'r' }, { outcome: 'failed', cardId: 'x' }])(
    'answers 400 to the body %j',
    async (body) => {
      expectRefused(await resolveInSandbox(customer, 'op_1', body), 'validation_failed')
    },
  )
})

it('GET /admin/v1/ledger/audit counts accounts and entries, and finds no difference', async () => {
  const { status, body } = await admin('GET', '/ledger/audit')
  expect(status).toBe(200)
  expect(body).toEqual({ accounts: 4, entries: expect.any(Number), differences: [] })
  const counted = await server.db.find<{ count: bigint }>({
    name: undefined,
    text: 'select count(*) from entry',
    values: [],
  })
  expect(body['entries']).toBe(Number(counted?.count))
})
