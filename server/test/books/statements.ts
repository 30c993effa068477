// Reading statements in their three formats, and every way to alter one field of one.
import type { Statement } from '@cardstock/sdk'
import { ENTRY_FIELDS } from '@cardstock/sdk/statements'
import { expect } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { ENTRY_KINDS } from '../../src/card-account/rules.ts'
import type { TestCompany, TestServer } from '../support/harness.ts'
import { readPdf } from './pdf-text.ts'

const PATH = '/api/v1/account-statements'

export async function readStatement(
  server: TestServer,
  company: TestCompany,
  from: string,
  to: string,
): Promise<Statement> {
  const answer = await server.get<Statement>(`${PATH}?from=${from}&to=${to}`, company.key)
  expect(answer.status, answer.text.slice(0, 500)).toBe(200)
  return answer.body
}

export interface Figures {
  openingBalance: string
  closingBalance: string
  incoming: string
  outgoing: string
  entries: string[][]
}

/** What all formats show alike. Descriptions are longer in the PDF. */
const FIGURE_FIELDS = ['createdAt', 'kind', 'reference', 'amount', 'balance', 'availableDelta', 'heldDelta'] as const

export function figuresOf({ openingBalance, closingBalance, incoming, outgoing, data }: Statement): Figures {
  const entries = data.map((entry) => FIGURE_FIELDS.map((field) => entry[field]))
  return { openingBalance, closingBalance, incoming, outgoing, entries }
}

/** RFC 4180, strictly: a quote inside an unquoted cell, or a bare line break, is a failure. */
export function parseCsv(text: string): string[][] {
  expect(text.endsWith('\r\n')).toBe(true)
  const rows: string[][] = []
  let rest = text
  while (rest !== '') {
    const row: string[] = []
    for (;;) {
      const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest)
      if (match === null) throw new Error(`not RFC 4180: ${rest.slice(0, 80)}`)
      row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
      rest = rest.slice(match[0].length)
      if (match[3] !== ',') break
    }
    rows.push(row)
  }
  return rows
}

export function figuresOfCsv(text: string): Figures {
  const [head = [], ...rows] = parseCsv(text)
  expect(head).toEqual([...ENTRY_FIELDS])
  const cell = (row: string[] | undefined, field: (typeof ENTRY_FIELDS)[number]) =>
    row?.[ENTRY_FIELDS.indexOf(field)] ?? ''
  const summary = (kind: string) => rows.find((row) => cell(row, 'kind') === kind && cell(row, 'id') === '')
  const entries = rows
    .filter((row) => cell(row, 'id') !== '')
    .map((row) => FIGURE_FIELDS.map((field) => cell(row, field)))
  expect(rows[0]).toBe(summary('opening_balance'))
  expect(rows.at(-1)).toBe(summary('closing_balance'))
  return {
    openingBalance: cell(summary('opening_balance'), 'balance'),
    closingBalance: cell(summary('closing_balance'), 'balance'),
    incoming: cell(summary('incoming'), 'amount'),
    outgoing: cell(summary('outgoing'), 'amount').replace('-', ''),
    entries,
  }
}

/** A row has eight cells. A description in several scripts consists of several pieces of text. */
const ROW_TEXTS_MAX = 20

function ungroup(figure: string): string {
  return figure.replaceAll(',', '')
}

export function figuresOfPdf(pdf: Buffer): Figures {
  const { pages } = readPdf(pdf)
  const texts = pages.flat()
  const figure = (label: string) =>
    ungroup(texts.find((text) => text.startsWith(`${label}: `))?.slice(label.length + 2, -4) ?? '')
  const entries: string[][] = []
  for (const [index, text] of texts.entries()) {
    if (!/^\d{4}-\d\d-\d\d [\d:.]{12}$/.test(text)) continue
    const row = texts.slice(index, index + ROW_TEXTS_MAX)
    const reference = row.findIndex((cell) => /^[a-z]+_[0-9a-f]{32}$/.test(cell))
    const figures = row.slice(reference, reference + 5).map(ungroup)
    entries.push([`${text.replace(' ', 'T')}Z`, row[1] ?? '', ...figures])
  }
  for (const [index, page] of pages.entries()) {
    expect(page.some((text) => text.startsWith(`Page ${index + 1} of ${pages.length}.`))).toBe(true)
  }
  return {
    openingBalance: figure('Opening balance'),
    closingBalance: figure('Closing balance'),
    incoming: figure('Incoming'),
    outgoing: figure('Outgoing'),
    entries,
  }
}

export async function readAllFormats(server: TestServer, company: TestCompany, from: string, to: string) {
  const headers = { authorization: `Bearer ${company.key}` }
  const url = `${server.baseUrl}${PATH}?from=${from}&to=${to}`
  const [csv, pdf] = await Promise.all([
    fetch(`${url}&format=csv`, { headers }),
    fetch(url, { headers: { ...headers, accept: 'application/pdf' } }),
  ])
  expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  return { csv: await csv.text(), pdf: Buffer.from(await pdf.arrayBuffer()) }
}

