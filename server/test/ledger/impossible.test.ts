// Tries directly in SQL what must never happen in the ledger: the database itself refuses it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onCitus } from '../support/on-citus.ts'
import { Book, type BookCompany, completed, failed, issue, service } from './book.ts'

const book = await Book.open()
let company: BookCompany
let completedId: string
let failedId: string

beforeAll(async () => {
  company = await book.addCompany(1_000_000n)
  completedId = await book.accept(issue(company))
  failedId = await book.accept(service(company))
  await book.accept(service(company))
  // Hold enough money, so that each wrong entry is refused for the fault that it is meant to show.
  await book.accept(service(company))
  await book.claimAll()
  await book.settleAll([completed(company, completedId, 'issue'), failed(company, failedId)])
  await book.run('select seal_entries($1, $2, $3, 1000)', [company.scope.companyId, book.clock.now(), 'sandbox'])
})
afterAll(async () => {
  await book.requireClean()
  await book.close()
})

const USUAL_TYPES: Record<string, string> = { deposit: 'fund', adjustment: 'card' }
/** The next entry of the account, wrong in some way. */
function insertEntry(
  kind: string,
  reference: string,
  [available, held]: readonly [number, number],
  type = USUAL_TYPES[kind] ?? 'op',
): Promise<number> {
  return book.run(
    `insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
     select company_id, environment, sequence + 1, $2, $3, $6::reference_type, $4::bigint, $5::bigint, available + held + $4::bigint + $5::bigint, held + $5::bigint, last_entry_at
     from account where company_id = $1 and environment = 'sandbox'`,
    [company.scope.companyId, kind, reference, available, held, type],
  )
}
const refused = (attempt: Promise<unknown>, message: RegExp) => expect(attempt).rejects.toThrow(message)

describe('an account', () => {
  it.each(['available = -1', 'held = -1', 'available = available - 10000000', 'held = held - 10000000'])(
    'cannot be set to %s',
    (change) =>
      refused(
        book.run(`update account set ${change} where company_id = $1 and environment = 'sandbox'`, [
          company.scope.companyId,
        ]),
        /account_(available|held)_check/,
      ),
  )
  it('cannot have a negative count of issues', () =>
    refused(book.run('update account set issued_count = -1'), /account_issued_count_check/))
  it('exists once per company and environment', () =>
    refused(
      book.run('insert into account (company_id, environment, last_entry_at) values ($1, $2, $3)', [
        company.scope.companyId,
        'sandbox',
        book.clock.now(),
      ]),
      /account_pkey/,
    ))
})

describe('an operation', () => {
  it.each([
    ['is captured once', 'capture', () => completedId, [0, -1000]],
    ['is charged its fee once', 'fee', () => completedId, [0, -302]],
    ['that was captured is not released', 'release', () => completedId, [1302, -1302]],
    ['is released once', 'release', () => failedId, [1060, -1060]],
    ['that was released is not captured', 'capture', () => failedId, [0, -1000]],
  ] as const)('%s', (_name, kind, reference, deltas) =>
    refused(insertEntry(kind, reference(), deltas), /entry_(ends|charges)_once/),
  )
  it('is deposited once', async () => {
    const [row] = await book.many<{ reference: string }>("select reference from entry where kind = 'deposit'")
    await refused(insertEntry('deposit', row?.reference ?? '', [5, 0]), /entry_deposits_once/)
  })
  it.each(['update operation set amount = 0', 'update operation set fee = -1', "update operation set status = 'lost'"])(
    'refuses %s',
    (text) => refused(book.run(text), /operation_.*check/),
  )
  it.each([
    ['completed without a receipt', "status = 'completed', receipt = null"],
    ['completed issue without a card', "status = 'completed', receipt = 'R', card_id = null"],
    ['failed without a reason', "status = 'failed', failure_code = null"],
    ['unfinished with a failure', "status = 'processing', failure_code = 'x'"],
  ])('is never %s', (_name, change) =>
    refused(book.run(`update operation set ${change} where id = $1`, [completedId]), /operation_check/),
  )
  it('cannot share its idempotency key', () =>
    refused(
      book.run(`update operation set idempotency_key = 'shared' where company_id = $1`, [company.scope.companyId]),
      /operation_key/,
    ))
})

