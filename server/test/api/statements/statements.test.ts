// GET /account-statements: the range, the limits, the formats, the rate limit, and the proof.
import type { AccountEntry, Statement } from '@cardstock/sdk'
import { toCsvCell } from '@cardstock/sdk/csv'
import { ENTRY_FIELDS, entryIds, verifyStatement } from '@cardstock/sdk/statements'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { sealEntries } from '../../../src/ledger/queries.ts'
import { chooseFormat } from '../../../src/card-account/format.ts'
import { readPdf } from '../../books/pdf-text.ts'
import {
  fillDeposits,
  figuresOf,
  figuresOfCsv,
  figuresOfPdf,
  parseCsv,
  readAllFormats,
  readStatement,
} from '../../books/statements.ts'
import { expectBooksRight, fund, issueCard, operate, settled } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { complete, openInvoice } from '../../support/invoices.ts'
import { expectError } from '../expect-error.ts'

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(async () => {
  await expectBooksRight(server)
  await server.stop()
})

const today = () => server.clock.now().toISOString().slice(0, 10)
const ask = (company: TestCompany, query: string, headers: Record<string, string> = {}) =>
  server.request<Statement>('GET', `/api/v1/account-statements?${query}`, { token: company.key, headers })

describe('the document', () => {
  test('has every field of the contract, entry by entry', async () => {
    const company = await server.createCompany()
    await fund(server, company, '500.00')
    const card = await issueCard(server, company, { amount: '100.00' })
    const failed = await settled(
      server,
      company,
      await operate(server, company, {
        type: 'service',
        productId: 'prod_service_esim',
        amount: '10',
        recipient: 'fail',
      }),
    )
    const statement = await readStatement(server, company, today(), today())
    const { data, proof, ...head } = statement
    expect(head).toEqual({
      company: { id: company.wireId, name: 'Test company' },
      environment: 'sandbox',
      currency: 'USD',
      account: 'card_account',
      from: today(),
      to: today(),
      openingBalance: '0.00',
      closingBalance: '396.80',
      incoming: '500.00',
      outgoing: '103.20',
      generatedAt: server.clock.now().toISOString(),
    })
    const short = data.map((entry) => [entry.kind, entry.amount, entry.availableDelta, entry.heldDelta, entry.balance])
    expect(short).toEqual([
      ['deposit', '500.00', '500.00', '0.00', '500.00'],
      ['reservation', '0.00', '-103.20', '103.20', '500.00'],
      ['capture', '-100.00', '0.00', '-100.00', '400.00'],
      ['fee', '-3.20', '0.00', '-3.20', '396.80'],
      ['reservation', '0.00', '-10.60', '10.60', '396.80'],
      ['release', '0.00', '10.60', '-10.60', '396.80'],
    ])
    const operations = await server.get<{ data: { id: string; result: { cardId?: string } }[] }>(
      '/api/v1/operations',
      company.key,
    )
    const issue = operations.body.data.find(({ result }) => result.cardId === card.id)?.id
    expect(data.map(({ reference }) => reference)).toEqual([
      expect.stringMatching(/^fund_[0-9a-f]{32}$/),
      issue,
      issue,
      issue,
      failed.id,
      failed.id,
    ])
    const idOf = entryIds(company.wireId, 'sandbox')
    expect(data.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6].map(idOf))
    expect(
      data.every(({ createdAt, description }) => createdAt === server.clock.now().toISOString() && description !== ''),
    ).toBe(true)
    expect([proof.firstNumber, proof.lastNumber, proof.openingHeld]).toEqual([1, 6, '0.00'])
  })

  test('days are UTC days, inclusive to the millisecond', async () => {
    const company = await server.createCompany()
    for (const at of [
      '2027-05-01T23:59:59.999Z',
      '2027-05-02T00:00:00.000Z',
      '2027-05-02T23:59:59.999Z',
      '2027-05-03T00:00:00.000Z',
    ]) {
      server.clock.set(at)
      await fund(server, company, '1')
    }
    const times = async (from: string, to: string) =>
      (await readStatement(server, company, from, to)).data.map(({ createdAt }) => createdAt)
    expect(await times('2027-05-02', '2027-05-02')).toEqual(['2027-05-02T00:00:00.000Z', '2027-05-02T23:59:59.999Z'])
    expect(await times('2027-05-01', '2027-05-01')).toHaveLength(1)
    expect(await times('2027-05-03', '2028-05-02')).toHaveLength(1)
    expect(await times('2020-01-01', '2020-02-01')).toEqual([])
    expect(await readStatement(server, company, '2030-01-01', '2030-01-02')).toMatchObject({
      openingBalance: '4.00',
      closingBalance: '4.00',
      data: [],
    })
  })

  test('has the same hashes whether its entries are sealed, partly sealed or not sealed', async () => {
    const company = await server.createCompany()
    await fillDeposits(server, company, 40, server.clock.now())
    server.clock.advance(86_400_000)
    const day = today()
    await fillDeposits(server, company, 40, server.clock.now())
    const before = await readStatement(server, company, day, day)
    for (const limit of [13, 30, 50]) {
      await sealEntries(server.db, { company_id: company.id, environment: 'sandbox' }, server.clock.now(), limit)
      expect((await readStatement(server, company, day, day)).proof).toEqual(before.proof)
    }
    expect(before.proof.firstNumber).toBe(41)
    expect(verifyStatement(before).problems).toEqual([])
  })
})

