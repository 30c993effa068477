// The first start and later ones: where the walk begins, and settings that may not change.
import { HDKey } from '@scure/bip32'
import { afterEach, expect, test } from 'vitest'
import { startNode } from '../../../src/adapter/simulators/tron/node-server.ts'
import { createChain } from '../../../src/adapter/simulators/tron/chain.ts'
import { NILE } from '../../../src/adapter/tron/networks.ts'
import { createNode } from '../../../src/adapter/tron/node.ts'
import { findChain, insertChain } from '../../../src/adapter/tron/queries.ts'
import { setUpTron } from '../../../src/adapter/tron/set-up.ts'
import { parseXpub } from '../../../src/adapter/tron/xpub.ts'
import { must } from '../../../src/lib/invariant.ts'
import { CONTRACT, TronWorld, WALLET } from './world.ts'

let world: TronWorld
afterEach(() => world.stop())

const options = () => {
  const { db, clock, nodes, network } = world
  return { db, clock, nodes, network, wallet: WALLET }
}
const forget = () => world.query('delete from issuer_adapter.tron_chain')

test('the walk begins at the solid head of the first start, and a later start changes nothing', async () => {
  world = await TronWorld.start()
  const height = await world.cursor()
  expect(height).toBe(world.chain.head().height)
  world.chain.mine(500)
  const again = await world.setUp()
  expect(again).toEqual({ addresses: [WALLET.addressAt(0), WALLET.addressAt(1)], isFirst: false, height })
})

test('a later start needs no node', async () => {
  world = await TronWorld.start()
  must(world.simulator.nodes[0]).behave({ mode: '500' })
  expect(await world.setUp()).toMatchObject({ isFirst: false })
})

test('a first start without an answer says which node is missing', async () => {
  world = await TronWorld.start()
  await forget()
  must(world.simulator.nodes[0]).behave({ mode: '500' })
  await expect(world.setUp()).rejects.toThrow(/node 127\.0\.0\.1:\d+ could not be read: it answered 500/)
  expect(await world.query('select 1 from issuer_adapter.tron_chain')).toEqual([])
})

test('with two nodes it begins at the lower head, if both have that block', async () => {
  world = await TronWorld.start({ nodes: 2 })
  await forget()
  world.chain.mine(10)
  const [, second] = world.simulator.nodes
  must(second).behave({ behind: 4 })
  expect(await world.setUp()).toMatchObject({ isFirst: true, height: world.chain.head().height - 4 })
  await forget()
  must(second).behave({ behind: 0, forkFrom: 2 })
  await expect(world.setUp()).rejects.toThrow('different blocks')
})

test('a node of another network is refused at the first start', async () => {
  world = await TronWorld.start()
  await forget()
  const other = createChain({ clock: world.clock, token: CONTRACT, solidLag: 0, name: 'another network' })
  const wrong = await startNode(other, { host: '127.0.0.1', port: 0 })
  const node = await createNode({ url: wrong.url, contract: CONTRACT })
  await expect(setUpTron({ ...options(), nodes: [node] })).rejects.toThrow('another network')
  await node.close()
  await wrong.close()
})

test('another xpub, network or contract than at the first start is refused', async () => {
  world = await TronWorld.start()
  const wallet = parseXpub(HDKey.fromMasterSeed(Buffer.alloc(32, 6)).derive("m/44'/195'/0'").publicExtendedKey)
  await expect(setUpTron({ ...options(), wallet })).rejects.toThrow(`first address was ${WALLET.addressAt(0)}`)
  const network = { ...world.network, contract: NILE.contract }
  await expect(setUpTron({ ...options(), network })).rejects.toThrow('Use a new database')
  await expect(setUpTron({ ...options(), network: NILE })).rejects.toThrow('Use a new database')
})

test('no node, three nodes and a contract that is no address are refused', async () => {
  world = await TronWorld.start()
  const node = must(world.nodes[0])
  await expect(setUpTron({ ...options(), nodes: [] })).rejects.toThrow('one or two')
  await expect(setUpTron({ ...options(), nodes: [node, node, node] })).rejects.toThrow('one or two')
  const network = { ...world.network, contract: 'T1' }
  await expect(setUpTron({ ...options(), network })).rejects.toThrow('not a TRON address')
})

test('the start that was stored first stays, even if another process saw a later head', async () => {
  world = await TronWorld.start()
  const stored = must(await findChain(world.db))
  await insertChain(world.db, { ...stored, height: stored.height + 100n, created_at: world.clock.now() })
  expect(await findChain(world.db)).toEqual(stored)
})

test('two first starts at once begin at one place', async () => {
  world = await TronWorld.start()
  await forget()
  const results = await Promise.all([world.setUp(), world.setUp(), world.setUp()])
  expect(new Set(results.map(({ height }) => height)).size).toBe(1)
})
