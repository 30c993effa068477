// What the server records of a payment at Lithic: one line for each way that a payment can take, and a property over all of them.
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProviderEvent } from '../../../src/adapter/provider.ts'
import { eventsOf, parseTransaction } from '../../../src/adapter/providers/lithic/transactions.ts'
import * as payments from '../../../src/adapter/simulators/lithic/payments.ts'
import { renderPayment } from '../../../src/adapter/simulators/lithic/render.ts'
import {
  createWorld,
  type Payment,
  type SimulatedCard,
  type World,
} from '../../../src/adapter/simulators/lithic/world.ts'
import { must } from '../../../src/lib/invariant.ts'
import { TRANSACTION_TRANSITIONS } from '../../../src/transactions/states.ts'
import { TestClock } from '../../support/harness.ts'
import { FUNDING } from './world.ts'

const CARD = '7ef7d65c-9023-4da3-b113-3b8583fd7951'
let world: World
beforeEach(() => {
  world = newWorld()
})

function newWorld(): World {
  const made = createWorld({ clock: new TestClock(), mode: 'balance', fundingAccount: FUNDING, float: 0n })
  const card: SimulatedCard = {
    token: CARD,
    accountToken: FUNDING,
    created: made.clock.now(),
    type: 'VIRTUAL',
    pan: '4111111000000001',
    cvv: '776',
    programToken: FUNDING,
    productId: null,
    memo: '',
    state: 'OPEN',
    substatus: null,
    limit: 0n,
    duration: 'FOREVER',
    spent: 0n,
  }
  made.cards.set(CARD, card)
  made.accounts.set(CARD, { total: 100_000n, held: 0n })
  return made
}

type Transacted = Extract<ProviderEvent, { kind: 'transaction' }>

function report(payment: Payment): Transacted[] {
  const read = must(parseTransaction(JSON.parse(JSON.stringify(renderPayment(payment)))))
  return eventsOf(read).map((event) => event as Transacted)
}

/** `own` is the payment itself; anything else is a movement with an id of its own. */
function shown(payment: Payment): string[] {
  return report(payment).map(({ transaction: { transactionId, type, status, amount } }) =>
    [transactionId === payment.token ? 'own' : 'other', type, status, amount].join(' '),
  )
}

const buy = (amount = 500n, more: Partial<payments.Purchase> = {}) =>
  payments.purchase(world, { card: CARD, amount, ...more })

describe('a payment is recorded as', () => {
  test.each<[string, () => Payment, string[]]>([
    ['pending', () => buy(), ['own purchase pending -5.00']],
    ['declined', () => buy(999_999n), ['own purchase declined -9999.99']],
    ['voided', () => payments.voidPayment(world, buy().token), ['own purchase reversed -5.00']],
    ['expired', () => payments.expire(world, buy().token), ['own purchase expired -5.00']],
    ['settled', () => payments.settle(world, buy().token, { amount: 500n }), ['own purchase settled -5.00']],
    ['over-captured', () => payments.settle(world, buy().token, { amount: 720n }), ['own purchase settled -7.20']],
    ['force-posted', () => payments.forcePost(world, { card: CARD, amount: 900n }), ['own purchase settled -9.00']],
    [
      'a refund without authorisation',
      () => payments.refund(world, { card: CARD, amount: 300n }),
      ['own refund settled 3.00'],
    ],
    ['cash from a machine', () => buy(2_000n, { mcc: '6011' }), ['own withdrawal pending -20.00']],
    ['a verification', () => buy(0n), ['own verification pending 0.00']],
    [
      'expired and then settled',
      () => payments.settle(world, payments.expire(world, buy().token).token, { amount: 500n }),
      ['own purchase settled -5.00'],
    ],
    [
      'voided and then settled, which is a movement of its own',
      () => payments.settle(world, payments.voidPayment(world, buy().token).token, { amount: 500n }),
      ['own purchase reversed -5.00', 'other purchase settled -5.00'],
    ],
    [
      'declined and then force-posted, which is a movement of its own',
      () => payments.settle(world, buy(999_999n).token, { amount: 500n }),
      ['own purchase declined -9999.99', 'other purchase settled -5.00'],
    ],
    [
      'captured in two parts',
      () => {
        const { token } = payments.settle(world, buy().token, { amount: 300n, isLast: false })
        return payments.settle(world, token, { amount: 200n })
      },
      ['own purchase settled -3.00', 'other purchase settled -2.00'],
    ],
    [
      'settled and refunded in part',
      () => payments.refundInto(world, payments.settle(world, buy().token, { amount: 500n }).token, 120n),
      ['own purchase settled -5.00', 'other refund settled 1.20'],
    ],
    [
      'captured after the card was closed',
      () => {
        const { token } = buy()
        must(world.cards.get(CARD)).state = 'CLOSED'
        return payments.settle(world, token, { amount: 500n })
      },
      ['own purchase settled -5.00'],
    ],
  ])('%s', (_name, act, expected) => expect(shown(act())).toEqual(expected))

  test('declined with the reason that Lithic gives, and no other payment has one', () => {
    const reasons = [buy(999_999n), buy()].flatMap(report).map(({ transaction }) => transaction.description)
    expect(reasons).toEqual(['Card spend limit exceeded', undefined])
  })
})

