// Decisions about transfers without an invoice: each is made once, and an assigned one is told to the server.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listReceived } from '../../../src/adapter/tron/queries.ts'
import {
  assignToInvoice,
  dismiss,
  listUnattributed,
  OPEN_TRANSFERS_MAX,
} from '../../../src/adapter/tron/unattributed.ts'
import { TronWorld, WALLET } from './world.ts'

const world = await TronWorld.start()
afterAll(() => world.stop())
const BY = { by: 'operator one', reason: 'the customer wrote to us' }
const assign = (paymentId: string, token: string) =>
  assignToInvoice({ transact: world.transactions.transact, addEvent: world.addEvent }, world.clock.now(), {
    paymentId,
    token,
    ...BY,
  })

let paymentId: string
beforeEach(async () => {
  await world.query('truncate outbox')
  paymentId = `${world.pay(WALLET.addressAt(18), '25')}:0`
  await world.settle()
})

test('an assigned transfer becomes a payment of that invoice, with the time of its block', async () => {
  const { token } = await world.invoice()
  const paidAt = new Date(world.chain.head().timeMs).toISOString()
  expect(await assign(paymentId, token)).toMatchObject({
    kind: 'decided',
    transfer: { state: 'assigned', decided_by: BY.by, reason: BY.reason, decided_at: world.clock.now() },
  })
  const [event] = await world.events()
  expect(event).toMatchObject({
    id: `tron:${paymentId}`,
    data: { token, paymentId, amount: '25.000000', paidAt },
  })
  expect(await listReceived(world.db, [token])).toEqual([{ token, received: '25000000' }])
  expect(await world.open()).not.toContainEqual([paymentId, 'no_invoice'])
})

test('a second decision is refused, whatever it is, and the first one stays', async () => {
  const { token } = await world.invoice()
  const other = await world.invoice()
  await assign(paymentId, token)
  expect(await assign(paymentId, other.token)).toEqual({ kind: 'not_open', state: 'assigned' })
  expect(await dismiss(world.db, world.clock.now(), { paymentId, ...BY })).toEqual({
    kind: 'not_open',
    state: 'assigned',
  })
  expect(await world.payments()).toEqual([[token, '25.000000']])
})

test('of two decisions at once only one counts', async () => {
  const invoices = [await world.invoice(), await world.invoice(), await world.invoice()]
  const decided = await Promise.all([
    ...invoices.map(({ token }) => assign(paymentId, token)),
    dismiss(world.db, world.clock.now(), { paymentId, ...BY }),
  ])
  expect(decided.filter(({ kind }) => kind === 'decided')).toHaveLength(1)
  expect((await world.payments()).length).toBeLessThanOrEqual(1)
})

test('a dismissed transfer is told to nobody and stays on record', async () => {
  expect(await dismiss(world.db, world.clock.now(), { paymentId, ...BY })).toMatchObject({
    kind: 'decided',
    transfer: { state: 'dismissed', token: null, reason: BY.reason },
  })
  expect(await world.payments()).toEqual([])
  const { token } = await world.invoice()
  expect(await assign(paymentId, token)).toEqual({ kind: 'not_open', state: 'dismissed' })
})

test('an unknown transfer or invoice is named as such, and a payment cannot be given to another invoice', async () => {
  const invoice = await world.invoice()
  const other = await world.invoice()
  expect(await assign(paymentId, randomUUID())).toEqual({ kind: 'unknown_invoice' })
  expect(await assign('nothing:0', invoice.token)).toEqual({ kind: 'unknown_transfer' })
  world.clock.set(new Date(world.chain.head().timeMs + 3_000).toISOString())
  const now = await world.invoice()
  const attributed = `${world.pay(now.address, '7')}:0`
  await world.settle()
  expect(await assign(attributed, other.token)).toEqual({ kind: 'not_open', state: 'attributed' })
})

test('an amount that the server cannot read can only be dismissed', async () => {
  const { token } = await world.invoice()
  world.clock.set(new Date(world.chain.head().timeMs + 3_000).toISOString())
  const { address } = await world.invoice()
  const large = `${world.pay(address, 2n ** 70n)}:0`
  await world.settle()
  expect(await assign(large, token)).toEqual({ kind: 'too_large' })
  expect(await dismiss(world.db, world.clock.now(), { paymentId: large, ...BY })).toMatchObject({ kind: 'decided' })
})

test('the list comes in pages, the oldest first, with nothing twice', async () => {
  for (let sent = 0; sent < 130; sent += 1) world.send(WALLET.addressAt(17), '1')
  world.chain.mine()
  await world.settle()
  const first = await listUnattributed(world.db)
  expect(first).toHaveLength(OPEN_TRANSFERS_MAX)
  const second = await listUnattributed(world.db, first.at(-1)?.payment_id)
  const all = [...first, ...second]
  expect(new Set(all.map((row) => row.payment_id)).size).toBe(all.length)
  expect(all.filter((row) => row.to_address === WALLET.addressAt(17))).toHaveLength(130)
  expect(all.map((row) => Number(row.height))).toEqual(all.map((row) => Number(row.height)).toSorted((a, b) => a - b))
})
