// Erasing free text from the audit log: only in the records of the company about the given objects, only what may name a person, and
// nothing else may be changed, before or after.
import pg from 'pg'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { Book } from '../../ledger/book.ts'

const book = await Book.open()
afterAll(() => book.close())

const ERASE = 'select erase_audit_details($1, $2::text[])'
let company: string
let other: string
beforeEach(async () => {
  company = (await book.addCompany()).scope.companyId
  other = (await book.addCompany()).scope.companyId
})

async function addRecord(owner: string, object: string, details: object): Promise<string> {
  const record = { id: newId(book.clock.now()), actor: 'A', action: 'a', object, details, createdAt: book.clock.now() }
  await book.run('select record_audit($1, $2)', [owner, JSON.stringify(record)])
  return record.id
}
async function readDetails(id: string): Promise<unknown> {
  return (await book.many<{ details: unknown }>('select details from audit_log where id = $1', [id]))[0]?.details
}

it('free text is erased, and everything else stays', async () => {
  const text = {
    reason: 'r',
    evidence: { text: 'e' },
    data: ['d'],
    idempotencyKey: 'k',
    outcome: 'completed',
    amount: 5,
  }
  const full = await addRecord(company, 'op_1', text)
  const partly = await addRecord(company, 'op_2', { reason: 'r', name: 'n' })
  const without = await addRecord(company, 'op_1', { name: 'n' })
  const about = await addRecord(company, 'op_3', text)
  const strange = await addRecord(other, 'op_1', text)
  await book.run(ERASE, [company, '{op_1,op_2}'])
  expect(await readDetails(full)).toEqual({
    reason: 'Erased',
    evidence: 'Erased',
    data: 'Erased',
    idempotencyKey: 'Erased',
    outcome: 'completed',
    amount: 5,
  })
  expect(await readDetails(partly)).toEqual({ reason: 'Erased', name: 'n' })
  expect(await readDetails(without)).toEqual({ name: 'n' })
  expect([await readDetails(about), await readDetails(strange)]).toEqual([text, text])
})

it('nothing else may be changed, neither in the same transaction nor in a later one of the session', async () => {
  const [id, left] = [
    await addRecord(company, 'op_1', { reason: 'r' }),
    await addRecord(company, 'op_2', { reason: 'r' }),
  ]
  const client = new pg.Client(book.connection)
  await client.connect()
  const change = () => client.query(`update audit_log set details = '{"reason": "Erased"}' where id = $1`, [left])
  try {
    await client.query('begin')
    await client.query(ERASE, [company, '{op_1}'])
    await expect(change()).rejects.toThrow('append-only')
    await client.query('rollback')
    await client.query(ERASE, [company, '{op_1}'])
    await expect(change()).rejects.toThrow('append-only')
  } finally {
    await client.end()
  }
  expect([await readDetails(id), await readDetails(left)]).toEqual([{ reason: 'Erased' }, { reason: 'r' }])
})
