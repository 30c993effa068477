// An operation that was answered with 2xx survives `kill -9` of the server, both while it accepts and while it carries out
// operations. No operation is lost or doubled, and what a dead server may have sent is looked up.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Answer,
  ask,
  type Credentials,
  readCredentials,
  type ServerProcess,
  startServer,
  until,
} from './server.ts'

const COUNT = 400
/** A busy machine takes five times as long; slowness is not failure. */
const SLOW_MACHINE_MS = 300_000
const CONNECTIONS = 32
/** The server is killed after this many posts, while it accepts and carries out operations. */
const KILL_AFTER = [100]
/**
 * An operation of a killed server is looked up after one and a half of this. A third of it is longer than a claim takes even
 * on a busy machine: a claimer that takes longer sends nothing, and its operations fail although nobody was killed.
 */
const ISSUER_TIMEOUT_MS = 6_000
const FUNDS = '20000.00'
const PRICE_CENTS = 1302n

interface Operation {
  id: string
  status: string
  result: { cardId?: string }
  failure?: { code: string }
}

const folder = mkdtempSync(join(tmpdir(), 'cardstock chaos '))
const environ = {
  DATA_DIR: join(folder, 'data'),
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  ISSUER_TIMEOUT_MS: String(ISSUER_TIMEOUT_MS),
}
let server: ServerProcess
let credentials: Credentials
let holderId: string

function company<Body>(
  method: string,
  path: string,
  more: { body?: unknown; key?: string } = {},
): Promise<Answer<Body> | undefined> {
  return ask<Body>(server, method, `/api/v1${path}`, { token: credentials.demo.sandboxKey, ...more })
}

