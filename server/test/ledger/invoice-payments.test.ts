// record_payment changes exactly what it promises: every column is checked, and no other invoice, payment or account changes, be
// it of the same account, of the other environment or of another company.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatMicros } from '../../src/tron/usdt.ts'
import { Book } from './book.ts'
import { BARE, Cast, type NewPayment, PAY_URL, type State } from './invoice-cast.ts'

/** The shortest time that the database knows, in minutes. */
const MS = 1 / 60_000
const EXACT = BARE + 30n

let book: Book
let cast: Cast
beforeAll(async () => {
  book = await Book.open()
})
beforeEach(async () => {
  cast = await Cast.create(book)
  // The others have a payment with the key that the tests use, and it awaits a decision.
  for (const scope of cast.others) {
    await cast.bring(scope, 'pending')
    await cast.pay(scope, 'subject', 92, { amount: 11_000_000n })
  }
})
afterAll(() => book.close())

const pay = (payment: NewPayment, minute = 100) => cast.watch(() => cast.pay(cast.mine, 'subject', minute, payment))
const minute = (value: number) => `minute ${value}`
const payment = (amount: bigint, { decided = false, paid = 100, recorded = 100 } = {}) => ({
  invoice_id: 'subject',
  amount: Number(amount),
  paid_at: minute(paid),
  recorded_at: minute(recorded),
  decided,
})
const event = (status: string, received: bigint, at = 100) => ({
  type: `invoice.${status}`,
  created_at: minute(at),
  data: `${status} ${formatMicros(received)} ${PAY_URL}`,
})
const entry = (kind: string, delta: number, balance: number, at = 100) => ({
  kind,
  reference: 'subject',
  reference_type: 'inv',
  available_delta: delta,
  held_delta: 0,
  balance,
  held: 0,
  created_at: minute(at),
})
const credit = (at = 100) => ({
  account: { available: 19_700, sequence: 4, last_entry_at: minute(at) },
  'entry 3': entry('deposit', 10_000, 19_850, at),
  'entry 4': entry('fee', -150, 19_700, at),
})

describe('a pending invoice', () => {
  beforeEach(() => cast.bring(cast.mine, 'pending'))

  test('is completed by the exact amount in a block before its expiry', async () => {
    expect(await pay({ amount: EXACT, paid: 140 - MS })).toEqual({
      value: 'completed',
      changes: {
        ...credit(),
        'invoice subject': { status: 'completed', status_at: 'minute 100', received: Number(EXACT) },
        'invoice_payment first': payment(EXACT, { decided: true, paid: 140 - MS }),
        'event subject 2': event('completed', EXACT),
      },
    })
  })

  test.each([
    ['less', EXACT - 1n, 100, ['underpaid']],
    ['more', EXACT + 1n, 100, ['overpaid']],
    ['the exact amount at its expiry', EXACT, 140, ['paid_late']],
    ['less and late', 1n, 141, ['underpaid', 'paid_late']],
  ])('goes to review if it gets %s', async (_, amount, paid, reasons) => {
    expect(await pay({ amount, paid })).toEqual({
      value: 'review',
      changes: {
        'invoice subject': { status: 'manual_review', status_at: 'minute 100', received: Number(amount), reasons },
        'invoice_payment first': payment(amount, { paid }),
        'event subject 2': event('manual_review', amount),
      },
    })
  })

  test('stays in review since the first payment when a second one comes, and adds them up', async () => {
    await pay({ amount: 40_000_000n, paid: 140 })
    expect(await pay({ key: 'second', amount: EXACT - 40_000_000n, paid: 101 }, 101)).toEqual({
      value: 'review',
      changes: {
        'invoice subject': { received: Number(EXACT), reasons: ['paid_late', 'multiple_payments'] },
        'invoice_payment second': payment(EXACT - 40_000_000n, { paid: 101, recorded: 101 }),
      },
    })
  })

  test('counts only payments that await a decision', async () => {
    await pay({ amount: 40_000_000n })
    await cast.resolve(cast.mine, 'subject', 101, { status: 'expired', seen: 40_000_000n })
    expect(await pay({ key: 'second', amount: 60_000_000n, paid: 102 }, 102)).toEqual({
      value: 'review',
      changes: {
        'invoice subject': {
          status: 'manual_review',
          status_at: 'minute 102',
          reopened: true,
          received: 60_000_000,
        },
        'invoice_payment second': payment(60_000_000n, { paid: 102, recorded: 102 }),
        'event subject 4': event('manual_review', 60_000_000n, 102),
      },
    })
  })
})

describe('an expired invoice', () => {
  beforeEach(() => cast.bring(cast.mine, 'expired'))

  test('is reviewed and completed if the exact amount came in time', async () => {
    expect(await pay({ amount: EXACT, paid: 139 }, 150)).toEqual({
      value: 'completed',
      changes: {
        ...credit(150),
        'invoice subject': { status: 'completed', status_at: 'minute 150', reopened: true, received: Number(EXACT) },
        'invoice_payment first': payment(EXACT, { decided: true, paid: 139, recorded: 150 }),
        'event subject 3': event('manual_review', EXACT, 150),
        'event subject 4': event('completed', EXACT, 150),
      },
    })
  })

  test('is reopened by a late payment, and stays reopened when another one comes', async () => {
    expect(await pay({ amount: EXACT, paid: 150 }, 150)).toEqual({
      value: 'review',
      changes: {
        'invoice subject': {
          status: 'manual_review',
          status_at: 'minute 150',
          reopened: true,
          received: Number(EXACT),
          reasons: ['paid_late'],
        },
        'invoice_payment first': payment(EXACT, { paid: 150, recorded: 150 }),
        'event subject 3': event('manual_review', EXACT, 150),
      },
    })
    const { changes } = await pay({ key: 'second', amount: 1n, paid: 151 }, 151)
    expect(changes).toEqual({
      'invoice subject': { received: Number(EXACT + 1n), reasons: ['overpaid', 'paid_late', 'multiple_payments'] },
      'invoice_payment second': payment(1n, { paid: 151, recorded: 151 }),
    })
  })
})

