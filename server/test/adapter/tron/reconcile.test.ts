// The books against the chain: what came in less what went out is what the contract says, and differences are found.
import { afterEach, expect, test } from 'vitest'
import { updateOpening } from '../../../src/adapter/tron/queries.ts'
import { reconcile } from '../../../src/adapter/tron/reconcile.ts'
import { must } from '../../../src/lib/invariant.ts'
import { TronWorld, WALLET } from './world.ts'

let world: TronWorld
afterEach(() => world.stop())
const STRANGER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const run = (catchUp = world.settle) => reconcile({ db: world.db, node: must(world.nodes[0]), catchUp })

test('payments, dust, fees, transfers without an invoice, and money that was moved away add up', async () => {
  world = await TronWorld.start()
  const { address } = await world.invoice()
  world.pay(address, '100.5')
  world.pay(address, '100', { kind: 'with_fee' })
  world.pay(address, '3', { kind: 'twice' })
  world.pay(address, '0.004')
  world.pay(address, '9', { kind: 'fake_token' })
  world.pay(WALLET.addressAt(7), '50')
  world.pay(STRANGER, '20.25', { from: WALLET.addressAt(7) })
  world.pay(STRANGER, '0.001', { from: WALLET.addressAt(7) })
  world.pay(address, '10', { from: WALLET.addressAt(7) })
  const result = await run()
  const height = world.chain.head().height
  expect(result).toEqual({ compared: 20, differences: [], heights: { from: height, until: height }, unread: undefined })
})

test('money that our only node hid is found by the balance', async () => {
  world = await TronWorld.start()
  const { address } = await world.invoice()
  const id = world.pay(address, '100')
  must(world.simulator.nodes[0]).behave({ hidden: [id] })
  const result = await run()
  expect(result.differences).toEqual([{ index: 0, address, balance: 100_000_000n, books: 0n }])
})

test('what an address had before it was watched is a difference until a person states it, once', async () => {
  const used = WALLET.addressAt(3)
  world = await TronWorld.start({ before: (early) => void early.pay(used, '12') })
  expect((await run()).differences).toEqual([{ index: 3, address: used, balance: 12_000_000n, books: 0n }])
  const opening = {
    address: used,
    amount: 12_000_000n,
    by: 'operator one',
    at: world.clock.now(),
    reason: 'an old test',
  }
  expect(await updateOpening(world.db, opening)).toEqual({ address: used })
  expect(await updateOpening(world.db, opening)).toBeUndefined()
  expect((await run()).differences).toEqual([])
})

test('balances that were read while a block came are read again', async () => {
  world = await TronWorld.start()
  const { address } = await world.invoice()
  const node = must(world.nodes[0])
  let moved = 0
  const moving = {
    ...node,
    // A payment comes between the first look at the head and the balances.
    readBalance: (account: string) => {
      if (moved === 0) {
        moved += 1
        world.pay(address, '5')
      }
      return node.readBalance(account)
    },
  }
  const result = await reconcile({ db: world.db, node: moving, catchUp: world.settle })
  expect(moved).toBe(1)
  expect(result).toMatchObject({ compared: 20, differences: [], unread: undefined })
  expect(result.heights?.from).toBe(world.chain.head().height)
})

test('what cannot be compared is said, not taken for right', async () => {
  world = await TronWorld.start()
  world.chain.mine(2)
  const behind = await run(async () => undefined)
  expect(behind).toMatchObject({
    compared: 0,
    unread: { index: 0, reason: 'the walk is at block 3 and the node at 5' },
  })
  must(world.simulator.nodes[0]).behave({ mode: '500' })
  expect(await run(async () => undefined)).toMatchObject({ compared: 0, unread: { reason: 'it answered 500' } })
})
