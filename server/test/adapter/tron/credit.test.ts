// Which transfers become payments: one line for each kind of transaction, and for each time at which money may arrive.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { formatMicros } from '../../../src/tron/usdt.ts'
import { COMPANY, OTHER_COMPANY, TronWorld, WALLET } from './world.ts'

const HOUR = 3_600_000
const world = await TronWorld.start()
afterAll(() => world.stop())
beforeEach(() => world.query('truncate outbox'))

test('a transfer becomes one event with the time of its block, its id and its amount', async () => {
  const { token, address, payAmount } = await world.invoice()
  const id = world.pay(address, payAmount)
  const paidAt = new Date(world.chain.head().timeMs).toISOString()
  await world.settle()
  const amount = formatMicros(payAmount)
  expect(await world.events()).toEqual([
    {
      id: `tron:${id}:0`,
      type: 'invoice.settled',
      createdAt: paidAt,
      companyId: `co_${COMPANY.replaceAll('-', '')}`,
      data: { token, paymentId: `${id}:0`, amount, paidAt },
    },
  ])
})

test.each([
  ['transfer', ['100.000000']],
  ['with_fee', ['99.000000']],
  ['reverted', []],
  ['out_of_time', []],
  ['fake_token', []],
  ['zero', []],
  ['payout', ['100.000000']],
  ['twice', ['100.000000', '100.000000']],
  ['trx', []],
] as const)('a transaction of the kind %s is credited as %j', async (kind, amounts) => {
  const { token, address } = await world.invoice()
  world.pay(address, '100', { kind })
  await world.settle()
  expect(await world.payments()).toEqual(amounts.map((amount) => [token, amount]))
  expect(await world.cursor()).toBe(world.chain.head().height)
})

test('two transfers in one transaction are two payments with ids of their own', async () => {
  const { address } = await world.invoice()
  const id = world.pay(address, '50', { kind: 'twice' })
  await world.settle()
  const events = await world.events()
  expect(events.map(({ data }) => data.paymentId)).toEqual([`${id}:0`, `${id}:1`])
  expect(new Set(events.map((event) => event.id)).size).toBe(2)
})

test('with a transfer fee the payment is named by the position of its own log', async () => {
  const { address } = await world.invoice()
  const id = world.pay(address, '100', { kind: 'with_fee' })
  await world.settle()
  expect((await world.events()).map(({ data }) => data.paymentId)).toEqual([`${id}:1`])
})

test('two invoices that one sender pays in one block get their own payments', async () => {
  const one = await world.invoice('100')
  const two = await world.invoice('100', OTHER_COMPANY)
  expect(one.address).not.toBe(two.address)
  expect(one.payAmount).not.toBe(two.payAmount)
  world.send(two.address, two.payAmount)
  world.send(one.address, one.payAmount)
  world.chain.mine()
  await world.settle()
  const events = await world.events()
  expect(events.map(({ data, companyId }) => [data.token, companyId])).toEqual([
    [two.token, `co_${OTHER_COMPANY.replaceAll('-', '')}`],
    [one.token, `co_${COMPANY.replaceAll('-', '')}`],
  ])
})

test('too little and too much are reported as they are', async () => {
  const { token, address } = await world.invoice()
  world.pay(address, '0.01')
  world.pay(address, '5000000.5')
  await world.settle()
  expect(await world.payments()).toEqual([
    [token, '0.010000'],
    [token, '5000000.500000'],
  ])
})

test('exactly at expiry, late, and in the last block of the quarantine it belongs to the invoice; after it, to nobody', async () => {
  const { token, address, payAmount, expiresAt } = await world.invoice()
  const payAt = (ms: number) => {
    world.clock.set(new Date(ms).toISOString())
    return world.pay(address, payAmount)
  }
  payAt(expiresAt.getTime())
  expect(world.chain.head().timeMs).toBe(expiresAt.getTime())
  payAt(expiresAt.getTime() + HOUR)
  const freeAt = expiresAt.getTime() + 24 * HOUR
  payAt(freeAt - 3_000)
  const after = payAt(freeAt)
  await world.settle()
  expect((await world.payments()).map(([to]) => to)).toEqual([token, token, token])
  expect(await world.open()).toEqual([[`${after}:0`, 'no_invoice']])
})

test('money that came before the invoice had the address is not its money', async () => {
  const address = WALLET.addressAt(15)
  const early = world.pay(address, '100')
  // Every address before it is taken, so that the next invoice gets this one.
  const others = `update issuer_adapter.tron_address set free_at = $1 where index <> 15 and free_at = $2`
  await world.query(`update issuer_adapter.tron_address set free_at = '-infinity' where free_at <= $1`, [
    world.clock.now(),
  ])
  await world.query(others, ['infinity', '-infinity'])
  world.clock.set(new Date(world.chain.head().timeMs + 1).toISOString())
  const invoice = await world.invoice()
  expect(invoice.address).toBe(address)
  const paid = world.pay(address, invoice.payAmount)
  await world.settle()
  await world.query(others, ['-infinity', 'infinity'])
  expect((await world.events()).map(({ data }) => data.paymentId)).toEqual([`${paid}:0`])
  expect(await world.open()).toContainEqual([`${early}:0`, 'no_invoice'])
})

test('a thousand transfers of dust and zero are counted, and neither credited nor listed', async () => {
  const { address, token } = await world.invoice()
  const before = await world.open()
  for (let sent = 0; sent < 500; sent += 1) {
    world.send(address, '0.009999')
    world.send(address, '0', { kind: 'zero' })
  }
  world.pay(address, '100')
  await world.settle()
  expect(await world.payments()).toEqual([[token, '100.000000']])
  expect(await world.open()).toEqual(before)
  const counted = `select dust_in_count, dust_in_amount::text from issuer_adapter.tron_address where address = $1`
  expect(await world.query(counted, [address])).toEqual([{ dust_in_count: 1_000n, dust_in_amount: '4999500' }])
})

test('money that the operator moves is recorded, and is not the payment of the invoice that has the address', async () => {
  const { address } = await world.invoice()
  const from = WALLET.addressAt(19)
  const inside = world.pay(address, '40', { from })
  const outside = world.pay('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '30', { from })
  await world.settle()
  expect(await world.payments()).toEqual([])
  expect(await world.open()).toContainEqual([`${inside}:0`, 'own_transfer'])
  const state = 'select state from issuer_adapter.tron_transfer where payment_id = $1'
  expect(await world.query(state, [`${outside}:0`])).toEqual([{ state: 'out' }])
})

test('an amount that the server cannot read waits for a person', async () => {
  const { address } = await world.invoice()
  const id = world.pay(address, 1_000_000_000_000_000n)
  const vast = world.pay(address, 2n ** 200n)
  await world.settle()
  expect(await world.payments()).toEqual([])
  expect(await world.open()).toEqual(
    expect.arrayContaining([
      [`${id}:0`, 'too_large'],
      [`${vast}:0`, 'too_large'],
    ]),
  )
})

test('transfers between strangers are not stored', async () => {
  const stranger = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
  const id = world.pay(stranger, '1000')
  await world.settle()
  expect(await world.query('select 1 from issuer_adapter.tron_transfer where payment_id = $1', [`${id}:0`])).toEqual([])
})