describe('refused', () => {
  test.each([
    ['from=2026-01-01', 'validation_failed'],
    ['to=2026-01-01', 'validation_failed'],
    ['from=2026-02-30&to=2026-03-01', 'validation_failed'],
    ['from=2026-1-1&to=2026-03-01', 'validation_failed'],
    ['from=2026-01-01T00:00:00Z&to=2026-03-01', 'validation_failed'],
    ['from=2026-03-02&to=2026-03-01', 'validation_failed'],
    ['from=2026-01-01&to=2026-01-02&format=xml', 'validation_failed'],
    ['from=2026-01-01&to=2026-01-02&extra=1', 'validation_failed'],
    ['from=2026-01-01&to=2027-01-02', 'statement_range_too_large'],
    ['from=0000-01-01&to=9999-12-31', 'statement_range_too_large'],
  ] as const)('%s: %s', async (query, code) => {
    expectError(await ask(await server.createCompany(), query), code)
  })

  test('366 days are accepted, 367 are refused with the latest day that fits', async () => {
    const company = await server.createCompany()
    expect((await ask(company, 'from=2026-01-01&to=2027-01-01')).status).toBe(200)
    const { details } = expectError(await ask(company, 'from=2026-01-01&to=2027-01-02'), 'statement_range_too_large')
    expect(details).toEqual({ days: 367, latestTo: '2027-01-01' })
    for (const query of [
      'from=0000-01-01&to=0000-01-02',
      'from=0001-01-01&to=0001-01-02',
      'from=9999-12-31&to=9999-12-31',
    ]) {
      expect((await ask(company, query)).status, query).toBe(200)
    }
  })

  test('exactly 10,000 entries are accepted, and 10,001 are refused with the latest day that fits', async () => {
    const company = await server.createCompany()
    const days = ['2029-01-01', '2029-01-02', '2029-01-05', '2029-01-06']
    for (const [index, count] of [4000, 5999, 1, 1].entries()) {
      await fillDeposits(server, company, count, new Date(`${days[index]}T10:00:00Z`))
    }
    const full = await readStatement(server, company, '2029-01-01', '2029-01-05')
    expect(full.data).toHaveLength(10_000)
    expect(verifyStatement(full).problems).toEqual([])
    const { details } = expectError(await ask(company, 'from=2029-01-01&to=2029-01-06'), 'statement_too_many_entries')
    expect(details).toEqual({ count: 10_001, latestTo: '2029-01-05' })
    await fillDeposits(server, company, 3, new Date('2029-01-06T11:00:00Z'))
    const again = expectError(
      await ask(company, 'from=2029-01-01&to=2029-12-31&format=csv'),
      'statement_too_many_entries',
    )
    expect(again.details).toEqual({ count: 10_004, latestTo: '2029-01-05' })
    expect((await readStatement(server, company, '2029-01-02', '2029-01-06')).data).toHaveLength(6004)
    await fillDeposits(server, company, 10_001, new Date('2029-02-01T00:00:00Z'))
    const oneDay = expectError(await ask(company, 'from=2029-02-01&to=2029-02-02'), 'statement_too_many_entries')
    expect(oneDay.details).toEqual({ count: 10_001, latestTo: null })
  })

  test('needs balance:read', async () => {
    const company = await server.createCompany()
    const key = await server.createKey(company.id, { scopes: ['operations:read'] })
    expectError(await ask({ ...company, key }, 'from=2026-01-01&to=2026-01-02'), 'scope_missing')
  })

  test('more than two per second answer 429, while the key’s other calls still work', async () => {
    const strict = await TestServer.start({ STATEMENT_RATE_LIMIT_PER_SECOND: '2' })
    try {
      const company = await strict.createCompany()
      const statement = () => strict.get('/api/v1/account-statements?from=2026-01-01&to=2026-01-02', company.key)
      const answers = await Promise.all(Array.from({ length: 8 }, statement))
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThan(0)
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1)
      for (const answer of refused) {
        expectError(answer, 'rate_limited')
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"key";q=100000;w=1, "statements";q=2;w=1')
      expect((await strict.get('/api/v1/balance', company.key)).status).toBe(200)
    } finally {
      await strict.stop()
    }
  })
})