describe('an invoice whose creation stayed unknown', () => {
  beforeEach(() => cast.bring(cast.mine, 'unknown'))

  test.each([
    ['the lowest', BARE + 1n],
    ['the highest', BARE + 9_999n],
  ])('is completed by %s amount above the requested one and below the next cent, within an hour', async (_, amount) => {
    expect(await pay({ amount, paid: 140 - MS })).toEqual({
      value: 'completed',
      changes: {
        ...credit(),
        'invoice subject': { status: 'completed', status_at: 'minute 100', received: Number(amount) },
        'issuer_request subject': 'gone',
        'invoice_payment first': payment(amount, { decided: true, paid: 140 - MS }),
        'event subject 2': event('completed', amount),
      },
    })
  })

  test.each([
    ['the bare amount', BARE, 100, ['underpaid', 'issuer_unknown']],
    ['the next cent', BARE + 10_000n, 100, ['overpaid', 'issuer_unknown']],
    ['a right amount after an hour', BARE + 1n, 140, ['paid_late', 'issuer_unknown']],
  ])('stays in review with %s', async (_, amount, paid, reasons) => {
    const { value, changes } = await pay({ amount, paid })
    expect(value).toBe('review')
    expect(changes).toEqual({
      'invoice subject': expect.objectContaining({ received: Number(amount), reasons }),
      'invoice_payment first': payment(amount, { paid }),
    })
    expect(Object.keys(changes['invoice subject'] ?? {})).toHaveLength(2)
  })

  test('stays in review with two payments', async () => {
    await pay({ amount: 1n })
    const { changes } = await pay({ key: 'second', amount: BARE })
    expect(changes).toEqual({
      'invoice subject': { received: Number(BARE + 1n), reasons: ['multiple_payments', 'issuer_unknown'] },
      'invoice_payment second': payment(BARE),
    })
  })
})

test.each<State>(['completed', 'failed'])('a payment for a %s invoice gets a review of its own', async (state) => {
  await cast.bring(cast.mine, state)
  expect(await pay({ amount: EXACT })).toEqual({
    value: 'own_review',
    changes: {
      'invoice_payment first': payment(EXACT, { decided: true }),
      'payment_review later payment': {
        invoice_id: 'subject',
        payment_key: 'first',
        status: 'manual_review',
        amount: Number(EXACT),
        created_at: 'minute 100',
        status_at: 'minute 100',
      },
    },
  })
})

describe('nothing is recorded', () => {
  test('for an invoice that is still being created, or that only others have', async () => {
    expect(await pay({ amount: EXACT })).toEqual({ value: 'not_ready', changes: {} })
    await cast.addElsewhere('expired')
    const stray = () => cast.pay(cast.mine, 'later payment', 100, { amount: EXACT })
    expect(await cast.watch(stray)).toEqual({ value: 'no_invoice', changes: {} })
  })

  test('if the same payment is reported again, and other content under its key is a mismatch', async () => {
    await cast.bring(cast.mine, 'pending')
    const first = { amount: 40_000_000n, paid: 95 }
    await pay(first)
    expect(await pay(first, 101)).toEqual({ value: 'duplicate', changes: {} })
    expect(await pay({ ...first, amount: 40_000_001n })).toEqual({ value: 'mismatch', changes: {} })
    expect(await pay({ ...first, paid: 95 + MS })).toEqual({ value: 'mismatch', changes: {} })
    const other = () => cast.pay(cast.mine, 'reopened', 101, first)
    expect(await cast.watch(other)).toEqual({ value: 'mismatch', changes: {} })
    // The database keeps milliseconds, so a report with more digits is the same payment.
    const { companyId, environment } = cast.mine
    const values = [companyId, cast.at(101), environment, cast.ids.subject, cast.at(95), cast.ids.earlier]
    const digits = `record_payment($1, $2, $3, $4, 'first', 40000000, $5::timestamptz + interval '0.0004 s', $6, '')`
    expect(await book.many(`select ${digits} as verdict`, values)).toEqual([{ verdict: 'duplicate' }])
  })

  test('of more than a thousand payments for one invoice', async () => {
    await cast.bring(cast.mine, 'pending')
    const fill = (scope = cast.mine, id = cast.ids.subject, count = 1000) =>
      book.run(
        `insert into invoice_payment (company_id, environment, payment_key, invoice_id, amount, paid_at, recorded_at, decided)
         select $1, $2, $3::text || ' ' || n, $3::uuid, 1, $4, $4, true from generate_series(1, $5) n`,
        [scope.companyId, scope.environment, id, cast.at(93), count],
      )
    for (const scope of cast.others) await fill(scope)
    await fill(cast.mine, cast.ids.earlier)
    await fill(cast.mine, cast.ids.subject, 998)
    const small = (key: string) => cast.pay(cast.mine, 'subject', 100, { key, amount: 1n })
    expect([await small('first'), await small('second')]).toEqual(['review', 'review'])
    expect(await pay({ key: 'third', amount: 1n })).toEqual({ value: 'too_many', changes: {} })
  })
})
