// Compares docs/ledger.md with the database: its example, kinds, columns and functions, and its description of the chain.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '../../src/ledger/audit.ts'
import { cents } from '../../src/lib/money.ts'
import { Book, type BookCompany, completed, issue } from './book.ts'

const page = readFileSync(new URL('../../../docs/ledger.md', import.meta.url), 'utf8')
const book = await Book.open()
let company: BookCompany
afterAll(() => book.close())

interface Entry {
  number: bigint
  kind: string
  reference: string
  available_delta: bigint
  held_delta: bigint
  balance: bigint
  held: bigint
  created_at: Date
}
const entries = () => book.many<Entry>('select * from entry order by number')

beforeAll(async () => {
  company = await book.addCompany(100_000n)
  const id = await book.accept(issue(company, { amount: cents(2500n), fee: cents(305n) }))
  await book.claimAll()
  await book.settle([completed(company, id, 'issue')])
})

/** The cells of the rows of the table that begins with this heading. */
function tableAfter(heading: string): string[][] {
  const rows = page.slice(page.indexOf(heading)).split('\n\n')[0]?.split('\n').slice(2) ?? []
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

it('the example matches the database', async () => {
  const shown = tableAfter('| number | kind ')
  const real = (await entries()).map((entry) =>
    [entry.number, entry.kind, entry.available_delta, entry.held_delta, entry.balance, entry.held].map((value) =>
      String(value).replace('-', '−'),
    ),
  )
  expect(shown).toEqual(real)
})

it('all columns of an account except its key are described', async () => {
  const columns = await book.many<{ column_name: string }>(
    "select column_name from information_schema.columns where table_name = 'account' order by ordinal_position",
  )
  const shown = tableAfter('| column ').map(([name]) => name)
  expect(columns.map(({ column_name: name }) => name)).toEqual(['company_id', 'environment', ...shown])
})

it('the kinds of entries are those that the table allows', async () => {
  const [row] = await book.many<{ definition: string }>(
    "select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'entry_kind_check'",
  )
  const texts = [...(row?.definition ?? '').matchAll(/'\{?([\w,]+)\}?'::text/g)]
  const allowed = new Set(texts.flatMap(([, kinds]) => kinds?.split(',')))
  const shown = new Set(tableAfter('| kind ').map(([kind]) => kind?.split(' ')[0]))
  expect(shown).toEqual(allowed)
})

it('the functions exist, and no other one writes to accounts or entries', async () => {
  const functions = await book.many<{ proname: string; prosrc: string }>(
    'select proname, prosrc from pg_proc where pronamespace = quote_ident(current_schema())::regnamespace',
  )
  const named = tableAfter('| function ').flatMap(([name]) => name?.match(/\w+/g) ?? [])
  const existing = new Set(functions.map(({ proname }) => proname))
  for (const name of named) expect(existing).toContain(name)
  const writers = functions.filter(({ prosrc }) => /insert into (entry|account)|update account/.test(prosrc))
  for (const { proname } of writers) expect(named).toContain(proname)
})

it('the chain can be computed from the description alone', async () => {
  const { companyId, environment } = company.scope
  await book.run('select seal_entries($1, $2, $3, 100)', [companyId, book.clock.now(), environment])
  const sha256 = (...parts: (Buffer | string)[]) => {
    const hash = createHash('sha256')
    for (const part of parts) hash.update(part)
    return hash.digest()
  }
  let value = sha256(`cardstock ledger ${companyId} ${environment}`)
  for (const entry of await entries()) {
    const { number, kind, reference, available_delta: available, held_delta: heldDelta, balance, held } = entry
    const fields = [number, kind, reference, available, heldDelta, balance, held, entry.created_at.getTime()]
    value = sha256(value, fields.join('|'))
  }
  const [seal] = await book.many<{ number: bigint; hash: Buffer }>('select number, hash from seal')
  expect([seal?.number, seal?.hash.toString('hex')]).toEqual([4n, value.toString('hex')])
})

it('the audit counts both accounts of the company and finds no difference', async () => {
  expect(await auditLedger(book.db)).toEqual({ accounts: 2, entries: 4, differences: [] })
})