beforeAll(async () => {
  server = await startServer(environ)
  credentials = readCredentials(environ.DATA_DIR)
  const holders = await company<{ data: { id: string }[] }>('GET', '/holders')
  holderId = holders?.body.data[0]?.id ?? ''
  await company('POST', '/sandbox/funding', { body: { amount: FUNDS }, key: 'funds' })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Posts every operation that has no answer yet; stops asking once the server is gone. */
async function postUnanswered(answers: Map<number, string>, killAfter: number): Promise<void> {
  const waiting = Array.from({ length: COUNT }, (_, index) => index).filter((index) => !answers.has(index))
  let answered = 0
  let killed: Promise<void> | undefined
  const post = async () => {
    for (let index = waiting.shift(); index !== undefined && killed === undefined; index = waiting.shift()) {
      const body = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '10.00', name: `card ${index}` }
      const answer = await company<Operation>('POST', '/operations', { body, key: `chaos-${index}` })
      if (answer === undefined) continue
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      answers.set(index, answer.body.id)
      answered += 1
      if (answered === killAfter) killed = server.kill()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, post))
  await killed
}

async function listAll<Item>(path: string, filter = ''): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { body: { data: Item[]; nextCursor: string | null } } | undefined = await company(
      'GET',
      `${path}?limit=100${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    )
    if (page === undefined) throw new Error('no answer')
    items.push(...page.body.data)
    cursor = page.body.nextCursor
  }
  return items
}

async function count(status: string): Promise<number> {
  const page = await company<{ data: unknown[] }>('GET', `/operations?status=${status}&limit=100`)
  return page?.body.data.length ?? -1
}

it(
  'hundreds of operations that are posted to servers that are killed are carried out once each, and none needs a review',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    const answers = new Map<number, string>()
    // What each killed server was carrying out, counted by a server that carries nothing out.
    let underWay = 0
    for (const killAfter of KILL_AFTER) {
      await postUnanswered(answers, killAfter)
      expect(answers.size).toBeLessThan(COUNT)
      server = await startServer(environ, ['--role', 'api'])
      underWay += (await listAll('/operations', '&status=processing')).length
      await server.kill()
      server = await startServer(environ)
    }
    await server.kill()
    server = await startServer(environ, ['--role', 'api'])
    // This server accepts operations without carrying them out, so that the next one starts with all of them and is killed meanwhile.
    await postUnanswered(answers, Number.POSITIVE_INFINITY)
    expect(answers.size).toBe(COUNT)
    underWay += (await listAll('/operations', '&status=processing')).length
    await server.kill()
    server = await startServer(environ)
    await until('it is at work', async () => (await count('completed')) > 0)
    await server.kill()
    server = await startServer(environ, ['--role', 'api'])
    underWay += (await listAll('/operations', '&status=processing')).length
    await server.kill()
    server = await startServer(environ)
    await until('all is final', async () => (await count('queued')) === 0 && (await count('processing')) === 0)

    const operations = await listAll<Operation>('/operations')
    expect(operations).toHaveLength(COUNT)
    expect(new Set(operations.map(({ id }) => id))).toEqual(new Set(answers.values()))
    const byStatus = (status: string) => operations.filter((operation) => operation.status === status)
    const [completed, failed] = [byStatus('completed'), byStatus('failed')]
    // The issuer declined nothing. What was never sent is ruled out for good, so no person has to decide.
    expect(byStatus('manual_review')).toEqual([])
    expect(completed.length + failed.length).toBe(COUNT)
    expect(failed.length).toBeLessThanOrEqual(underWay)
    for (const operation of failed) expect(operation.failure?.code).toBe('not_carried_out')

    const cards = await listAll<{ id: string; name: string }>('/cards')
    expect(new Set(cards.map(({ id }) => id))).toEqual(new Set(completed.map(({ result }) => result.cardId)))
    expect(cards).toHaveLength(completed.length)
    expect(new Set(cards.map(({ name }) => name)).size).toBe(cards.length)

    const toCents = (amount: string) => BigInt(amount.replace('.', ''))
    const balance = await company<{ available: string; held: string }>('GET', '/balance')
    expect(balance?.body.held).toBe('0.00')
    // The demonstration company begins with 1,000.00.
    const rest = 100_000n + toCents(FUNDS) - BigInt(completed.length) * PRICE_CENTS
    expect(toCents(balance?.body.available ?? '')).toBe(rest)

    const audit = await ask<{ entries: number; differences: unknown[] }>(server, 'GET', '/admin/v1/ledger/audit', {
      token: credentials.operatorToken,
    })
    expect(audit?.body.differences).toEqual([])
    expect(audit?.body.entries).toBe(2 + COUNT + 2 * completed.length + failed.length)
  },
)

it(
  'an operation that the issuer carried out for a server that died meanwhile is looked up and completes',
  { timeout: SLOW_MACHINE_MS },
  async () => {
    const order = async (recipient: string) => {
      const body = { type: 'service', productId: 'prod_service_esim', recipient, amount: '10.00' }
      return (await company<Operation>('POST', '/operations', { body, key: recipient }))?.body.id ?? ''
    }
    const read = async (of: string) => (await company<Operation>('GET', `/operations/${of}`))?.body.status
    const id = await order('slow')
    const statusOf = () => read(id)
    await until('it is under way', async () => (await statusOf()) === 'processing')
    // The issuer records requests in order: when a later one is done, the slow one has been recorded.
    const later = await order('quick')
    await until('a later one is done', async () => (await read(later)) === 'completed')
    await server.kill()
    server = await startServer(environ)
    await until('it is looked up', async () => (await statusOf()) !== 'processing')
    expect(await statusOf()).toBe('completed')
  },
)

it('a new server replays the answers byte for byte, although another server gave them', async () => {
  for (const index of [0, 1, COUNT - 1]) {
    const body = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '10.00', name: `card ${index}` }
    const answer = await company<Operation>('POST', '/operations', { body, key: `chaos-${index}` })
    expect(answer?.status).toBe(201)
    expect(answer?.body.status).toBe('queued')
  }
  expect(await listAll('/operations')).toHaveLength(COUNT + 2)
})
