// GET /balance/history and GET /account-entries, which work for more entries than a statement can have.
import type { Statement, StatementEntry } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId, newId } from '../../../src/lib/ids.ts'
import { archiveBefore } from '../../books/archive.ts'
import { fillDeposits } from '../../books/statements.ts'
import { expectBooksRight, fund, issueCard } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const DAY_MS = 86_400_000
/** More than a statement can have. */
const MANY = 10_001

let server: TestServer
let company: TestCompany
/** The days of the test, oldest first; the last is today. */
const days: string[] = []

const dayOf = () => server.clock.now().toISOString().slice(0, 10)
const readHistory = (query: string, key = company.key) =>
  server.get<{ data: { day: string; balance: string; held: string }[] }>(`/api/v1/balance/history?${query}`, key)
const readEntries = (query: string, key = company.key) =>
  server.get<{ data: StatementEntry[]; nextCursor: string | null }>(`/api/v1/account-entries?${query}`, key)

beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
  days.push(dayOf())
  await fund(server, company, '100.00')
  server.clock.advance(DAY_MS)
  days.push(dayOf())
  await fillDeposits(server, company, MANY, server.clock.now())
  server.clock.advance(2 * DAY_MS)
  days.push(dayOf())
  await issueCard(server, company, { amount: '10.00' })
})
afterAll(async () => {
  await expectBooksRight(server)
  await server.stop()
})

test('the history has the closing balance of every day until today, whatever the number of entries', async () => {
  const { body } = await readHistory(`from=${days[0]}&to=${nextDay(days[2] ?? '')}`)
  const { body: balance } = await server.get<{ total: string }>('/api/v1/balance', company.key)
  expect(body.data.map(({ balance: closing }) => closing)).toEqual(['100.00', '200.01', '200.01', balance.total])
  expect(body.data.map(({ day }) => day)).toEqual([days[0], days[1], nextDay(days[1] ?? ''), days[2]])
  expect(body.data.at(-1)?.held).toBe('0.00')
  // A day before the first entry, and a day that has not begun.
  expect((await readHistory('from=2020-01-01&to=2020-01-01')).body.data).toEqual([
    { day: '2020-01-01', balance: '0.00', held: '0.00' },
  ])
  expect((await readHistory(`from=${nextDay(days[2] ?? '')}&to=${nextDay(days[2] ?? '')}`)).body.data).toEqual([])
})

test('the history of another company shows nothing of it, and a range that is too long is refused', async () => {
  const other = await server.createCompany()
  const { body } = await readHistory(`from=${days[1]}&to=${days[1]}`, other.key)
  expect(body.data).toEqual([{ day: days[1], balance: '0.00', held: '0.00' }])
  const answer = await readHistory('from=2025-01-01&to=2026-01-02')
  expectError(answer, 'statement_range_too_large')
  expect(answer.text).toContain('A balance history covers at most 366 days')
})

test('entries are those of the statement, newest first, page by page', async () => {
  const { body: statement } = await server.get<Statement>(
    `/api/v1/account-statements?from=${days[2]}&to=${days[2]}`,
    company.key,
  )
  const all: StatementEntry[] = []
  let cursor = ''
  for (let page = 0; page < statement.data.length; page += 1) {
    const { body } = await readEntries(`from=${days[2]}&to=${days[2]}&limit=2${cursor}`)
    all.push(...body.data)
    if (body.nextCursor === null) break
    cursor = `&cursor=${body.nextCursor}`
  }
  expect(statement.data.length).toBeGreaterThan(2)
  expect(all).toHaveLength(statement.data.length)
  expect(all).toMatchObject(statement.data.toReversed())
  // Beyond the limit of a statement.
  const { body: first } = await readEntries(`to=${days[1]}&limit=1`)
  expect(first.data[0]).toMatchObject({ kind: 'deposit', amount: '0.01', balance: '200.01' })
})

test('entries are filtered by kind and reference, and belong to one company and environment', async () => {
  const { body: reservations } = await readEntries('kind=reservation')
  expect(reservations.data.map(({ kind }) => kind)).toEqual(['reservation'])
  const reference = reservations.data[0]?.reference ?? ''
  const { body: same } = await readEntries(`reference=${reference}`)
  expect(same.data.map(({ kind }) => kind)).toEqual(['fee', 'capture', 'reservation'])
  expect((await readEntries('reference=nonsense')).body.data).toEqual([])
  const other = await server.createCompany()
  const live = await server.createKey(company.id, { environment: 'live' })
  for (const key of [other.key, live]) expect((await readEntries('', key)).body.data).toEqual([])
  expectError(await readEntries('kind=gift'), 'validation_failed')
})

test('what is archived is refused with the first day that is there, and what is later is as before', async () => {
  const readStatement = (from: string, format = 'json') =>
    server.get(`/api/v1/account-statements?from=${from}&to=${days[2]}&format=${format}`, company.key)
  const dayAfter = nextDay(days[1] ?? '')
  const before = {
    statement: (await readStatement(dayAfter)).text,
    history: (await readHistory(`from=${dayAfter}&to=${days[2]}`)).text,
    entries: (await readEntries(`from=${dayAfter}&limit=100`)).text,
  }
  const { body: reservations } = await readEntries('kind=reservation')
  // The day in between has no entries.
  await archiveBefore(server.db, company.scope, new Date(days[2] ?? ''))
  expect({
    statement: (await readStatement(dayAfter)).text,
    history: (await readHistory(`from=${dayAfter}&to=${days[2]}`)).text,
    entries: (await readEntries(`from=${dayAfter}&limit=100`)).text,
  }).toEqual(before)
  expect((await readEntries('limit=100')).text).toBe(before.entries)
  expect((await readEntries(`reference=${reservations.data[0]?.reference}`)).body.data).toHaveLength(3)
  const oldOperation = formatId('op', newId(new Date(days[0] ?? '')))
  for (const [param, answer] of [
    ['from', await readStatement(days[1] ?? '')],
    ['from', await readStatement(days[0] ?? '', 'csv')],
    ['from', await readStatement(days[0] ?? '', 'pdf')],
    ['from', await readHistory(`from=${days[1]}&to=${days[2]}`)],
    ['from', await readEntries(`from=${days[1]}`)],
    ['from', await readEntries(`from=${days[1]}&kind=deposit`)],
    ['reference', await readEntries(`reference=${oldOperation}`)],
  ] as const) {
    const { message, details, ...refusal } = expectError(answer, 'entries_archived')
    expect({ details, param: refusal.param }).toEqual({ details: { availableFrom: dayAfter }, param })
    expect(message).toContain(`from ${dayAfter} on, or ask the operator`)
  }
  // Another company's archive hides nothing.
  const other = await server.createCompany()
  expect((await readHistory(`from=${days[0]}&to=${days[2]}`, other.key)).status).toBe(200)
})

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
}
