// `cardstock card`, `cardstock transactions` and `cardstock statement` against a running server, with a company's key.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Statement } from '@cardstock/sdk'
import type { Card, Page, Transaction } from '@cardstock/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forge } from '../books/forge.ts'
import { figuresOf, figuresOfCsv, figuresOfPdf } from '../books/statements.ts'
import { expectBooksRight, fund, issueCard, readBalance, type WireCard } from '../books/steps.ts'
import { createProgram } from '../../src/cli/program.ts'
import { sql } from '../../src/db/sql.ts'
import { findId } from '../../src/lib/ids.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { cardstock } from './in-process.ts'
import { cardstock as cardstockIn, type Ended } from './run.ts'

let server: TestServer
let folder: string
let company: TestCompany
let travel: WireCard
let office: WireCard

beforeAll(async () => {
  server = await TestServer.start()
  folder = mkdtempSync(join(tmpdir(), 'cardstock books '))
  company = await server.createCompany()
  await fund(server, company, '1000.00')
  travel = await issueCard(server, company, { amount: '100.00', name: 'Travel' })
  server.clock.advance(1000)
  office = await issueCard(server, company, { amount: '50.00', name: 'Office' })
  // A name from before such characters were refused.
  await server.db.run(sql`
    update card set name = ${'Office \u001B[2J'} where company_id = ${company.id} and id = ${findId('card', office.id)}`)
  for (const [type, amount, cardId] of [
    ['purchase', '20.00', travel.id],
    ['refund', '5.00', travel.id],
    ['purchase', '7.50', office.id],
  ] as const) {
    server.clock.advance(1000)
    const body = { type, amount, cardId, merchant: 'Kiosk' }
    await server.post('/api/v1/sandbox/transactions', company.key, body)
  }
})
afterAll(async () => {
  await expectBooksRight(server)
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const environ = (key = company.key) => ({ CARDSTOCK_URL: server.baseUrl, CARDSTOCK_API_KEY: key })
const run = (...args: string[]) => cardstock(args, environ())
const centsOf = (amount: string) => BigInt(amount.replace('.', ''))
const rowsOf = ({ out }: Ended) => out.trimEnd().split('\n').slice(1)

async function json<Value>(...args: string[]): Promise<Value> {
  const { code, out, err } = await run(...args, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out) as Value
}

function refusalOf({ err, out }: Ended): Record<string, unknown> {
  expect(out).toBe('')
  return (JSON.parse(err) as { error: Record<string, unknown> }).error
}

test('lists are sorted as the server sorts them, and spend is added up by category', async () => {
  const oldest = await json<{ data: { id: string }[] }>('transactions', 'list', '--sort', 'oldest')
  const newest = await json<{ data: { id: string }[] }>('transactions', 'list')
  expect(oldest.data).toEqual(newest.data.toReversed())
  const named = await json<{ data: { id: string }[] }>('card', 'list', '--sort', 'name_desc')
  expect(named.data.map(({ id }) => id)).toEqual([travel.id, office.id])
  const today = server.clock.now().toISOString().slice(0, 10)
  const { out } = await run('transactions', 'spend', '--by', 'category', '--from', today, '--to', today)
  expect(out).toMatch(/^3 +22\.50 +.*Shopping$/m)
})

describe('card', () => {
  test('list shows the newest first, in columns, without characters that control a terminal', async () => {
    const { code, out, err } = await run('card', 'list')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const [head = '', first = '', second = '', ...rest] = out.trimEnd().split('\n')
    expect(rest).toEqual([])
    expect(first.startsWith(office.id)).toBe(true)
    expect(second.startsWith(travel.id)).toBe(true)
    expect(first.slice(head.indexOf('BALANCE'))).toMatch(/^42\.50 /)
    expect(second.slice(head.indexOf('BALANCE'))).toMatch(/^85\.00 /)
    expect(first.slice(head.indexOf('NAME'))).toMatch(/^Office \uFFFD\[2J +Ada Holder$/)
  })

  test('--limit, --status, --holder and --product narrow the list, and it says when there is more', async () => {
    const one = await run('card', 'list', '--limit', '1')
    expect(rowsOf(one)).toHaveLength(1)
    expect(one.err).toContain('--limit 2')
    const { holderId, productId } = await json<Card>('card', 'show', travel.id)
    const ids = async (...args: string[]) =>
      (await json<Page<Card>>('card', 'list', ...args)).data.map((card) => card.id)
    expect(await ids('--holder', holderId, '--product', productId, '--status', 'active')).toEqual([travel.id])
    expect(await ids('--product', 'prod_card_advertising')).toEqual([])
    const none = await run('card', 'list', '--status', 'blocked')
    expect(none).toMatchObject({ code: 0, err: expect.stringContaining('Nothing to show.') })
  })

  test('freeze, unfreeze and close change the card, and closing returns the balance', async () => {
    const card = await issueCard(server, company, { amount: '10.00', name: 'Short' })
    const before = await readBalance(server, company)
    expect((await json<Card>('card', 'freeze', card.id)).status).toBe('frozen')
    expect((await run('card', 'show', card.id)).out).toMatch(/^status: +frozen$/m)
    expect((await json<Card>('card', 'unfreeze', card.id)).status).toBe('active')
    const closed = await run('card', 'close', card.id)
    expect(closed).toMatchObject({ code: 0, err: '' })
    expect(closed.out).toMatch(/^status: +closed$/m)
    expect(closed.out).toMatch(/^balance: +0\.00$/m)
    expect(centsOf(await readBalance(server, company)) - centsOf(before)).toBe(1000n)
    const again = await run('card', 'freeze', card.id, '--json')
    expect(again.code).toBe(1)
    expect(refusalOf(again)).toMatchObject({ code: 'card_status_not_allowed', statusCode: 400 })
  })

  test('the exit code is 1 for a missing object, 2 for a wrong status or limit and for a missing key, and 3 without a server', async () => {
    const [missing, status, limit, keyless, nowhere] = await Promise.all([
      run('card', 'show', `card_${'0'.repeat(32)}`, '--json'),
      run('card', 'list', '--status', 'melted'),
      run('card', 'list', '--limit', '1e1'),
      cardstock(['card', 'list'], { CARDSTOCK_URL: server.baseUrl, DATA_DIR: folder }),
      cardstock(['card', 'list'], { ...environ(), CARDSTOCK_URL: 'http://127.0.0.1:9' }),
    ])
    expect(missing.code).toBe(1)
    expect(refusalOf(missing)).toMatchObject({ code: 'not_found', statusCode: 404, requestId: expect.any(String) })
    expect([status.code, limit.code, keyless.code, nowhere.code]).toEqual([2, 2, 2, 3])
    expect(status.err).toContain('melted')
    expect(limit.err).toContain('Give a whole number')
    expect(keyless.err).toContain('CARDSTOCK_API_KEY')
  })

  test('a key without the scope is refused and changes nothing', async () => {
    const reader = await server.createKey(company.id, { scopes: ['cards:read'] })
    const ended = await cardstock(['card', 'freeze', travel.id, '--json'], environ(reader))
    expect(ended.code).toBe(1)
    expect(refusalOf(ended)).toMatchObject({ code: 'scope_missing', statusCode: 403 })
    expect(ended.err).not.toContain(reader)
    expect((await json<Card>('card', 'show', travel.id)).status).toBe('active')
  })
})

describe('transactions list', () => {
  test('shows payments, newest first, with signed amounts', async () => {
    const ended = await run('transactions', 'list')
    expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' })
    const cells = rowsOf(ended).map((row) => row.split(/ {2,}/))
    expect(cells.map(([, type, status, amount, , card]) => [type, status, amount, card])).toEqual([
      ['purchase', 'settled', '-7.50', office.id],
      ['refund', 'settled', '5.00', travel.id],
      ['purchase', 'settled', '-20.00', travel.id],
    ])
  })

  test('--card, --type, --status, --category, --from and --to narrow it', async () => {
    const all = (await json<Page<Transaction>>('transactions', 'list')).data
    const amounts = async (...args: string[]) =>
      (await json<Page<Transaction>>('transactions', 'list', ...args)).data.map(({ amount }) => amount)
    expect(await amounts('--card', travel.id, '--type', 'purchase')).toEqual(['-20.00'])
    expect(await amounts('--status', 'declined')).toEqual([])
    expect(await amounts('--from', all[1]?.occurredAt ?? '', '--to', all[1]?.occurredAt ?? '')).toEqual(['5.00'])
    expect(await amounts('--limit', '2')).toEqual(['-7.50', '5.00'])
    const groups = new Map(all.map(({ category, amount }) => [category?.id, amount]))
    expect(groups.size).toBeGreaterThan(0)
    for (const id of groups.keys())
      expect(await amounts('--category', id ?? '')).toEqual(
        all.filter(({ category }) => category?.id === id).map(({ amount }) => amount),
      )
    expect(await amounts('--category', 'advertising')).toEqual([])
    expect((await run('transactions', 'list', '--category', 'yachts')).code).toBe(2)
  })

  test('an invalid time is refused by the server with exit code 1, and an unknown type is wrong usage', async () => {
    const [time, type] = await Promise.all([
      run('transactions', 'list', '--from', 'yesterday', '--json'),
      run('transactions', 'list', '--type', 'theft'),
    ])
    expect(time.code).toBe(1)
    expect(refusalOf(time)).toMatchObject({ code: 'validation_failed', statusCode: 400 })
    expect(type.code).toBe(2)
    expect(type.err).toContain('theft')
  })
})

test('transactions totals adds up what the filters match', async () => {
  const ended = await run('transactions', 'totals', '--card', travel.id)
  expect({ code: ended.code, err: ended.err }).toEqual({ code: 0, err: '' })
  expect(rowsOf(ended).map((row) => row.split(/ {2,}/))).toEqual([
    ['purchase', 'settled', '1', '-20.00', 'USD'],
    ['refund', 'settled', '1', '5.00', 'USD'],
  ])
  expect((await run('transactions', 'totals', '--type', 'theft')).code).toBe(2)
})

describe('statement', () => {
  const day = () => server.clock.now().toISOString().slice(0, 10)
  const range = () => ['--from', day(), '--to', day()]

  test('each format is written to a separate file, readable only by its owner, with the same figures', async () => {
    const files = ['json', 'csv', 'pdf'].map((format) => join(folder, `all.${format}`)) as [string, string, string]
    for (const file of files) {
      const ended = await run('statement', ...range(), '--format', file.slice(-4).replace('.', ''), '--output', file)
      expect(ended).toEqual({ code: 0, out: `${file} (${statSync(file).size} bytes)\n`, err: '' })
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    const [asJson, asCsv, asPdf] = files.map((file) => readFileSync(file)) as [Buffer, Buffer, Buffer]
    const figures = figuresOf(JSON.parse(asJson.toString()) as Statement)
    expect(figures.entries.length).toBeGreaterThan(6)
    expect(figuresOfCsv(asCsv.toString())).toEqual(figures)
    expect(figuresOfPdf(asPdf)).toEqual(figures)
    const verified = await cardstock(['verify', files[0]])
    expect(verified.code).toBe(0)
    const asValue = await cardstock(['verify', files[0], '--json'])
    expect(JSON.parse(asValue.out)).toEqual({ valid: true, entries: figures.entries.length, problems: [] })
    const altered = join(folder, 'altered.json')
    writeFileSync(
      altered,
      asJson.toString().replace(/"closingBalance":\s*"\d/, (figure) => `${figure}9`),
    )
    const refuted = await cardstock(['verify', altered, '--json'])
    expect(refuted.code).toBe(1)
    expect(JSON.parse(refuted.out)).toMatchObject({ valid: false, problems: [{ where: expect.any(String) }] })
    const other = join(folder, 'other.json')
    writeFileSync(other, '{"data":[],"nextCursor":null}')
    expect(await cardstock(['verify', other])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not a statement'),
    })
  })

  test('with one entry is verified in the singular', async () => {
    const { key } = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', key, { amount: '5.00' })
    const file = join(folder, 'one.json')
    await cardstock(['statement', ...range(), '--output', file], environ(key))
    expect((await cardstock(['verify', file])).out).toContain('is consistent in itself: 1 entry, and')
  })

  test('made up by somebody is consistent in itself, and is not what the server has', async () => {
    const { key } = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', key, { amount: '5.00' })
    const file = join(folder, 'genuine.json')
    await cardstock(['statement', ...range(), '--output', file], environ(key))
    const genuine = await cardstock(['verify', file, '--server'], environ(key))
    expect(genuine).toMatchObject({ code: 0, out: expect.stringContaining('is what the server has: 1 entry') })
    const made = join(folder, 'forged.json')
    writeFileSync(made, JSON.stringify(forge(JSON.parse(readFileSync(file, 'utf8')) as Statement, '9000.00')))
    const offline = await cardstock(['verify', made])
    expect(offline).toMatchObject({ code: 0, out: expect.stringContaining('is consistent in itself: 1 entry') })
    expect(offline.out).toContain('anybody could have written it')
    const refuted = await cardstock(['verify', made, '--server'], environ(key))
    expect(refuted).toMatchObject({ code: 1, out: expect.stringContaining('the server has something else') })
    expect(refuted.out).toContain('data[0].amount: is 9005.00, but the server has 5.00')
    // Another account is another statement, also if everything else is the same.
    const elsewhere = await cardstock(['verify', file, '--server', '--json'], environ())
    expect(elsewhere.code).toBe(1)
    expect(JSON.parse(elsewhere.out)).toMatchObject({ valid: false, problems: [{ where: 'company.id' }] })
    // What was booked since does not make it false.
    await server.post('/api/v1/sandbox/funding', key, { amount: '1.00' })
    const later = await cardstock(['verify', file, '--server', '--json'], environ(key))
    expect(JSON.parse(later.out)).toEqual({ valid: true, entries: 1, problems: [], laterEntries: 1 })
  })

  test('--json prints the file and its size, and without --output the file is named after the range', async () => {
    const name = `statement-${day()}-${day()}.json`
    // Only a process has a working directory of its own.
    const answer = await cardstockIn(['statement', ...range(), '--json'], environ(), folder)
    expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(answer.out)).toEqual({ file: name, bytes: statSync(join(folder, name)).size })
  })

  test('--output - writes exactly the bytes of the statement to standard output', async () => {
    const file = join(folder, 'same.pdf')
    await run('statement', ...range(), '--format', 'pdf', '--output', file)
    const chunks: Buffer[] = []
    const terminal = {
      out: { write: (chunk: string | Uint8Array) => chunks.push(Buffer.from(chunk)) },
      err: process.stderr,
    }
    const { run: runHere } = createProgram({ ...terminal, environ: environ() })
    expect(await runHere(['statement', ...range(), '--format', 'pdf', '--output', '-'])).toBe(0)
    expect(Buffer.concat(chunks).equals(readFileSync(file))).toBe(true)
  })

  test('an existing file is not overwritten, and the exit code is 2', async () => {
    const file = join(folder, 'kept.json')
    writeFileSync(file, 'kept')
    const ended = await run('statement', ...range(), '--output', file)
    expect(ended.code).toBe(2)
    expect(ended.err).toContain('the file exists already. Choose another with --output')
    expect(readFileSync(file, 'utf8')).toBe('kept')
  })

  test('a range that is too long is refused with the server’s code, and no file is written', async () => {
    const file = join(folder, 'none.json')
    const ended = await run('statement', '--from', '2020-01-01', '--to', '2024-01-01', '--output', file, '--json')
    expect(ended.code).toBe(1)
    expect(refusalOf(ended)).toMatchObject({ code: 'statement_range_too_large', details: { latestTo: '2020-12-31' } })
    expect(() => statSync(file)).toThrow('ENOENT')
    const [dayless, format] = await Promise.all([
      run('statement', '--from', day()),
      run('statement', ...range(), '--format', 'xml'),
    ])
    expect([dayless.code, format.code]).toEqual([2, 2])
  })
})
