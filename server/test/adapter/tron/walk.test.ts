// The walk over solidified blocks: it leaves none out, whatever the node does, and says what it waits for.
import { afterEach, expect, test } from 'vitest'
import type { Behaviour } from '../../../src/adapter/simulators/tron/behaviour.ts'
import { createChain } from '../../../src/adapter/simulators/tron/chain.ts'
import { startNode } from '../../../src/adapter/simulators/tron/node-server.ts'
import { createWalk } from '../../../src/adapter/tron/walk.ts'
import { startLoop } from '../../../src/worker/loop.ts'
import { must } from '../../../src/lib/invariant.ts'
import { formatMicros } from '../../../src/tron/usdt.ts'
import { until } from '../../support/wait.ts'
import { CONTRACT, TronWorld } from './world.ts'

let world: TronWorld
afterEach(() => world.stop())
const node = () => must(world.simulator.nodes[0])
const callsOf = (name: string) => [...node().calls].filter(([call]) => call.startsWith(name))
const condition = () => world.walk.state().condition

/** An invoice that was paid in the newest block, between blocks without transactions. */
async function payBetweenEmptyBlocks() {
  const invoice = await world.invoice()
  world.chain.mine(2)
  world.pay(invoice.address, invoice.payAmount)
  const height = world.chain.head().height
  world.chain.mine(2)
  return { height, expected: [[invoice.token, formatMicros(invoice.payAmount)]] }
}

test('nothing counts before its block is solid', async () => {
  world = await TronWorld.start({ solidLag: 18 })
  const { token, address } = await world.invoice()
  world.pay(address, '100')
  world.chain.mine(17)
  await world.settle()
  expect(await world.payments()).toEqual([])
  world.chain.mine()
  await world.settle()
  expect(await world.payments()).toEqual([[token, '100.000000']])
})

test('while solidification is held, nothing happens, and nothing is lost', async () => {
  world = await TronWorld.start()
  const { token, address } = await world.invoice()
  world.chain.holdSolidification(true)
  world.pay(address, '100')
  await world.settle()
  expect(await world.payments()).toEqual([])
  world.chain.holdSolidification(false)
  await world.settle()
  expect(await world.payments()).toEqual([[token, '100.000000']])
})

test.each([
  ['[] as the infos of a block with transactions', (height: number) => ({ emptyInfos: [height] })],
  ['{} as a block that it has', (height: number) => ({ missingBlocks: [height] })],
] satisfies [string, (height: number) => Partial<Behaviour>][])(
  'an answer of %s stops the walk before that block until it is there',
  async (_name, fault) => {
    world = await TronWorld.start()
    const { height, expected } = await payBetweenEmptyBlocks()
    node().behave(fault(height))
    for (let tries = 0; tries < 6; tries += 1) await world.settle()
    expect(await world.cursor()).toBe(height - 1)
    expect(await world.payments()).toEqual([])
    expect(condition()).toMatchObject({ kind: 'waiting', for: 'unusable' })
    node().behave({ emptyInfos: [], missingBlocks: [] })
    await world.settle()
    expect(await world.payments()).toEqual(expected)
    expect(condition()).toEqual({ kind: 'at_head' })
  },
)

test('a node that falls behind our last block only delays', async () => {
  world = await TronWorld.start()
  world.chain.mine(30)
  await payBetweenEmptyBlocks()
  await world.settle()
  const reached = await world.cursor()
  node().behave({ behind: 3 })
  await world.settle()
  // Nodes behind one address differ by some blocks all the time.
  expect(condition()).toEqual({ kind: 'at_head' })
  node().behave({ behind: 21 })
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'waiting', for: 'behind' })
  expect(world.walk.state().message).toContain(`our last block ${reached}`)
  expect(await world.cursor()).toBe(reached)
  node().behave({ behind: 0 })
  const { expected } = await payBetweenEmptyBlocks()
  await world.settle()
  expect((await world.payments()).slice(1)).toEqual(expected)
})

test('after a change to a node that is behind, the walk waits for it and repeats nothing', async () => {
  world = await TronWorld.start()
  world.chain.mine(30)
  await payBetweenEmptyBlocks()
  await world.settle()
  const events = await world.events()
  const other = await startNode(world.chain, { host: '127.0.0.1', port: 0 })
  other.behave({ behind: 25 })
  await world.connect([other.url])
  await world.setUp()
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'waiting', for: 'behind' })
  world.chain.mine(30)
  await world.settle()
  expect(await world.cursor()).toBe(world.chain.head().height - 25)
  expect(await world.events()).toEqual(events)
  await other.close()
})

