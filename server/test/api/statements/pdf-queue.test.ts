// PDFs are written in a worker thread, one at a time, with a short queue. A PDF is cancelled when its client disconnects.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPdfQueue } from '../../../src/card-account/pdf/queue.ts'
import type { PdfJob } from '../../../src/card-account/pdf/worker.ts'
import { until } from '../../support/receiver.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const job: PdfJob = {
  subjects: '{}',
  source: {
    lines: null,
    frame: {
      company: { id: `co_${'0'.repeat(32)}`, name: 'Test company' },
      environment: 'sandbox',
      currency: 'USD',
      account: 'card_account',
      from: '2026-01-01',
      to: '2026-01-31',
      openingBalance: '0.00',
      closingBalance: '0.00',
      incoming: '0.00',
      outgoing: '0.00',
      generatedAt: '2026-02-01T00:00:00.000Z',
      proof: { firstNumber: 1, lastNumber: 0, openingHeld: '0.00', hashBefore: '00', hashAfter: '00' },
    },
  },
}
const stays = () => new AbortController().signal

/** A job that becomes ready when the test says so. */
function createGate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  let isAsked = false
  return {
    open: () => open(),
    isAsked: () => isAsked,
    async prepare() {
      isAsked = true
      await opened
      return job
    },
  }
}

describe('the queue', () => {
  test('writes one PDF at a time, in order', async () => {
    const queue = createPdfQueue()
    const [first, second] = [createGate(), createGate()]
    const both = [queue.write('a', stays(), first.prepare), queue.write('b', stays(), second.prepare)]
    await until(() => (first.isAsked() ? true : undefined))
    expect(second.isAsked()).toBe(false)
    first.open()
    expect((await both[0])?.toString('latin1', 0, 5)).toBe('%PDF-')
    second.open()
    expect((await both[1])?.toString('latin1', 0, 5)).toBe('%PDF-')
  })

  test('refuses a third PDF of one company and a sixth of all, and accepts more when there is room again', async () => {
    const queue = createPdfQueue()
    const gate = createGate()
    const leaver = new AbortController()
    const write = (company: string) => queue.write(company, leaver.signal, gate.prepare)
    const waiting = ['a', 'a', 'b', 'b', 'c'].map(write)
    const refused = { code: 'rate_limited', headers: { 'retry-after': '5' } }
    await expect(write('a')).rejects.toMatchObject(refused)
    await expect(write('d')).rejects.toMatchObject(refused)
    leaver.abort()
    gate.open()
    await Promise.all(waiting)
    expect(await write('a')).toHaveLength(0)
  })

  test('a client that disconnects while it waits makes room, and the next client still waits for its turn', async () => {
    const queue = createPdfQueue()
    const [first, second, third] = [createGate(), createGate(), createGate()]
    const leaver = new AbortController()
    const running = queue.write('a', stays(), first.prepare)
    const left = queue.write('a', leaver.signal, second.prepare)
    const next = queue.write('b', stays(), third.prepare)
    leaver.abort()
    expect(await left).toHaveLength(0)
    // Whatever may follow from this has happened when the event loop has turned.
    await new Promise((resolve) => setImmediate(resolve))
    expect(second.isAsked()).toBe(false)
    expect(third.isAsked()).toBe(false)
    first.open()
    third.open()
    await Promise.all([running, next])
  })

  test('a client that disconnects while its PDF is being written stops the worker', async () => {
    const queue = createPdfQueue()
    const leaver = new AbortController()
    const gate = createGate()
    gate.open()
    const left = queue.write('a', leaver.signal, async () => {
      // Disconnect in the turn of the event loop in which the worker is started.
      queueMicrotask(() => queueMicrotask(() => setImmediate(() => leaver.abort())))
      return gate.prepare()
    })
    expect(await left).toHaveLength(0)
    expect(await queue.write('a', stays(), gate.prepare)).not.toHaveLength(0)
  })

  test('gives up a PDF that takes too long', async () => {
    const queue = createPdfQueue({ deadlineMs: 1 })
    await expect(queue.write('a', stays(), async () => job)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('over HTTP', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start()
  })
  afterAll(() => server.stop())

  test('a third concurrent PDF is refused with Retry-After, and JSON is not', async () => {
    const company = await server.createCompany()
    const day = server.clock.now().toISOString().slice(0, 10)
    const path = `/api/v1/account-statements?from=${day}&to=${day}`
    const blocker = new pg.Client(server.connection)
    await blocker.connect()
    await blocker.query('begin; lock table entry in access exclusive mode')
    const ask = () => server.get(`${path}&format=pdf`, company.key)
    const asked = [ask(), ask(), ask()]
    const refused = await Promise.race(asked)
    expectError(refused, 'rate_limited')
    expect(refused.headers.get('retry-after')).toBe('5')
    await blocker.query('rollback')
    await blocker.end()
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 429])
    expect((await server.get(path, company.key)).status).toBe(200)
  })
})
