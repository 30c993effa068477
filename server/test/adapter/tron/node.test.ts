// The client of a node: what it sends, and what it makes of every kind of answer.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createNode } from '../../../src/adapter/tron/node.ts'
import { CONTRACT, TronWorld, WALLET, hexOf } from './world.ts'
import { must } from '../../../src/lib/invariant.ts'

const world = await TronWorld.start()
afterAll(() => world.stop())
const simulated = must(world.simulator.nodes[0])

test('the key is sent as TRON-PRO-API-KEY, and the name of the node shows neither key nor path', async () => {
  const node = await createNode({ url: `${simulated.url}/`, contract: CONTRACT, apiKey: 'secret-key' })
  expect(await node.readHead()).toMatchObject({ kind: 'read', value: { height: world.chain.head().height } })
  expect([...simulated.keys]).toEqual(['secret-key'])
  expect(node.name).toBe(new URL(simulated.url).host)
  await node.close()
})

test('a balance is that of the contract in the solid block', async () => {
  const address = WALLET.addressAt(4)
  world.pay(address, '12.5')
  world.pay(address, '99', { kind: 'fake_token' })
  expect(await must(world.nodes[0]).readBalance(hexOf(address))).toEqual({ kind: 'read', value: 12_500_000n })
})

test('the balance of a contract that is not there is not zero', async () => {
  const node = await createNode({ url: simulated.url, contract: 'ab'.repeat(20) })
  expect(await node.readBalance(hexOf(WALLET.addressAt(4)))).toMatchObject({ kind: 'unusable' })
  await node.close()
})

test('a future block is not an empty block', async () => {
  const height = world.chain.head().height + 1
  expect(await must(world.nodes[0]).readBlock(height)).toEqual({
    kind: 'unusable',
    reason: `the node does not have block ${height}`,
  })
})

test('an address where nothing listens does not answer', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const node = await createNode({ url: `http://127.0.0.1:${port}`, contract: CONTRACT })
  expect(await node.readHead()).toMatchObject({ kind: 'unanswered' })
  await node.close()
})

test.each([
  ['an answer that never ends', (send: (text: string) => boolean) => send('a'.repeat(1024 * 1024)), 'unanswered'],
  ['a redirect', undefined, 'unanswered'],
] as const)('%s is given up', async (_name, flood, kind) => {
  const server = createServer((_request, response) => {
    if (flood === undefined) return response.writeHead(302, { location: simulated.url }).end()
    response.writeHead(200)
    const more = () => {
      if (response.destroyed) return
      flood((text) => response.write(text, more))
    }
    return more()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const node = await createNode({ url, contract: CONTRACT, timeoutMs: 120_000 })
  expect(await node.readHead()).toMatchObject({ kind })
  await node.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