test('a block that does not follow the stored one stops the walk with an alert', async () => {
  world = await TronWorld.start()
  await world.settle()
  const reached = await world.cursor()
  const { expected } = await payBetweenEmptyBlocks()
  node().behave({ forkFrom: reached })
  await world.settle()
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'stopped', why: 'parent_mismatch' })
  expect(await world.cursor()).toBe(reached)
  expect(await world.payments()).toEqual([])
  expect(world.logged.filter(({ alert }) => alert === 'parent_mismatch')).toHaveLength(1)
  node().behave({ forkFrom: null })
  await world.settle()
  expect(await world.payments()).toEqual(expected)
})

test('another block at the height of the stored one is noticed before a new block comes', async () => {
  world = await TronWorld.start()
  await world.settle()
  node().behave({ forkFrom: await world.cursor() })
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'stopped', why: 'parent_mismatch' })
})

test('a node of another network is refused', async () => {
  world = await TronWorld.start()
  const other = createChain({ clock: world.clock, token: CONTRACT, solidLag: 0, name: 'another network' })
  other.mine(50)
  const wrong = await startNode(other, { host: '127.0.0.1', port: 0 })
  await world.connect([wrong.url])
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'stopped', why: 'wrong_network' })
  await wrong.close()
})

test.each(['403', '429', '503', 'busy'] as const)(
  'a node that throttles with %s for 30 s is left alone ever longer, and then goes on',
  async (mode) => {
    world = await TronWorld.start()
    await world.settle()
    const { expected } = await payBetweenEmptyBlocks()
    const since = world.clock.now()
    node().behave({ mode })
    let asked = 0
    for (let second = 0; second < 30; second += 1) {
      const before = node().behaviour()
      node().behave({ mode, times: 1 })
      await world.walk.job.run()
      if (node().behaviour().mode === 'normal') asked += 1
      node().behave({ mode: before.mode, times: null })
      world.clock.advance(1_000)
    }
    // After 0, 1, 3, 7 and 15 s; not thirty times.
    expect(asked).toBe(5)
    expect(condition()).toMatchObject({ kind: 'waiting', for: 'throttled' })
    expect(must(world.walk.state().nodes[0]).throttledSince).toEqual(since)
    expect(await world.payments()).toEqual([])
    node().behave({ mode: 'normal' })
    world.clock.advance(30_000)
    await world.settle()
    expect(await world.payments()).toEqual(expected)
    expect(must(world.walk.state().nodes[0]).throttledSince).toBeUndefined()
  },
)

test.each([
  ['cut', 'unanswered'],
  ['500', 'unanswered'],
  ['garbage', 'unusable'],
] as const)('a node whose answers are %s is waited for', async (mode, reason) => {
  world = await TronWorld.start()
  const { expected } = await payBetweenEmptyBlocks()
  node().behave({ mode })
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'waiting', for: reason })
  expect(world.walk.state().nodes[0]?.lastError?.at).toEqual(world.clock.now())
  node().behave({ mode: 'normal' })
  await world.settle()
  expect(await world.payments()).toEqual(expected)
})

test('a call that is never answered ends at its deadline', async () => {
  world = await TronWorld.start()
  const { expected } = await payBetweenEmptyBlocks()
  node().behave({ mode: 'hang' })
  await world.connect(undefined, 50)
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'waiting', for: 'unanswered', reason: 'it did not answer in time' })
  node().behave({ mode: 'normal' })
  await world.connect()
  await world.settle()
  expect(await world.payments()).toEqual(expected)
})

test('throttling in the middle of a catch-up keeps what was read before it', async () => {
  world = await TronWorld.start()
  const { address, token } = await world.invoice()
  for (let paid = 0; paid < 40; paid += 1) world.pay(address, '1')
  node().behave({ mode: 'normal' })
  for (let round = 0; round < 400 && (await world.cursor()) < world.chain.head().height; round += 1) {
    // Every few calls one is refused.
    const before = await world.cursor()
    const step = world.walk.step()
    await until('some calls were made', () => [...node().calls.values()].reduce((sum, count) => sum + count, 0) > round)
    node().behave({ mode: '429', times: 1 })
    await step
    world.clock.advance(60_000)
    expect(await world.cursor()).toBeGreaterThanOrEqual(before)
  }
  node().behave({ mode: 'normal', times: null })
  world.clock.advance(60_000)
  await world.settle()
  const payments = await world.payments()
  expect(payments).toEqual(Array.from({ length: 40 }, () => [token, '1.000000']))
})

