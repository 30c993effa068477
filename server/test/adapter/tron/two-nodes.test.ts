// Two nodes: what both say is stored, what they differ about is not, and one that is away or behind is waited for.
import { afterEach, expect, test } from 'vitest'
import { createChain } from '../../../src/adapter/simulators/tron/chain.ts'
import { startNode } from '../../../src/adapter/simulators/tron/node-server.ts'
import { must } from '../../../src/lib/invariant.ts'
import { formatMicros } from '../../../src/tron/usdt.ts'
import { CONTRACT, TronWorld } from './world.ts'

let world: TronWorld
afterEach(() => world.stop())
const first = () => must(world.simulator.nodes[0])
const second = () => must(world.simulator.nodes[1])
const condition = () => world.walk.state().condition

async function payOne() {
  const invoice = await world.invoice()
  const id = world.pay(invoice.address, invoice.payAmount)
  const height = world.chain.head().height
  world.chain.mine(2)
  return { id, height, expected: [[invoice.token, formatMicros(invoice.payAmount)]] }
}

test('both are asked, and what both say is credited once', async () => {
  world = await TronWorld.start({ nodes: 2 })
  const { height, expected } = await payOne()
  await world.settle()
  expect(await world.payments()).toEqual(expected)
  for (const node of [first(), second()]) expect(node.calls.get(`gettransactioninfobyblocknum ${height}`)).toBe(1)
  expect(world.walk.state()).toMatchObject({ agreement: 'agree', condition: { kind: 'at_head' } })
})

test.each([0, 1])('if node %i hides a transfer, crediting stops before that block with an alert', async (liar) => {
  world = await TronWorld.start({ nodes: 2 })
  const { id, height, expected } = await payOne()
  must(world.simulator.nodes[liar]).behave({ hidden: [id] })
  await world.settle()
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'stopped', why: 'nodes_disagree' })
  expect(world.walk.state().message).toContain(`transfers in block ${height}`)
  expect(world.walk.state().agreement).toBe('disagree')
  expect(await world.cursor()).toBe(height - 1)
  expect(world.logged.filter(({ alert }) => alert === 'nodes_disagree')).toHaveLength(1)
  must(world.simulator.nodes[liar]).behave({ hidden: [] })
  await world.settle()
  expect(await world.payments()).toEqual(expected)
  expect(world.walk.state().agreement).toBe('agree')
})

test('if one of them is on another chain, crediting stops', async () => {
  world = await TronWorld.start({ nodes: 2 })
  await world.settle()
  const { height } = await payOne()
  second().behave({ forkFrom: height })
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'stopped', why: 'nodes_disagree' })
  expect(world.walk.state().message).toContain(`different blocks at height ${height}`)
  expect(await world.payments()).toEqual([])
})

test('one that does not answer is waited for, and the state names it', async () => {
  world = await TronWorld.start({ nodes: 2 })
  const { expected } = await payOne()
  second().behave({ mode: '500' })
  await world.settle()
  const name = new URL(second().url).host
  expect(condition()).toMatchObject({ kind: 'waiting', for: 'unanswered', node: name })
  expect(world.walk.state().message).toContain(`Crediting waits for the node ${name}: it does not answer`)
  expect(await world.payments()).toEqual([])
  second().behave({ mode: 'normal' })
  await world.settle()
  expect(await world.payments()).toEqual(expected)
})

test('one that is behind is waited for; what both have is credited', async () => {
  world = await TronWorld.start({ nodes: 2 })
  const one = await payOne()
  world.chain.mine(20)
  const two = await payOne()
  second().behave({ behind: world.chain.head().height - one.height })
  await world.settle()
  expect(await world.payments()).toEqual(one.expected)
  expect(await world.cursor()).toBe(one.height)
  expect(condition()).toMatchObject({ kind: 'waiting', for: 'behind', node: new URL(second().url).host })
  expect(world.walk.state()).toMatchObject({ solidHead: world.chain.head().height, lag: 25 })
  second().behave({ behind: 0 })
  await world.settle()
  expect(await world.payments()).toEqual([...one.expected, ...two.expected])
})

test('one that throttles is waited for, and the other is not asked for blocks meanwhile', async () => {
  world = await TronWorld.start({ nodes: 2 })
  const { height, expected } = await payOne()
  first().behave({ mode: '403' })
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'waiting', for: 'throttled', node: new URL(first().url).host })
  expect(second().calls.get(`getblockbynum ${height}`)).toBeUndefined()
  first().behave({ mode: 'normal' })
  world.clock.advance(1_000)
  await world.settle()
  expect(await world.payments()).toEqual(expected)
})

test('one that belongs to another network is named, even while the other does not answer', async () => {
  world = await TronWorld.start({ nodes: 2 })
  const other = createChain({ clock: world.clock, token: CONTRACT, solidLag: 0, name: 'another network' })
  const wrong = await startNode(other, { host: '127.0.0.1', port: 0 })
  await world.connect([first().url, wrong.url])
  first().behave({ mode: '500' })
  await world.settle()
  expect(condition()).toMatchObject({ kind: 'stopped', why: 'wrong_network' })
  expect(world.walk.state().message).toContain(new URL(wrong.url).host)
  await wrong.close()
})
