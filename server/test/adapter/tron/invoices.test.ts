// Addresses and exact amounts of invoices: one open invoice per address, the quarantine, reuse, and requests at once.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ADDRESSES_MAX, createInvoice } from '../../../src/adapter/tron/invoices.ts'
import { findFlaw } from '../../../src/funding/rules.ts'
import { parseCents } from '../../../src/lib/money.ts'
import { microsOfCents } from '../../../src/tron/usdt.ts'
import { COMPANY, OTHER_COMPANY, TronWorld, WALLET } from './world.ts'

const DAY = 24 * 3_600_000
const HOUR = 3_600_000
let world: TronWorld
beforeEach(async () => {
  world = await TronWorld.start()
})
afterEach(() => world.stop())

const create = (token: string, { amount = '100', companyId = COMPANY } = {}) =>
  createInvoice(world.db, WALLET, world.clock.now(), { token, companyId, amount: parseCents(amount) })

test('the server accepts what an invoice says', async () => {
  for (const amount of ['10', '100', '10000000']) {
    const created = await world.invoice(amount)
    expect(findFlaw(created, parseCents(amount), world.clock.now())).toBeUndefined()
  }
})

test('the same token gets the same invoice, also later and at once', async () => {
  const token = randomUUID()
  const [one, two] = await Promise.all([create(token), create(token)])
  expect(one).toEqual(two)
  world.clock.advance(2 * DAY)
  expect(await create(token)).toEqual(one)
  expect(await world.query('select 1 from issuer_adapter.tron_invoice')).toHaveLength(1)
  expect(await world.query(`select 1 from issuer_adapter.tron_address where free_at > '-infinity'`)).toHaveLength(1)
})

test('the same token with another company or amount is a conflict', async () => {
  const token = randomUUID()
  await create(token)
  expect(await create(token, { amount: '101' })).toEqual({ kind: 'conflict' })
  expect(await create(token, { companyId: OTHER_COMPANY })).toEqual({ kind: 'conflict' })
})

test('fifty requests at once get fifty addresses and fifty amounts, the lowest indexes first', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => world.invoice()))
  expect(new Set(made.map(({ payAmount }) => payAmount)).size).toBe(50)
  const expected = Array.from({ length: 50 }, (_, index) => WALLET.addressAt(index))
  expect(made.map(({ address }) => address).toSorted()).toEqual(expected.toSorted())
  // Nobody adds addresses while others are free.
  expect(await world.query('select 1 from issuer_adapter.tron_address')).toHaveLength(60)
})

test('an address is given again when the quarantine has ended, not a moment before', async () => {
  const first = await world.invoice()
  expect(first.expiresAt.getTime()).toBe(world.clock.now().getTime() + HOUR)
  world.clock.advance(25 * HOUR - 1)
  expect((await world.invoice()).address).toBe(WALLET.addressAt(1))
  world.clock.advance(1)
  const again = await world.invoice()
  expect(again.address).toBe(first.address)
})

test('an exact amount is given again only after the quarantine, even on another address', async () => {
  // All tails but one are taken by open invoices of the same deposit.
  const deposit = microsOfCents(parseCents('100'))
  await world.query(
    `insert into issuer_adapter.tron_invoice (token, company_id, deposit, address, pay_amount, created_at, expires_at, free_at)
     select gen_random_uuid(), $1, $2::bigint, $3, $2::bigint + tail, $4::timestamptz, $4::timestamptz + interval '1 hour', $4::timestamptz + interval '25 hours'
     from generate_series(1, 9999) as tail where tail <> 4711`,
    [COMPANY, deposit, WALLET.addressAt(19), world.clock.now()],
  )
  expect((await world.invoice('100')).payAmount).toBe(deposit + 4_711n)
})

test('when every address is taken the request is refused and nothing is stored', async () => {
  await world.query(
    `insert into issuer_adapter.tron_address (index, address, created_at)
     select n, 'address ' || n, now() from generate_series(20, ${ADDRESSES_MAX - 1}) as n`,
  )
  await world.query(`update issuer_adapter.tron_address set free_at = 'infinity' where index <> 4999`)
  const token = randomUUID()
  expect(await create(token)).toMatchObject({ kind: 'created', address: 'address 4999' })
  expect(await create(randomUUID())).toEqual({ kind: 'no_address_free' })
  expect(await create(token)).toMatchObject({ kind: 'created', address: 'address 4999' })
})

test('a reused address keeps the payments of its former invoice apart, also when both are read at once', async () => {
  const former = await world.invoice()
  world.clock.advance(24 * HOUR)
  world.pay(former.address, '1')
  world.clock.advance(HOUR)
  const next = await world.invoice('100', OTHER_COMPANY)
  expect(next.address).toBe(former.address)
  world.clock.advance(60_000)
  world.pay(next.address, '2')
  await world.settle()
  expect(await world.payments()).toEqual([
    [former.token, '1.000000'],
    [next.token, '2.000000'],
  ])
})
