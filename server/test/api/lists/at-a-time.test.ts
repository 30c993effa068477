// How many reads one company has under way at a time: the others wait or are refused, and other companies notice nothing.
import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCompanyReads, READ_LIMITS } from '../../../src/http/company-reads.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { openSocket } from '../kernel/raw.ts'
import { expectError } from '../expect-error.ts'
import { addManyHolders, type ListBody } from '../rows.ts'

/** More than the buffers of a connection hold. */
const MANY = 60_000

describe('whole lists over HTTP', () => {
  const sockets: Socket[] = []
  let server: TestServer
  let company: TestCompany
  beforeAll(async () => {
    server = await TestServer.start()
    company = await server.createCompany()
    await addManyHolders(server, company.scope, MANY)
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  })

  /** Asks for the whole list, and resolves with the connection when its first bytes have come. The rest is not read. */
  function ask(): { socket: Socket; answered: Promise<string> } {
    const socket = openSocket(server.baseUrl)
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write(`GET /api/v1/holders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${company.key}\r\n\r\n`)
    const answered = once(socket, 'data').then(([bytes]) => {
      socket.pause()
      return String(bytes)
    })
    return { socket, answered }
  }

  it('the third of a company waits until another has ended, and those above the line are refused', async () => {
    const first = ask()
    await first.answered
    await ask().answered
    const waiting = Array.from({ length: READ_LIMITS.listsWaiting }, ask)
    let answers = 0
    for (const { answered } of waiting) void answered.then(() => (answers += 1))
    // It comes after them, because the server takes requests in the order in which they arrive.
    let refused = await server.get('/api/v1/holders', company.key)
    while (refused.status === 200) refused = await server.get('/api/v1/holders', company.key)
    const { message } = expectError(refused, 'rate_limited')
    expect(message).toContain('Read pages with limit and cursor')
    expect(refused.headers.get('retry-after')).toBe('5')

    const other = await server.createCompany()
    await addManyHolders(server, other.scope, 300)
    expect((await server.get<ListBody>('/api/v1/holders', other.key)).body.data).toHaveLength(300)
    expect((await server.get('/api/v1/holders?limit=1', company.key)).status).toBe(200)
    expect((await server.get('/api/v1/balance', company.key)).status).toBe(200)
    expect(answers).toBe(0)

    first.socket.destroy()
    expect(await Promise.race(waiting.map(({ answered }) => answered))).toMatch(/^HTTP\/1.1 200/)
  })
})

describe('reads of one company', () => {
  const limits = { pages: 2, pagesWaiting: 1, lists: 1, listsWaiting: 1 }
  const response = () => new EventEmitter() as ServerResponse
  /** Work that ends when it is told to. */
  function createWork() {
    let end: (value: unknown) => void = () => undefined
    let isStarted = false
    const done = new Promise((resolve) => (end = resolve))
    const run = () => {
      isStarted = true
      return done
    }
    return { run, end: (value: unknown = 'done') => end(value), isStarted: () => isStarted }
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('wait for each other when they read pages, and not for other companies', async () => {
    const reads = createCompanyReads(limits)
    const works = Array.from({ length: 3 }, createWork)
    const answers = works.map(({ run }) => reads.run({ companyId: 'a', response: response() }, 'page', run))
    await turn()
    expect(works.map(({ isStarted }) => isStarted())).toEqual([true, true, false])
    await expect(reads.run({ companyId: 'a', response: response() }, 'page', createWork().run)).rejects.toMatchObject({
      code: 'rate_limited',
    })
    const others = [{ companyId: 'b' }, { companyId: undefined }].map(({ companyId }) =>
      reads.run({ companyId, response: response() }, 'page', async () => companyId),
    )
    expect(await Promise.all(others)).toEqual(['b', undefined])
    works[0]?.end()
    await answers[0]
    await turn()
    expect(works[2]?.isStarted()).toBe(true)
  })

  it('that fail free their place', async () => {
    const reads = createCompanyReads({ ...limits, pages: 1 })
    const reader = { companyId: 'a', response: response() }
    const fail = async () => Promise.reject(new Error('no database'))
    await expect(reads.run(reader, 'page', fail)).rejects.toThrow('no database')
    expect(await reads.run(reader, 'page', async () => 'next')).toBe('next')
  })

  it('are not carried out for a client that left while it waited', async () => {
    const reads = createCompanyReads({ ...limits, pages: 1 })
    const [work, late] = [createWork(), createWork()]
    const first = reads.run({ companyId: 'a', response: response() }, 'page', work.run)
    const leaving = response()
    const second = reads.run({ companyId: 'a', response: leaving }, 'page', late.run)
    await turn()
    leaving.emit('close')
    work.end()
    await Promise.all([first, second])
    expect(late.isStarted()).toBe(false)
  })

  it('that stream a list keep their place until the stream is closed', async () => {
    const reads = createCompanyReads(limits)
    async function* list() {
      yield 'a'
      yield 'b'
    }
    const reader = { companyId: 'a', response: response() }
    const stream = (await reads.run(reader, 'list', async () => list())) as Readable
    const next = createWork()
    void reads.run(reader, 'list', next.run)
    await turn()
    expect(next.isStarted()).toBe(false)
    expect((await stream.toArray()).join('')).toBe('ab')
    await turn()
    expect(next.isStarted()).toBe(true)
  })
})
