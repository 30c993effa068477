// The database functions that carry out decisions on invoices and late payments change exactly what they promise: every column is
// checked, and nothing else changes, be it of the same account, of the other environment or of another company.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Book } from './book.ts'
import { Cast, type Name, PAY_URL, type State } from './invoice-cast.ts'

let book: Book
let cast: Cast
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  cast = await Cast.create(book)
})
afterAll(() => book.close())

const log = (action: string) => ({
  [`audit_log review.${action}`]: {
    actor: 'test',
    actor_kind: 'program',
    object: 'subject',
    details: {},
    created_at: 'minute 100',
  },
})
const entry = (reference: string, type: string, [kind, delta, balance]: readonly [string, number, number]) => ({
  kind,
  reference,
  reference_type: type,
  available_delta: delta,
  held_delta: 0,
  balance,
  held: 0,
  created_at: 'minute 100',
})

describe('a decision on an invoice', () => {
  const SEEN = 44_560_000n
  const resolve = (status: 'completed' | 'failed' | 'expired', seen: bigint | null = SEEN, name: Name = 'subject') =>
    cast.watch(() => cast.resolve(cast.mine, name, 100, { status, seen }))
  const decided = { 'invoice_payment paid': { decided: true }, 'invoice_payment more': { decided: true } }
  const event = (status: string, received: string) => ({
    'event subject 3': {
      type: `invoice.${status}`,
      created_at: 'minute 100',
      data: `${status} ${received} ${PAY_URL}`,
    },
  })
  /** Two payments await a decision in every account. */
  const review = async () => {
    for (const scope of cast.scopes) {
      await cast.bring(scope, 'in review')
      await cast.pay(scope, 'subject', 92, { key: 'more', amount: 4_560_000n })
    }
  }

  test('completed credits what was decided and decides the payments', async () => {
    await review()
    expect(await resolve('completed')).toEqual({
      value: 'resolved',
      changes: {
        account: { available: 14_239, sequence: 4, last_entry_at: 'minute 100' },
        'entry 3': entry('subject', 'inv', ['deposit', 4_456, 14_306]),
        'entry 4': entry('subject', 'inv', ['fee', -67, 14_239]),
        'invoice subject': {
          status: 'completed',
          status_at: 'minute 100',
          deposit: 4_456,
          fee: 67,
          received: 44_570_000,
        },
        ...decided,
        ...event('completed', '44.570000'),
        ...log('completed'),
      },
    })
  })

  test.each([
    ['failed', { failure_code: 'review_failed', failure_message: 'Not accepted.' }],
    ['expired', {}],
  ] as const)('%s decides the payments and credits nothing', async (status, failure) => {
    await review()
    expect(await resolve(status)).toEqual({
      value: 'resolved',
      changes: {
        'invoice subject': { status, status_at: 'minute 100', ...failure },
        ...decided,
        ...event(status, '44.560000'),
        ...log(status),
      },
    })
  })

  test('changes nothing if the received amount is another than the operator knew', async () => {
    await review()
    for (const seen of [SEEN - 1n, null]) {
      expect(await resolve('completed', seen)).toEqual({ value: 'changed', changes: {} })
      expect(await resolve('failed', seen)).toEqual({ value: 'changed', changes: {} })
    }
  })

  test('knows an invoice for which no payment was reported', async () => {
    await cast.bring(cast.mine, 'unknown')
    expect(await resolve('failed', 1n)).toEqual({ value: 'changed', changes: {} })
    expect((await resolve('failed', null)).value).toBe('resolved')
  })

  test.each<[State, string]>([
    ['creating', 'creating'],
    ['pending', 'pending'],
    ['expired', 'expired'],
    ['completed', 'completed'],
    ['failed', 'failed'],
  ])('changes nothing if the invoice is %s', async (state, status) => {
    for (const scope of cast.others) await cast.bring(scope, 'in review')
    await cast.bring(cast.mine, state)
    for (const seen of [null, 40_000_000n])
      expect(await resolve('failed', seen)).toEqual({ value: status, changes: {} })
  })

  test('knows no invoice that only others have', async () => {
    await cast.addElsewhere('manual_review')
    expect(await resolve('failed', null, 'later payment')).toEqual({ value: null, changes: {} })
  })
})

describe('a decision on a late payment', () => {
  const resolve = (status: 'completed' | 'failed', name: Name = 'late payment') =>
    cast.watch(() => {
      const terms = { status, ...(status === 'completed' ? { deposit: '500', fee: '8' } : {}) }
      return cast.resolveObject(cast.mine, { object: 'payment', id: cast.ids[name] }, terms, 100)
    })

  test('completed credits the payment under the id of its review', async () => {
    await cast.pay(cast.mine, 'earlier', 90, { key: 'another', amount: 6_000_000n })
    expect(await resolve('completed')).toEqual({
      value: 'resolved',
      changes: {
        account: { available: 10_342, sequence: 4, last_entry_at: 'minute 100' },
        'entry 3': entry('late payment', 'rev', ['deposit', 500, 10_350]),
        'entry 4': entry('late payment', 'rev', ['fee', -8, 10_342]),
        'payment_review late payment': { status: 'completed', status_at: 'minute 100', deposit: 500, fee: 8 },
        ...log('completed'),
      },
    })
    expect(await resolve('failed')).toEqual({ value: 'completed', changes: {} })
  })

  test('failed credits nothing', async () => {
    await cast.pay(cast.mine, 'earlier', 90, { key: 'another', amount: 6_000_000n })
    expect(await resolve('failed')).toEqual({
      value: 'resolved',
      changes: { 'payment_review late payment': { status: 'failed', status_at: 'minute 100' }, ...log('failed') },
    })
    expect(await resolve('completed')).toEqual({ value: 'failed', changes: {} })
  })

  test('knows no review that only others have', async () => {
    await cast.addElsewhere('manual_review')
    expect(await resolve('completed', 'later payment')).toEqual({ value: null, changes: {} })
  })
})
