// Lists as pages and as loops, statements as streams, and waiting for an operation or an invoice.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Cardstock } from '../src/cardstock.ts'
import { ServerError, WaitTimeoutError } from '../src/errors.ts'
import { type Listener, startListener } from './listener.ts'

let listener: Listener
let cardstock: Cardstock

beforeEach(async () => {
  listener = await startListener()
  cardstock = new Cardstock({ baseUrl: listener.baseUrl, apiKey: 'cstk_sandbox_x', maxRetries: 0 })
})
afterEach(() => listener.close())

async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}

describe('a list', () => {
  const pages: Record<string, unknown> = {
    '/api/v1/cards?limit=2': { data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'c1' },
    '/api/v1/cards?limit=2&cursor=c1': { data: [{ id: 'c' }], nextCursor: null },
  }

  test('that is awaited is one page', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    expect(await cardstock.cards.list({ limit: 2 })).toEqual({ data: [{ id: 'a' }, { id: 'b' }], nextCursor: 'c1' })
    expect(listener.asked).toHaveLength(1)
  })

  test('that is iterated gives every item, and requests each page once', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    const cards = await collect(cardstock.cards.list({ limit: 2 }))
    expect(cards.map((card) => card.id)).toEqual(['a', 'b', 'c'])
    expect(listener.asked).toHaveLength(2)
  })

  test('that is collected has at most so many items, and requests only the pages that they are on', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    const collected = async (max: number) =>
      (await cardstock.cards.list({ limit: 2 }).toArray({ max })).map(({ id }) => id)
    expect(await collected(100)).toEqual(['a', 'b', 'c'])
    const asked = listener.asked.length
    expect([await collected(2), await collected(0)]).toEqual([['a', 'b'], []])
    expect(listener.asked.length - asked).toBe(2)
  })

  test('that stops early requests no further page', async () => {
    listener.reply = ({ url }) => ({ body: pages[url] })
    for await (const card of cardstock.cards.list({ limit: 2 })) if (card.id === 'b') break
    expect(listener.asked).toHaveLength(1)
  })

  test('whose cursor does not advance fails instead of looping forever', async () => {
    listener.reply = () => ({ body: { data: [], nextCursor: 'same' } })
    await expect(collect(cardstock.cards.list())).rejects.toMatchObject({ code: 'unexpected_answer' })
    expect(listener.asked).toHaveLength(2)
  })

  test('ends when there is no cursor', async () => {
    listener.reply = () => ({ body: { data: [{ id: 'p' }] } })
    expect(await cardstock.products.list()).toEqual({ data: [{ id: 'p' }], nextCursor: null })
  })

  test('of cards and holders comes in pages even if no limit is given', async () => {
    listener.reply = () => ({ body: { data: [], nextCursor: null } })
    await cardstock.cards.list()
    await cardstock.holders.list({ status: 'active' })
    expect(listener.asked.map(({ url }) => url)).toEqual([
      '/api/v1/cards?limit=100',
      '/api/v1/holders?limit=100&status=active',
    ])
  })
})

describe('a statement', () => {
  const days = { from: '2026-01-01', to: '2026-01-31' }

  test('is streamed in the requested format', async () => {
    listener.reply = () => ({ text: 'a,b\n1,2\n', headers: { 'content-type': 'text/csv; charset=utf-8' } })
    const stream = await cardstock.statements.download(days, 'csv')
    expect(await new Response(stream).text()).toBe('a,b\n1,2\n')
    expect(listener.asked[0]?.headers.accept).toBe('text/csv')
    expect(listener.asked[0]?.url).toBe('/api/v1/account-statements?from=2026-01-01&to=2026-01-31')
  })

  test('that is a different kind of document is refused', async () => {
    listener.reply = () => ({ text: '<html>', headers: { 'content-type': 'text/html' } })
    await expect(cardstock.statements.download(days, 'pdf')).rejects.toThrow(ServerError)
  })

  test('that the server refuses throws its error', async () => {
    listener.reply = () => ({ status: 400, body: { code: 'statement_range_too_large', message: 'Shorter.' } })
    await expect(cardstock.statements.download(days, 'pdf')).rejects.toMatchObject({
      code: 'statement_range_too_large',
    })
  })
})

describe('invoices.waitFor', () => {
  test.each(['completed', 'expired', 'failed', 'manual_review'])('ends with %s', async (status) => {
    const statuses = ['creating', 'pending', status]
    listener.reply = () => ({ body: { id: 'inv_1', status: statuses[listener.asked.length - 1] } })
    expect(await cardstock.invoices.waitFor('inv_1')).toEqual({ id: 'inv_1', status })
  })

  test('fails at its time limit', async () => {
    listener.reply = () => ({ body: { id: 'inv_1', status: 'pending' } })
    const wait = cardstock.invoices.waitFor('inv_1', { timeoutMs: 20 })
    await expect(wait).rejects.toThrow(/^inv_1 is still pending after 20 ms\./)
  })
})

describe('operations.waitFor', () => {
  const answer = (...statuses: string[]) => {
    listener.reply = () => ({
      body: { id: 'op_1', status: statuses[Math.min(listener.asked.length, statuses.length) - 1] },
    })
  }

  test.each(['completed', 'failed', 'manual_review'])('ends with %s', async (status) => {
    answer('queued', 'processing', status)
    expect(await cardstock.operations.waitFor('op_1')).toEqual({ id: 'op_1', status })
    expect(listener.asked).toHaveLength(3)
  })

  test('fails at its time limit, and the error says that the operation continues', async () => {
    answer('processing')
    const error: unknown = await cardstock.operations
      .waitFor('op_1', { timeoutMs: 20 })
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(WaitTimeoutError)
    expect(error).toMatchObject({ code: 'wait_timeout', details: { id: 'op_1', status: 'processing' } })
  })

  test('ends when its signal is aborted', async () => {
    const controller = new AbortController()
    listener.reply = () => {
      setTimeout(() => controller.abort(), 10)
      return { body: { id: 'op_1', status: 'queued' } }
    }
    const wait = cardstock.operations.waitFor('op_1', { signal: controller.signal })
    await expect(wait).rejects.toMatchObject({ code: 'aborted' })
  })
})
