// Invoice requests that meet another process. A repeat while the first request is still waiting for the issuer is answered
// soon and cheaply with the invoice as it is, and every later answer is the first request's answer.
import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import type { Db } from '../../../src/db/pool.ts'
import { createInvoice, REPLAY_PAUSES_MS } from '../../../src/funding/create.ts'
import type { FundingDeps } from '../../../src/funding/deps.ts'
import { createPayLinks } from '../../../src/funding/pay-link.ts'
import type { Invoice } from '../../../src/funding/schema.ts'
import { createGate } from '../../../src/issuer/gate.ts'
import { createSandboxIssuer } from '../../../src/issuer/sandbox.ts'
import { deriveKey } from '../../../src/lib/digest.ts'
import { createLog } from '../../../src/lib/log.ts'
import { startSecond } from '../../support/operations.ts'
import { TestClock, type TestCompany } from '../../support/harness.ts'
import { INVOICES, openInvoice, readInvoice } from '../../support/invoices.ts'
import { startServer } from './server.ts'

const server = await startServer()

let company: TestCompany
beforeEach(async () => {
  company = await server.createCompany()
})

/** Another process on the same database, whose issuer answers only when it is released. */
function otherProcess(db: Db = server.db, clock: TestClock = server.clock) {
  const sandbox = createSandboxIssuer({ db: server.db, clock, slowMs: 0 })
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  let asked = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const issuer: typeof sandbox = {
    ...sandbox,
    async createInvoice(request) {
      asked()
      await released
      return sandbox.createInvoice(request)
    },
  }
  const log = createLog({ level: 'silent' })
  const gate = createGate({ issuer, environment: 'sandbox', clock, log, timeoutMs: 600_000 })
  const payLinks = createPayLinks({ key: deriveKey(Buffer.alloc(32, 7), 'pay links'), baseUrl: () => server.baseUrl })
  const deps: FundingDeps = {
    db,
    clock,
    payLinks,
    gates: { sandbox: gate, live: undefined },
    issuerTimeoutMs: 600_000,
  }
  const create = (key: string) => createInvoice(deps, company.scope, key, { amount: '100' })
  return { create, release: () => release(), isAsked }
}

/** Counts the statements that go to the database. */
function counted(db: Db): { db: Db; count(): number } {
  let statements = 0
  const proxy = new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || !['find', 'many', 'run'].includes(String(name))) return value
      return (...args: unknown[]): unknown => {
        statements += 1
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { db: proxy, count: () => statements }
}

test('a repeat while another process still creates the invoice gets the invoice as it is, and later repeats get the first answer', async () => {
  const key = randomUUID()
  const other = otherProcess()
  const first = other.create(key)
  await other.isAsked
  const early = await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
  expect([early.status, early.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
  expect(early.body).toMatchObject({ status: 'creating', address: null, payAmount: null })
  other.release()
  const { invoice, replayed } = await first
  expect([invoice.id, invoice.status, replayed]).toEqual([early.body.id, 'pending', false])
  const late = await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
  expect(late.body).toEqual(invoice)
  const latest = await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
  expect(latest.text).toBe(late.text)
})

test('a repeat waits at most three seconds and executes only a few statements', async () => {
  const key = randomUUID()
  const first = otherProcess()
  const made = first.create(key)
  await first.isAsked
  const statements = counted(server.db)
  const startedMs = performance.now()
  const repeat = await otherProcess(statements.db).create(key)
  expect(performance.now() - startedMs).toBeGreaterThan(2_000)
  expect([repeat.invoice.status, repeat.replayed]).toEqual(['creating', true])
  // One statement finds the invoice. It is then read once, and once more after each pause.
  expect(statements.count()).toBe(REPLAY_PAUSES_MS.length + 2)
  expect(statements.count()).toBeLessThan(10)
  expect(REPLAY_PAUSES_MS.reduce((sum, pauseMs) => sum + pauseMs, 0)).toBeLessThan(3_000)
  first.release()
  await made
})

test('a repeat that waits gets the first answer as soon as there is one', async () => {
  const key = randomUUID()
  const other = otherProcess()
  const first = other.create(key)
  await other.isAsked
  const repeat = server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)
  other.release()
  expect((await first).invoice).toMatchObject({ status: 'pending' })
  // On a slow machine the repeat may have stopped waiting. Then the next repeat gets the first answer.
  const { body } = await repeat
  if (body.status !== 'creating') expect(body).toEqual((await first).invoice)
  expect((await server.post<Invoice>(INVOICES, company.key, { amount: '100' }, key)).body).toEqual(
    (await first).invoice,
  )
})

test('a new request is accepted if another process marks the old invoice as expired at the same moment', async () => {
  const old = await openInvoice(server, company)
  const clock = new TestClock(new Date(old.expiresAt ?? 0).toISOString())
  const find: Db['find'] = async (statement) => {
    // The other process comes first.
    if (statement.text.includes('expire_invoice')) await server.db.find(statement)
    return server.db.find(statement)
  }
  const late = otherProcess({ ...server.db, find }, clock)
  late.release()
  const { invoice } = await late.create(randomUUID())
  expect([invoice.status, invoice.id === old.id]).toEqual(['pending', false])
  expect((await readInvoice(server, company, old.id)).body.status).toBe('expired')
})

test('twenty requests with one key over two processes get one invoice', async () => {
  const second = await startSecond(server)
  const key = randomUUID()
  const send = (index: number) =>
    (index % 2 === 0 ? server : second).request<Invoice>('POST', INVOICES, {
      token: company.key,
      body: { amount: '10' },
      idempotencyKey: key,
    })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1)
  await second.stop()
})
