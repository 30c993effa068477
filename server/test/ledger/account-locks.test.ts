// The functions that lock an account lock that of their company and environment, even if they then change nothing, and lock no
// other, so that companies do not wait for each other.
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Scope } from '../../src/lib/scope.ts'
import { Book, type BookCompany } from './book.ts'

const FUNCTIONS = new URL('../../sql/functions/', import.meta.url)
const LOCK = /\bfrom account a\s+where a\.company_id = p_company and a\.environment = p_environment for no key update/
const NOBODY = '00000000-0000-7000-8000-000000000000'

/**
 * Calls for the company $1 and its holder $2 in the sandbox that change no account: the object does not exist, a limit is
 * reached, or the holder is erased already. The lock is all that an account has of them.
 */
const CALLS = [
  `accept_operation($1, now(), 'sandbox', '${NOBODY}', 'key', '00', 'service', 'prod_service_esim', 100, 0, null, null, null, 'a', 1)`,
  `begin_card_change($1, now(), 'sandbox', '${NOBODY}', '${NOBODY}', 'closed', '{active}', now())`,
  `begin_invoice($1, now(), 'sandbox', '${NOBODY}', 'key', '00', 100, 0, now(), repeat('00', 32))`,
  `cancel_invoice($1, now(), 'sandbox', '${NOBODY}', 'key', '')`,
  `create_webhook_endpoint($1, now(), 'sandbox', '${NOBODY}', 'https://example.com', '{}', null, '${NOBODY}', '', 'key', 0)`,
  `deposit_funds($1, now(), 'sandbox', '${NOBODY}', 'key', '00', 100, 0, 0)`,
  `erase_cards($1, 'sandbox', '${NOBODY}', '${NOBODY}')`,
  `erase_holder($1, now(), 'sandbox', $2, 0, '{}')`,
  `expire_invoice($1, now(), 'sandbox', '${NOBODY}', '')`,
  `record_archive($1, now(), 'sandbox', 2, 2, '00', 'file', '00')`,
  `record_payment($1, now(), 'sandbox', '${NOBODY}', 'key', 100, now(), '${NOBODY}', '')`,
  `record_transaction($1, now(), 'sandbox', '${NOBODY}', 'key', '${NOBODY}', 'purchase', 'settled', 1, 'USD', 1, 'a', 'US', '', now(), true)`,
  `report_card_status($1, now(), 'sandbox', '${NOBODY}', 'closed', 0)`,
  `resolve_review($1, now(), 'sandbox', 'operation', '${NOBODY}', '{manual_review}', '{}', '{}')`,
  `settle_card_change($1, now(), 'sandbox', '${NOBODY}', 'failed', null, null, null, null, null)`,
  `settle_invoice($1, now(), 'sandbox', '${NOBODY}', 'failed', null, null, null, null, null, null, null, null, '')`,
]

let book: Book
let company: BookCompany
let client: pg.Client

beforeAll(async () => {
  book = await Book.open()
  company = await book.addCompany()
  await book.run("update holder set erasure = 'completed'")
  await book.addCompany()
  client = new pg.Client(book.connection)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await book.close()
})

/** Returns the accounts, of all four, that a transaction has locked. */
async function findLocked(): Promise<string[]> {
  const accounts = await book.many<Scope>('select company_id as "companyId", environment from account')
  expect(accounts).toHaveLength(4)
  const locked: string[] = []
  for (const { companyId, environment } of accounts) {
    const select = 'select from account where company_id = $1 and environment = $2 for no key update skip locked'
    const free = await book.many(select, [companyId, environment])
    if (free.length === 0) locked.push(`${companyId} ${environment}`)
  }
  return locked
}

describe('locks its account and no other', () => {
  it.each(CALLS.map((call) => [call.slice(0, call.indexOf('(')), call]))('%s', async (_, call) => {
    const { companyId } = company.scope
    await client.query('begin')
    try {
      await client.query(`select ${call}`, call.includes('$2') ? [companyId, company.holderId] : [companyId])
      expect(await findLocked()).toEqual([`${companyId} sandbox`])
    } finally {
      await client.query('rollback')
    }
  })
})

it('every function that locks one account is called above', () => {
  const locking = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sql') && LOCK.test(readFileSync(new URL(file, FUNCTIONS), 'utf8')))
    .map((file) => file.slice(file.lastIndexOf('/') + 1, -'.sql'.length))
  expect(CALLS.map((call) => call.slice(0, call.indexOf('('))).toSorted()).toEqual(locking.toSorted())
})