test('a payment in another currency has its amount in both', () => {
  const [yen] = report(buy(680n, { currency: 'JPY', merchantAmount: 1_000n, country: 'JPN' }))
  expect(must(yen).transaction).toMatchObject({
    amount: '-1000.00',
    currency: 'JPY',
    cardAmount: '-6.80',
    country: 'JP',
  })
  const [dinar] = report(buy(400n, { currency: 'KWD', merchantAmount: 1_234n }))
  expect(must(dinar).transaction).toMatchObject({ amount: '-1.23', currency: 'KWD', cardAmount: '-4.00' })
  const [pound] = report(payments.refund(world, { card: CARD, amount: 130n, currency: 'GBP', merchantAmount: 100n }))
  expect(must(pound).transaction).toMatchObject({
    amount: '1.00',
    currency: 'GBP',
    cardAmount: '1.30',
    status: 'settled',
  })
})

// Intl has no decimals for some of them, because people write them so.
test.each([
  ['RSD', '-12.34'],
  ['IDR', '-12.34'],
  ['HUF', '-12.34'],
  ['IQD', '-1.23'],
  ['JPY', '-1234.00'],
  ['KWD', '-1.23'],
  ['EUR', '-12.34'],
  ['CLF', '-0.12'],
])('1234 of the smallest unit of %s are %s', (currency, amount) => {
  const [event] = report(buy(400n, { currency, merchantAmount: 1_234n }))
  expect(must(event).transaction).toMatchObject({ amount, currency, cardAmount: '-4.00' })
})

test('a country without a code of two letters is left out', () => {
  expect(must(report(buy(100n, { country: 'QZZ' }))[0]).transaction).not.toHaveProperty('country')
})

test('the same state has the same id, another amount another one', () => {
  const payment = buy()
  const [first] = report(payment)
  expect(report(payment)[0]?.id).toBe(first?.id)
  payments.settle(world, payment.token, { amount: 500n })
  expect(report(payment)[0]?.id).not.toBe(first?.id)
})

test('a transaction that is not in the expected format is not parsed', () => {
  const whole = JSON.parse(JSON.stringify(renderPayment(buy()))) as Record<string, unknown>
  expect(parseTransaction(whole)).toBeDefined()
  expect(parseTransaction({ ...whole, status: 'HELD' })).toBeUndefined()
  expect(parseTransaction({ ...whole, events: [] })).toBeUndefined()
  expect(parseTransaction({ ...whole, created: 'yesterday' })).toBeUndefined()
})

/** As record_transaction does: a debit counts from its authorisation, a credit from its settlement. */
class Books {
  readonly #recorded = new Map<string, { status: keyof typeof TRANSACTION_TRANSITIONS; applied: bigint }>()

  take({ transaction: { transactionId, status, amount, cardAmount = amount } }: Transacted): void {
    const old = this.#recorded.get(transactionId)
    if (old !== undefined && !TRANSACTION_TRANSITIONS[old.status].includes(status)) return
    const value = BigInt(cardAmount.replace('.', ''))
    const applied = status === 'settled' || (status === 'pending' && value < 0n) ? value : 0n
    this.#recorded.set(transactionId, { status, applied })
  }

  total(): bigint {
    return [...this.#recorded.values()].reduce((sum, { applied }) => sum + applied, 0n)
  }
}

type Act = 'settle' | 'part' | 'void' | 'expire' | 'refund'

function doNext(payment: Payment, name: Act, amount: bigint): void {
  const isOpen = payment.status === 'PENDING' && payment.hold > 0n
  if (name === 'settle') payments.settle(world, payment.token, { amount })
  if (name === 'part') payments.settle(world, payment.token, { amount, isLast: false })
  if (name === 'refund' && payment.settled > 0n) payments.refundInto(world, payment.token, amount)
  if (name === 'void' && isOpen) payments.voidPayment(world, payment.token)
  if (name === 'expire' && isOpen) payments.expire(world, payment.token)
}

test('whatever merchants do and however many reports are missed, the books have the money that moved', () => {
  const start = fc.constantFrom('purchase' as const, 'declined' as const, 'force_post' as const, 'refund' as const)
  const acts = fc.array(
    fc.tuple(fc.constantFrom<Act[]>('settle', 'part', 'void', 'expire', 'refund'), fc.bigInt(1n, 900n), fc.boolean()),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(start, fc.boolean(), acts, (first, isSeen, following) => {
      world = newWorld()
      const books = new Books()
      const wanted = { card: CARD, amount: first === 'declined' ? 900_000n : 500n }
      const make = {
        purchase: payments.purchase,
        declined: payments.purchase,
        force_post: payments.forcePost,
        refund: payments.refund,
      }
      const payment = make[first](world, wanted)
      if (isSeen) for (const event of report(payment)) books.take(event)
      for (const [name, amount, isPolled] of following) {
        doNext(payment, name, amount)
        if (isPolled) for (const event of report(payment)) books.take(event)
      }
      for (const event of report(payment)) books.take(event)
      const held = payment.movements.some(({ isFinancial }) => isFinancial) ? 0n : payment.hold
      expect(books.total()).toBe(-payment.settled - held)
    }),
    { numRuns: 500 },
  )
})