describe('the formats', () => {
  test.each([
    [undefined, undefined, 'json'],
    [undefined, '*/*', 'json'],
    [undefined, 'text/csv', 'csv'],
    [undefined, 'application/pdf', 'pdf'],
    [undefined, 'text/html,application/xhtml+xml,*/*;q=0.8', 'json'],
    [undefined, 'application/pdf;q=0.5, text/csv;q=0.9', 'csv'],
    [undefined, 'text/*', 'csv'],
    [undefined, 'text/csv;q=0', 'json'],
    [undefined, 'image/png', 'json'],
    ['pdf', 'text/csv', 'pdf'],
    ['json', 'text/csv', 'json'],
  ] as const)('format=%s, Accept: %s gives %s', (format, accept, expected) => {
    expect(chooseFormat(format, accept)).toBe(expected)
  })

  test('a company’s name can be anything: a formula stays text, and the PDF shows every script', async () => {
    const company = await server.createCompany()
    const name = '=cmd|"/c calc"!A1, Ünï\r\n株式会社 Компания شركة חברה कंपनी 🏦𠀀'
    await server.db.run(sql`update company set name = ${name} where id = ${company.id}`)
    await fund(server, company, '5')
    const statement = await readStatement(server, company, today(), today())
    expect(statement.company.name).toBe(name)
    const { csv, pdf } = await readAllFormats(server, company, today(), today())
    expect(figuresOfCsv(csv)).toEqual(figuresOf(statement))
    expect(figuresOfPdf(pdf)).toEqual(figuresOf(statement))
    expect(parseCsv(csv)[1]?.[3]).toBe(`Opening balance of ${name} (${company.wireId}), sandbox`)
    const drawn = readPdf(pdf).pages.flat().join('')
    for (const part of ['株式会社', 'Компания', 'कंपनी', 'Ünï']) expect(drawn).toContain(part)
    expect(drawn).toContain('\uFFFD')
  })

  test('a name with markup is not added to the metadata of the PDF, which is XML', async () => {
    const company = await server.createCompany()
    await server.db.run(sql`update company set name = '</rdf:li><x>&' where id = ${company.id}`)
    const { pdf } = await readAllFormats(server, company, today(), today())
    const metadata =
      [...readPdf(pdf).objects.values()].find(({ head }) => head.includes('/Type /Metadata'))?.stream ?? ''
    expect(metadata).toContain('Card account statement')
    expect(metadata).not.toContain('<x>')
    expect(metadata).not.toContain('&')
  })

  test.each(['=1+1', '+1', '-1+2', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('the cell %j is escaped', (text) => {
    expect(parseCsv(`${toCsvCell(text)}\r\n`)).toEqual([[`'${text}`]])
  })
  test.each(['-12.50', '0.00', 'op_1', "O'Brien"])('the cell %j is not changed', (text) => {
    expect(toCsvCell(text)).toBe(text)
  })

  test('screen, CSV and PDF name the card, holder, service or invoice of an entry in the same words', async () => {
    const company = await server.createCompany()
    await fund(server, company, '12345.00')
    const card = await issueCard(server, company, { amount: '1000.00' })
    await settled(server, company, await operate(server, company, { type: 'topup', cardId: card.id, amount: '50.00' }))
    const service = { type: 'service', productId: 'prod_service_esim', amount: '10', recipient: 'me@example.com' }
    await settled(server, company, await operate(server, company, service))
    const invoice = await openInvoice(server, company, '25000')
    await complete(server, company, invoice.id)
    const { csv, pdf } = await readAllFormats(server, company, today(), today())
    const texts = readPdf(pdf).pages.flat()
    const { last4, holderId } = (await server.get(`/api/v1/cards/${card.id}`, company.key)).body as Record<
      string,
      string
    >
    const holder = (await server.get<{ name: string }>(`/api/v1/holders/${holderId}`, company.key)).body.name
    const words = [
      `Virtual card for ${holder} ·· ${last4}`,
      `Reserved: Virtual card for ${holder} ·· ${last4}`,
      `Top-up of ·· ${last4}`,
      `Fee: Top-up of ·· ${last4}`,
      `Deposit by invoice: 25000.00 USD, ${today()}`,
    ]
    expect(texts).toEqual(expect.arrayContaining(words))
    expect(parseCsv(csv).map((row) => row[ENTRY_FIELDS.indexOf('description')])).toEqual(expect.arrayContaining(words))
    const entries = await server.get<{ data: AccountEntry[] }>('/api/v1/account-entries?limit=100', company.key)
    expect(entries.body.data.map(({ title }) => title)).toEqual(expect.arrayContaining(words))
    const topup = entries.body.data.find(({ title }) => title === `Top-up of ·· ${last4}`)
    expect(topup).toMatchObject({ card: { id: card.id, last4 }, holder: { id: holderId, name: holder } })
    expect(texts.some((text) => /^Fee: .+ for me@example\.com$/.test(text))).toBe(true)
    expect(texts).toContain('Sandbox funding')
    expect(texts).toContain('12,345.00')
    // Whole, so everything fits its column.
    expect(texts).toContain(`Deposit by invoice: 25000.00 USD, ${today()}`)
    expect(texts).toContain(`Reserved: Top-up of ·· ${last4}`)
    expect(texts.filter((text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(text)).length).toBeGreaterThan(10)
    expect(texts.filter((text) => text.endsWith('…'))).toEqual([])
    const statement = await readStatement(server, company, today(), today())
    // In the JSON document the description depends only on the kind, so that a statement can be verified offline.
    expect(statement.data.map(({ description }) => description)).toContain('Paid for an operation')
    expect(figuresOfPdf(pdf)).toEqual(figuresOf(statement))
  })

  test('the PDF is tagged with a language, a title, headings, and a table whose cells are in the tree', async () => {
    const company = await server.createCompany()
    await fillDeposits(server, company, 120, server.clock.now())
    const { pdf } = await readAllFormats(server, company, today(), today())
    const { objects, pages } = readPdf(pdf)
    const dictionaries = [...objects.values()].map(({ head }) => head)
    const count = (pattern: RegExp) => dictionaries.filter((text) => pattern.test(text)).length
    expect(pages.length).toBeGreaterThan(2)
    expect(count(/\/Marked true/)).toBe(1)
    expect(count(/\/Lang \(en\)/)).toBe(1)
    expect(count(/\/DisplayDocTitle true/)).toBe(1)
    expect(count(/\/S \/H1\b/)).toBe(1)
    expect(count(/\/S \/Table\b/)).toBe(1)
    expect(count(/\/S \/TR\b/)).toBe(121)
    expect(count(/\/S \/TH\b/)).toBe(8)
    expect(count(/\/S \/TD\b/)).toBe(120 * 8)
    expect(count(/\/BaseFont \/Helvetica/)).toBe(0)
    expect(count(/\/FontFile2/)).toBeGreaterThan(0)
    expect(pdf.toString('latin1')).toContain('pdfuaid:part')
  })
})