/** Every single-field alteration: each leaf changed in each way that still looks right, each field removed, one added. */
export function alterations(statement: Statement): { what: string; altered: unknown }[] {
  const found: { what: string; altered: unknown }[] = []
  const visit = (value: unknown, path: (string | number)[]) => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        const at = [...path, Array.isArray(value) ? Number(key) : key]
        visit(child, at)
        found.push({ what: `${at.join('.')} removed`, altered: change(statement, at, undefined) })
      }
      return
    }
    for (const other of othersOf(value as string | number)) {
      found.push({
        what: `${path.join('.')} ${String(value)} → ${String(other)}`,
        altered: change(statement, path, other),
      })
    }
  }
  visit(statement, [])
  const [first] = statement.data
  if (first !== undefined) {
    found.push({ what: 'an entry twice', altered: { ...statement, data: [first, ...statement.data] } })
    if (statement.data.length > 1)
      found.push({ what: 'entries reversed', altered: { ...statement, data: statement.data.toReversed() } })
  }
  found.push({ what: 'a field added', altered: { ...statement, note: 'x' } })
  return found
}

function othersOf(value: string | number): (string | number)[] {
  if (typeof value === 'number') return [value + 1, value - 1, String(value)]
  if (/^-?\d+\.\d\d$/.test(value)) return amounts(value)
  if (/^\d{4}-\d\d-\d\d$/.test(value))
    return [-1, 1].map((days) => new Date(Date.parse(value) + days * 86_400_000).toISOString().slice(0, 10))
  if (/^\d{4}-.*Z$/.test(value)) return [-1, 1, 86_400_000].map((ms) => new Date(Date.parse(value) + ms).toISOString())
  if (/^[a-z]+_[0-9a-f]{32}$/.test(value)) {
    const hex = value.slice(value.indexOf('_') + 1)
    return [
      flip(value),
      ...['op', 'inv', 'fund', 'card', 'txn', 'ent', 'co']
        .map((prefix) => `${prefix}_${hex}`)
        .filter((other) => other !== value),
    ]
  }
  if (/^[0-9a-f]{64}$/.test(value)) return [flip(value)]
  if (ENTRY_KINDS.some((kind) => kind === value)) return ENTRY_KINDS.filter((kind) => kind !== value)
  if (value === 'sandbox') return ['live', 'Sandbox']
  return [`${value} `, `${value}x`, '']
}

function amounts(value: string): string[] {
  const cents = BigInt(value.replace('.', ''))
  const write = (other: bigint) => {
    const digits = (other < 0n ? -other : other).toString().padStart(3, '0')
    return `${other < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
  }
  return [...new Set([cents + 1n, cents - 1n, -cents, cents * 10n].map(write))].filter((other) => other !== value)
}

function flip(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0')
}

function change(value: unknown, [key, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (key === undefined) return to
  if (Array.isArray(value)) {
    const changed = value.map((item: unknown, index) => (index === key ? change(item, rest, to) : item))
    return rest.length === 0 && to === undefined ? changed.filter((_, index) => index !== key) : changed
  }
  const copy = { ...(value as Record<string, unknown>) }
  if (rest.length === 0 && to === undefined) delete copy[key]
  else copy[key] = change(copy[key], rest, to)
  return copy
}

/** So many rows at once, so that a statement does not take too long on a busy machine. */
export const FILL_MAX = 10_000

/** Many deposits of one cent at one instant, as the ledger would have written them. */
export async function fillDeposits(
  server: Pick<TestServer, 'db'>,
  company: Pick<TestCompany, 'id'>,
  count: number,
  at: Date,
): Promise<void> {
  for (let left = count; left > 0; left -= FILL_MAX) await fillSome(server, company, Math.min(left, FILL_MAX), at)
}

async function fillSome(
  server: Pick<TestServer, 'db'>,
  company: Pick<TestCompany, 'id'>,
  count: number,
  at: Date,
): Promise<void> {
  await server.db.run(sql`
    with filled as (
      update account set available = available + ${count}, sequence = sequence + ${count}, last_entry_at = ${at}
      where company_id = ${company.id} and environment = 'sandbox' returning company_id, sequence - ${count} as before, available - ${count} as had, held
    ), made as (
      insert into deposit (company_id, environment, id, amount, idempotency_key, request_digest, created_at)
      select company_id, 'sandbox', event_id(event_time(${at}), gen_random_uuid(), 1), 1, 'fill ' || before + n, '', ${at} from filled, generate_series(1, ${count}::integer) n
      returning id, idempotency_key
    )
    insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
    select company_id, 'sandbox', before + n, 'deposit', m.id, 'fund', 1, 0, had + held + n, held, ${at}
    from filled, generate_series(1, ${count}::integer) n join made m on m.idempotency_key = 'fill ' || (select before from filled) + n`)
}