describe('an entry', () => {
  it.each([
    ['deposit', [0, 0]],
    ['deposit', [-5, 0]],
    ['deposit', [5, 5]],
    ['deposit', [0, 5]],
    ['fee', [5, 0]],
    ['fee', [0, 5]],
    ['fee', [-5, -5]],
    ['fee', [0, 0]],
    ['reservation', [5, -5]],
    ['reservation', [-5, 4]],
    ['reservation', [0, 5]],
    ['reservation', [-5, 0]],
    ['capture', [0, 5]],
    ['capture', [-5, 0]],
    ['capture', [5, -5]],
    ['release', [-5, 5]],
    ['release', [5, -4]],
    ['release', [0, -5]],
    ['adjustment', [0, 0]],
    ['adjustment', [0, -5]],
    ['adjustment', [5, -5]],
    ['gift', [5, 0]],
  ] as const)('of kind %s with the deltas %j is refused', (kind, deltas) =>
    refused(insertEntry(kind, randomUUID(), deltas), /entry_(kind_check|check)/),
  )
  it.each([
    ['deposit', [5, 0], 'op'],
    ['deposit', [5, 0], 'card'],
    ['fee', [-5, 0], 'op'],
    ['fee', [0, -5], 'inv'],
    ['reservation', [-5, 5], 'inv'],
    ['capture', [0, -5], 'fund'],
    ['release', [5, -5], 'rev'],
    ['adjustment', [5, 0], 'inv'],
  ] as const)('of kind %s with the deltas %j cannot refer to %s', (kind, deltas, type) =>
    refused(insertEntry(kind, randomUUID(), deltas, type), /entry_kind_check/),
  )
  it.each([
    ['a balance below zero', '-1', '0'],
    ['a held part below zero', '1', '-1'],
    ['more held than there is', '1', '2'],
  ])('with %s is refused', (_name, balance, held) =>
    refused(
      book.run(
        `insert into entry (company_id, environment, number, kind, reference, reference_type, available_delta, held_delta, balance, held, created_at)
         select company_id, environment, sequence + 1, 'deposit', $2, 'fund', 1, 0, $3, $4, last_entry_at
         from account where company_id = $1 and environment = 'sandbox'`,
        [company.scope.companyId, randomUUID(), balance, held],
      ),
      /entry_(balance_check|check)/,
    ),
  )
  it('cannot share its number', () =>
    refused(
      book.run(
        `insert into entry select company_id, environment, number, kind, $1, available_delta, held_delta, balance, held, created_at, reference_type
         from entry where kind = 'deposit'`,
        [randomUUID()],
      ),
      /entry_pkey/,
    ))
})

describe.each(['entry', 'seal', 'exchange', 'audit_log', 'entry_archive'])('the table %s', (table) => {
  const ofNoRow = [`update ${table} set company_id = company_id where false`, `delete from ${table} where false`]
  it.each([
    `update ${table} set company_id = company_id`,
    // A row of `entry` can be deleted when it is archived, so a deletion of no row is not refused.
    ...(table === 'entry' ? [...ofNoRow.slice(0, 1), 'delete from entry where number = 3'] : ofNoRow).filter(
      (text) => !onCitus('no row') || !ofNoRow.includes(text),
    ),
    `delete from ${table}`,
    `truncate ${table}`,
    `truncate ${table} cascade`,
  ])('refuses %s', (text) =>
    // PostgreSQL itself refuses to truncate seals, to which archives refer.
    refused(book.run(text), text === 'truncate seal' ? /referenced in a foreign key/ : /append-only/),
  )
})

describe.skipIf(onCitus('archive'))('an archived entry', () => {
  /** Entries 1 to 8: a deposit, four reservations, a capture, its fee and a release. The operations that are open began earlier. */
  const record = (number: number) =>
    book.run(
      `insert into entry_archive (company_id, environment, number, hash, balance, held, last_at, reservations, deposits, file_name, file_digest, archived_at)
       select s.company_id, s.environment, $2::bigint, s.hash, 0, 0, s.sealed_at, 0, 0, 'none', s.hash, s.sealed_at from seal s
       where s.company_id = $1`,
      [company.scope.companyId, number],
    )

  it('is never recorded beyond what is sealed, or while an operation that it has is open', async () => {
    await refused(record(9), /entry_archive_.*_fkey/)
    await refused(record(7), /entry_archive_.*_fkey/)
    const [sealed] = await book.many<{ hash: Buffer }>('select hash from seal where company_id = $1', [
      company.scope.companyId,
    ])
    const values = [company.scope.companyId, book.clock.now(), sealed?.hash.toString('hex'), '00'.repeat(32)]
    await refused(book.many("select record_archive($1, $2, 'sandbox', 1, 8, $3, 'none', $4)", values), /is not final/)
  })

  it('is the only one that can be deleted', async () => {
    const remove = (last: number) =>
      book.many("select delete_archived_entries($1, 'sandbox', 1, $2)", [company.scope.companyId, last])
    await refused(remove(1), /entry 1 is not archived/)
    expect(await book.many('select number from entry')).toHaveLength(8)
  })
})

it.each(['delete from product', 'delete from product where false', 'truncate product cascade'])(
  'a product, which cards name, is never removed: %s',
  (text) => refused(book.run(text), /is never removed/),
)