test('after a long time offline every block is read once, stored in order, and no payment is missed', async () => {
  world = await TronWorld.start()
  await world.settle()
  const first = await world.cursor()
  const { address, token } = await world.invoice()
  const amounts = ['1', '2', '3', '4', '5', '6', '7']
  for (const amount of amounts) {
    world.pay(address, amount)
    world.chain.mine(149)
  }
  await world.connect()
  await world.setUp()
  const known = new Map(node().calls)
  await world.settle()
  expect(await world.payments()).toEqual(amounts.map((amount) => [token, `${amount}.000000`]))
  expect(await world.cursor()).toBe(first + 1_050)
  // Two calls for each block, and one for the head for each hundred blocks.
  const heights = Array.from({ length: 1_050 }, (_, step) => first + 1 + step)
  const readsOf = (call: string) => (node().calls.get(call) ?? 0) - (known.get(call) ?? 0)
  expect(heights.every((height) => readsOf(`getblockbynum ${height}`) === 1)).toBe(true)
  expect(heights.every((height) => readsOf(`gettransactioninfobyblocknum ${height}`) === 1)).toBe(true)
  expect(readsOf('getnowblock')).toBe(11)
  expect(callsOf('getblockbynum')).toHaveLength(1_050 + 2)
})

test('progress is visible', async () => {
  world = await TronWorld.start()
  world.chain.mine(250)
  await world.walk.step()
  world.clock.advance(2_000)
  await world.walk.step()
  expect(world.walk.state()).toMatchObject({
    condition: { kind: 'catching_up' },
    cursor: { height: 203 },
    solidHead: 253,
    lag: 50,
    blocksPerSecond: 50,
    agreement: 'one_node',
  })
  await world.settle()
  expect(world.walk.state()).toMatchObject({ condition: { kind: 'at_head' }, lag: 0 })
})

test('if an event cannot be stored, nothing of its block is, and the next try stores it once', async () => {
  world = await TronWorld.start()
  const { height, expected } = await payBetweenEmptyBlocks()
  const { db, clock, log, nodes, transactions } = world
  let failures = 0
  const walk = createWalk({
    db,
    transact: transactions.transact,
    nodes,
    clock,
    log,
    addEvent: async (tx, event) => {
      await world.addEvent(tx, event)
      failures += 1
      throw new Error('the process dies here')
    },
  })
  await expect(walk.step()).rejects.toThrow('the process dies here')
  expect(failures).toBe(1)
  expect(await world.events()).toEqual([])
  expect(await world.cursor()).toBeLessThan(height)
  expect(await world.query('select 1 from issuer_adapter.tron_transfer')).toEqual([])
  await world.settle()
  expect(await world.payments()).toEqual(expected)
})

test('two processes that walk at once store each transfer once', async () => {
  world = await TronWorld.start()
  const { address } = await world.invoice()
  for (let paid = 0; paid < 150; paid += 1) world.pay(address, '1')
  const { db, clock, log, nodes, transactions, addEvent } = world
  const other = createWalk({ db, transact: transactions.transact, nodes, clock, log, addEvent })
  const settleOther = async () => {
    while (await other.step());
  }
  await Promise.all([world.settle(), settleOther()])
  await world.settle()
  expect(await world.payments()).toHaveLength(150)
  expect(await world.cursor()).toBe(world.chain.head().height)
})

test('the job walks by itself, and asks for the head at most every six seconds', async () => {
  world = await TronWorld.start()
  const { expected } = await payBetweenEmptyBlocks()
  const loop = startLoop({ ...world.walk.job, intervalMs: 1 }, world.log)
  await until('the payment is there', async () => (await world.payments()).length === 1)
  await until('it is at the head', () => condition().kind === 'at_head')
  const asked = node().calls.get('getnowblock')
  expect(await world.walk.job.run()).toBe(false)
  expect(node().calls.get('getnowblock')).toBe(asked)
  world.clock.advance(6_000)
  await until('the head was read again', () => node().calls.get('getnowblock') === must(asked) + 1)
  await loop.stop()
  expect(await world.payments()).toEqual(expected)
})
