// The simulated node has the shapes of a real one, refuses what a real one would ignore, and can be controlled over HTTP. TRON_ANSWERS may
// name a file with answers of a real node, each as `{what, answer}`; they are then compared with the same shapes.
import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { parseBlock, parseInfos } from '../../../src/adapter/tron/answers.ts'
import { transfersIn } from '../../../src/adapter/tron/block.ts'
import { must } from '../../../src/lib/invariant.ts'
import { createChain } from '../../../src/adapter/simulators/tron/chain.ts'
import { CONTRACT, TronWorld, WALLET } from './world.ts'

const world = await TronWorld.start()
afterAll(() => world.stop())
const node = must(world.simulator.nodes[0])
const { TRON_ANSWERS: file } = process.env
const recorded = (file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'))) as Record<
  string,
  { answer: unknown }
>

async function call(path: string, body: unknown, method = 'POST') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${node.url}/walletsolidity/${path}`, {
    method,
    ...(method === 'GET' ? {} : { body: text }),
  })
  const parsed: unknown = await answer.json()
  return { status: answer.status, body: parsed }
}

async function control(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${world.simulator.controlUrl}/control/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** The names and types of all fields. All elements of a list must have one shape. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    const shapes = [...new Set(value.map((element) => JSON.stringify(shapeOf(element))))]
    return shapes.map((shape) => JSON.parse(shape) as unknown)
  }
  if (typeof value !== 'object' || value === null) return typeof value
  const entries = Object.entries(value).map(([name, field]) => [name, shapeOf(field)] as const)
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const LOG = { address: 'string', data: 'string', topics: ['string'] }
const RECEIPT = { energy_fee: 'number', energy_usage_total: 'number', net_fee: 'number', result: 'string' }
const INFO = {
  blockNumber: 'number',
  blockTimeStamp: 'number',
  contractResult: ['string'],
  contract_address: 'string',
  fee: 'number',
  id: 'string',
  log: [LOG],
  receipt: RECEIPT,
}
const { log: _log, ...WITHOUT_LOG } = INFO
const FAILED = { ...WITHOUT_LOG, resMessage: 'string', result: 'string' }
const HEADER = {
  raw_data: {
    number: 'number',
    parentHash: 'string',
    timestamp: 'number',
    txTrieRoot: 'string',
    version: 'number',
    witness_address: 'string',
  },
  witness_signature: 'string',
}
const TRANSACTION = {
  raw_data: {
    contract: [
      {
        parameter: {
          type_url: 'string',
          value: { contract_address: 'string', data: 'string', owner_address: 'string' },
        },
        type: 'string',
      },
    ],
    expiration: 'number',
    fee_limit: 'number',
    ref_block_bytes: 'string',
    ref_block_hash: 'string',
    timestamp: 'number',
  },
  raw_data_hex: 'string',
  ret: [{ contractRet: 'string' }],
  signature: ['string'],
  txID: 'string',
}

/** By the names in the file of recorded answers. */
const SHAPES: Record<string, unknown> = {
  info: INFO,
  fake: INFO,
  zero: INFO,
  fee: INFO,
  multi: FAILED,
  revert: FAILED,
  byBlockSolid: [INFO],
  byBlockSolidEarly: [],
  future: [],
  empty: [],
  genesis: {},
  futureBlock: {},
  blockSolid: { blockID: 'string', block_header: HEADER, transactions: [TRANSACTION] },
  emptyBlock: { blockID: 'string', block_header: HEADER },
}

test('every answer has the shape of the answer of a real node', async () => {
  const kinds = {
    info: 'transfer',
    fake: 'fake_token',
    zero: 'zero',
    fee: 'with_fee',
    multi: 'out_of_time',
    revert: 'reverted',
  } as const
  for (const [name, kind] of Object.entries(kinds) as [keyof typeof kinds, (typeof kinds)['info']][]) {
    world.pay(WALLET.addressAt(0), '100', { kind })
    const { body } = await call('gettransactioninfobyblocknum', { num: world.chain.head().height })
    expect([name, shapeOf(body)]).toEqual([name, [SHAPES[name]]])
  }
  world.pay(WALLET.addressAt(0), '100')
  const num = world.chain.head().height
  const shapes = {
    blockSolid: await call('getblockbynum', { num }),
    byBlockSolid: await call('gettransactioninfobyblocknum', { num }),
    emptyBlock: await call('getblockbynum', { num: 2 }),
    empty: await call('gettransactioninfobyblocknum', { num: 2 }),
    future: await call('gettransactioninfobyblocknum', { num: num + 1 }),
    futureBlock: await call('getblockbynum', { num: num + 1 }),
    genesis: await call('gettransactioninfobyblocknum', { num: 0 }),
  }
  for (const [name, { body }] of Object.entries(shapes)) expect([name, shapeOf(body)]).toEqual([name, SHAPES[name]])
  for (const [name, { answer }] of Object.entries(recorded)) {
    if (name in SHAPES) expect([name, shapeOf(answer)]).toEqual([name, SHAPES[name]])
  }
})

test('simulated and recorded answers are understood as what they are', async () => {
  const amounts = {
    info: ['transfer', '100.004711', [100_004_711n]],
    fake: ['fake_token', '100', []],
    zero: ['zero', '100', [0n]],
    fee: ['with_fee', '100', [1_000_000n, 99_000_000n]],
    multi: ['out_of_time', '100', []],
    revert: ['reverted', '100', []],
  } as const
  const recordedToken = String(recorded['token']?.answer).slice(2)
  for (const [name, [kind, amount, expected]] of Object.entries(amounts)) {
    world.pay(WALLET.addressAt(0), amount, { kind })
    const { body } = await call('gettransactioninfobyblocknum', { num: world.chain.head().height })
    const read = (infos: unknown, token: string) =>
      parseInfos(infos).flatMap((info) => transfersIn(info, token).map((transfer) => transfer.amount))
    expect([name, read(body, CONTRACT)]).toEqual([name, expected])
    if (name in recorded) expect([name, read([recorded[name]?.answer], recordedToken)]).toEqual([name, expected])
  }
  const num = world.chain.head().height
  const simulated = [await call('getblockbynum', { num }), await call('gettransactioninfobyblocknum', { num })] as const
  const pairs = [[num, simulated[0].body, simulated[1].body]]
  if ('blockSolid' in recorded) pairs.push([20, recorded['blockSolid']?.answer, recorded['byBlockSolid']?.answer])
  for (const [height, block, infos] of pairs) {
    const ids = parseInfos(infos).map(({ id }) => id)
    expect(ids).toHaveLength(1)
    expect(parseBlock(block)).toMatchObject({ height, transactionIds: ids })
  }
})

test.each([
  ['getnowblock', { visible: true }, 400],
  ['getnowblock', '', 400],
  ['getblockbynum', {}, 400],
  ['getblockbynum', { num: '2' }, 400],
  ['getblockbynum', { num: -1 }, 400],
  ['getblockbynum', { num: 2, visible: true }, 400],
  ['gettransactioninfobyblocknum', { num: 1.5 }, 400],
  ['triggerconstantcontract', { contract_address: `41${CONTRACT}` }, 400],
  ['gettransactioninfobyid', { value: 'ab' }, 404],
])('%s with the body %j is refused', async (path, body, status) => {
  expect((await call(path, body)).status).toBe(status)
})

test('only POST is answered', async () => {
  expect((await call('getnowblock', undefined, 'GET')).status).toBe(405)
})

test('the same calls make the same chain', () => {
  const chains = [1, 2].map(() => {
    const chain = createChain({ clock: world.clock, token: CONTRACT })
    chain.send({ kind: 'transfer', from: '11'.repeat(20), to: '22'.repeat(20), amount: 5n })
    return chain.mine(5).id
  })
  expect(chains[0]).toBe(chains[1])
})

test('it is controlled over HTTP: money, blocks, solidification and misbehaviour', async () => {
  // The blocks of the tests above are ahead of the clock.
  world.clock.set(new Date(world.chain.head().timeMs).toISOString())
  const { address, token } = await world.invoice()
  await control('POST', 'transactions', { to: address, amount: '12.5', times: 2 })
  await control('PUT', 'solidification', { held: true })
  const mined = await control('POST', 'blocks', { count: 3 })
  expect(mined.body).toMatchObject({ height: world.chain.head().height, solidHeight: world.chain.head().height - 3 })
  await world.settle()
  expect(await world.payments()).toEqual([])
  await control('PUT', 'solidification', { held: false })
  const set = await control('PUT', 'nodes/0/behaviour', { mode: '429', times: 1 })
  expect(set.body).toMatchObject({ mode: '429', times: 1, behind: 0 })
  await world.settle()
  expect(world.walk.state().condition).toMatchObject({ kind: 'waiting', for: 'throttled' })
  world.clock.advance(1_000)
  await world.settle()
  expect(await world.payments()).toEqual([
    [token, '12.500000'],
    [token, '12.500000'],
  ])
  const { body } = await control('GET', 'state')
  expect(body).toMatchObject({ genesisId: world.chain.genesisId, nodes: [{ url: node.url }] })
})

test.each([
  ['POST', 'transactions', { to: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T', amount: '1' }, 400],
  ['POST', 'transactions', { to: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', amount: '1', kind: 'other' }, 400],
  ['POST', 'blocks', { count: 0 }, 400],
  ['PUT', 'nodes/7/behaviour', { behind: 1 }, 404],
  ['PUT', 'nodes/0/behaviour', { unknown: 1 }, 400],
])('the control refuses %s %s %j with %i', async (method, path, body, status) => {
  expect((await control(method, path, body)).status).toBe(status)
})
