// Every statement on companies, keys and operator tokens changes or returns exactly the rows that it names, beside others that are
// alike: of another company, of the other environment, and in another state.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuditRecord, auditRecord, programActor } from '../../../src/access/audit.ts'
import * as access from '../../../src/access/queries.ts'
import * as companyQueries from '../../../src/companies/queries.ts'
import * as keyQueries from '../../../src/keys/queries.ts'
import * as tokenQueries from '../../../src/operator-tokens/queries.ts'
import { settleInstallation } from '../../../src/setup/queries.ts'
import { newId } from '../../../src/lib/ids.ts'
import { NEWEST_ID } from '../../../src/lib/slice.ts'
import type { Environment } from '../../../src/lib/scope.ts'
import { Book } from '../../ledger/book.ts'

const book = await Book.open()
const { db } = book
afterAll(() => book.close())

const KEYS_MAX = 100
const now = new Date('2026-03-10T12:00:00.000Z')
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const log = (): AuditRecord => auditRecord({ now: () => now }, programActor('test'), { action: 'test' })

type Row = Record<string, unknown> & { id: string }
type Rows = Record<string, Row>
/** All rows, by their ids. */
async function readRows(): Promise<Rows> {
  const rows: Row[] = []
  for (const table of ['company', 'api_key', 'operator_token'])
    rows.push(...(await book.many<Row>(`select * from ${table}`)))
  return Object.fromEntries(rows.map((row) => [row.id, row]))
}
const countRecords = async () => (await book.many('select from audit_log')).length

/** Expects that exactly these columns change, and that the change is logged if there is one. */
async function expectChange(run: () => Promise<unknown>, changes: Rows | Record<string, object>, logged = true) {
  const [before, records] = [await readRows(), await countRecords()]
  await run()
  for (const [id, change] of Object.entries(changes)) before[id] = { ...before[id], id, ...change }
  expect(await readRows()).toEqual(before)
  const isLogged = logged && Object.keys(changes).length > 0
  expect(await countRecords()).toBe(records + (isLogged ? 1 : 0))
}

let companies: string[]
/** Two keys of each environment for each of the two companies. */
let keys: { id: string; company: string; environment: Environment; digest: Buffer }[]
let tokens: { id: string; digest: Buffer }[]
beforeEach(async () => {
  for (const table of ['api_key', 'operator_token', 'account', 'holder', 'company'])
    await book.run(`delete from ${table}`)
  companies = []
  keys = []
  for (let count = 0; count < 2; count += 1) {
    const id = newId(now)
    companies.push(id)
    await companyQueries.insertCompany(db, { id, name: `Company ${count}`, kind: 'corporate', created_at: now }, log())
  }
  for (const environment of ['sandbox', 'live', 'sandbox', 'live'] as const) {
    for (const company of companies) {
      const [id, digest] = [newId(now), randomBytes(32)]
      const times = { created_at: now, expires_at: null }
      const key = {
        id,
        environment,
        name: `Key ${keys.length}`,
        prefix: 'p',
        last4: 'abcd',
        allowed_cidrs: [],
        ...times,
      }
      keys.push({ id, company, environment, digest })
      await keyQueries.createKey(
        db,
        { ...key, company_id: company, digest, scopes: ['holders:read'] },
        KEYS_MAX,
        null,
        log(),
      )
    }
  }
  tokens = []
  for (const name of ['first', 'second', 'third']) {
    const token = { id: newId(now), digest: randomBytes(32) }
    tokens.push(token)
    await tokenQueries.createOperatorToken(
      db,
      { ...token, name, prefix: 'p', last4: 'abcd', createdAt: now },
      20,
      null,
      log(),
    )
  }
})
const [first, second] = [() => companies[0] ?? '', () => companies[1] ?? '']
const key = (index: number) => keys[index] ?? { id: '', company: '', environment: 'live' as const, digest: Buffer.of() }
const token = (index: number) => tokens[index] ?? { id: '', digest: Buffer.of() }

describe('companies', () => {
  it('are found by their ids', async () => {
    for (const id of companies) expect(await companyQueries.findCompany(db, id)).toMatchObject({ id })
    expect(await companyQueries.findCompany(db, NEWEST_ID)).toBeUndefined()
  })
  it('are changed one at a time', async () => {
    const id = first()
    await expectChange(() => companyQueries.updateVerification(db, id, 'approved', log()), {
      [id]: { verification: 'approved' },
    })
    const set = (liveServices: boolean | null, directInvoices: boolean | null) => () =>
      companyQueries.updateCapabilities(db, id, { liveServices, directInvoices }, log())
    await expectChange(set(true, null), { [id]: { live_services: true } })
    await expectChange(set(null, true), { [id]: { direct_invoices: true } })
    await expectChange(set(false, null), { [id]: { live_services: false } })
    await expectChange(set(null, false), { [id]: { direct_invoices: false } })
    await expectChange(() => companyQueries.updateSuspension(db, id, true, log()), { [id]: { suspended: true } })
    await expectChange(() => companyQueries.updateSuspension(db, id, true, log()), {})
    expect(await companyQueries.updateSuspension(db, id, true, log())).toBeUndefined()
    await expectChange(() => companyQueries.updateSuspension(db, id, false, log()), { [id]: { suspended: false } })
  })
  it('are listed page by page, newest first, also by their verification', async () => {
    const list = async (verification: 'approved' | 'pending' | null, after: string, limit = 10) =>
      (await companyQueries.listCompanies(db, { verification }, { after, limit })).map(({ id }) => id)
    expect(await list(null, NEWEST_ID)).toEqual([second(), first()])
    expect(await list(null, NEWEST_ID, 1)).toEqual([second()])
    expect(await list(null, second())).toEqual([first()])
    expect(await list(null, first())).toEqual([])
    await companyQueries.updateVerification(db, second(), 'approved', log())
    expect(await list('approved', NEWEST_ID)).toEqual([second()])
    expect(await list('pending', NEWEST_ID)).toEqual([first()])
    expect(await list('approved', second())).toEqual([])
  })
})

describe('keys', () => {
  it('are found by their digests, with their companies', async () => {
    await companyQueries.updateSuspension(db, second(), true, log())
    const found = await access.findCallers(db, [key(1).digest, key(2).digest, randomBytes(32)])
    const facts = found.map((row) => [row.key_id, row.company_id, row.environment, row.suspended])
    expect(facts.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
      [key(1).id, second(), 'sandbox', true],
      [key(2).id, first(), 'live', false],
    ])
  })
  it('are found by their ids and companies', async () => {
    for (const { id, company } of keys) expect(await keyQueries.findKey(db, company, id)).toMatchObject({ id })
    expect(await keyQueries.findKey(db, second(), key(0).id)).toBeUndefined()
  })
  it('are listed by company and environment, newest first', async () => {
    const list = async (after: string, limit: number, environment?: Environment) =>
      (await keyQueries.listKeys(db, first(), { after, limit }, environment)).map(({ id }) => id)
    const own = [6, 4, 2, 0].map((index) => key(index).id)
    expect(await list(NEWEST_ID, 10)).toEqual(own)
    expect(await list(NEWEST_ID, 3)).toEqual(own.slice(0, 3))
    expect(await list(own[1] ?? '', 10)).toEqual(own.slice(2))
    expect(await list(NEWEST_ID, 10, 'sandbox')).toEqual([key(4).id, key(0).id])
    expect(await list(key(6).id, 10, 'live')).toEqual([key(2).id])
  })
  it('have the latest time of their use', async () => {
    const use = (seconds: number, ...indexes: number[]) => {
      const used = indexes.map(key)
      const ids = used.map(({ id }) => id)
      return () =>
        access.markKeysUsed(
          db,
          used.map(({ company }) => company),
          ids,
          used.map((_, index) => at(seconds + index)),
        )
    }
    const changes = { [key(0).id]: { last_used_at: at(5) }, [key(3).id]: { last_used_at: at(6) } }
    await expectChange(use(5, 0, 3), changes, false)
    await expectChange(use(4, 0), {}, false)
    await expectChange(use(7, 0), { [key(0).id]: { last_used_at: at(7) } }, false)
  })
  it('are revoked once', async () => {
    const revoke = (company: string, index: number, seconds: number) => () =>
      keyQueries.revokeKey(db, company, key(index).id, at(seconds), log())
    await expectChange(revoke(second(), 0, 1), {})
    await expectChange(revoke(first(), 0, 1), { [key(0).id]: { revoked_at: at(1) } })
    await expectChange(revoke(first(), 0, 2), {})
    expect(await revoke(first(), 0, 2)()).toBeUndefined()
  })
})

describe('the rotation of a key', () => {
  const rotate = (index: number, more: { company?: string; endsAt?: Date; createdAt?: Date } = {}) => {
    const { company = key(index).company, endsAt = at(60), createdAt = at(10) } = more
    const successor = { id: newId(createdAt), digest: randomBytes(32), prefix: 'q', last4: 'wxyz', createdAt }
    const run = () =>
      keyQueries.rotateKey(
        db,
        { companyId: company, id: key(index).id, endsAt, limit: KEYS_MAX },
        successor,
        null,
        log(),
      )
    return { run, successor }
  }
  const expire = (index: number, seconds: number) =>
    book.run('update api_key set expires_at = $2 where id = $1', [key(index).id, at(seconds)])

  it.each([
    ['without an end', undefined, 60, null],
    ['that ends later', 100, 60, 110],
    ['that ends earlier than the overlap', 30, 30, 40],
  ])('of one %s ends it and makes one that lives as long', async (_which, ends, oldEnds, newEnds) => {
    if (ends !== undefined) await expire(2, ends)
    const { run, successor } = rotate(2)
    const { createdAt, ...made } = successor
    const old = (await readRows())[key(2).id]
    const successorRow = { ...old, ...made, created_at: createdAt, expires_at: newEnds === null ? null : at(newEnds) }
    await expectChange(run, {
      [key(2).id]: { expires_at: at(oldEnds), successor_id: successor.id },
      [successor.id]: successorRow,
    })
    // It has a successor now.
    await expectChange(rotate(2).run, {})
  })
  it('is refused for another company, after the end, and after a revocation', async () => {
    await expectChange(rotate(0, { company: second() }).run, {})
    await expire(0, 10)
    await expectChange(rotate(0).run, {})
    await keyQueries.revokeKey(db, first(), key(2).id, at(1), log())
    await expectChange(rotate(2).run, {})
  })
})

describe('operator tokens', () => {
  it('are found unless they are revoked, and listed newest first', async () => {
    await tokenQueries.revokeOperatorToken(db, token(1).id, at(1), log())
    const digests = [token(0).digest, token(1).digest]
    expect(await access.findOperatorTokens(db, digests)).toEqual([{ ...token(0), name: 'first' }])
    for (const { id } of tokens) expect(await tokenQueries.findOperatorToken(db, id)).toMatchObject({ id })
    const list = async (after: string, limit = 10) =>
      (await tokenQueries.listOperatorTokens(db, { after, limit })).map(({ id }) => id)
    expect(await list(NEWEST_ID)).toEqual([2, 1, 0].map((index) => token(index).id))
    expect(await list(token(2).id, 1)).toEqual([token(1).id])
    expect(await list(token(0).id)).toEqual([])
  })
  it('are created up to a limit of active ones', async () => {
    const stored = { id: newId(now), digest: randomBytes(32), name: 'fourth', prefix: 'p', last4: 'abcd' }
    const create = (limit: number) =>
      tokenQueries.createOperatorToken(db, { ...stored, createdAt: now }, limit, null, log())
    await expectChange(async () => expect(await create(3)).toEqual({ is_created: false }), {})
    await tokenQueries.revokeOperatorToken(db, token(0).id, at(1), log())
    const row = { ...stored, created_at: now, revoked_at: null, last_used_at: null }
    await expectChange(async () => expect(await create(3)).toEqual({ is_created: true }), { [stored.id]: row })
  })
  it('are revoked once, and not the last one', async () => {
    const revoke = (index: number, seconds: number, isRevoked: boolean) => async () =>
      expect(await tokenQueries.revokeOperatorToken(db, token(index).id, at(seconds), log())).toEqual({
        is_revoked: isRevoked,
      })
    await expectChange(revoke(0, 1, true), { [token(0).id]: { revoked_at: at(1) } })
    await expectChange(revoke(0, 2, true), {})
    await expectChange(revoke(1, 3, true), { [token(1).id]: { revoked_at: at(3) } })
    await expectChange(revoke(1, 4, true), {})
    await expectChange(revoke(2, 5, false), {})
  })
  it('have the latest time of their use', async () => {
    const use = (seconds: number, index: number) => () =>
      access.markOperatorTokensUsed(db, [token(index).id], [at(seconds)])
    await expectChange(use(5, 1), { [token(1).id]: { last_used_at: at(5) } }, false)
    await expectChange(use(4, 1), {}, false)
    await expectChange(use(6, 1), { [token(1).id]: { last_used_at: at(6) } }, false)
  })
  it('of the settings are stored once, and get their last four if they are missing', async () => {
    const stored = { ...token(0), name: 'settings', prefix: 'q', last4: 'wxyz', createdAt: at(1) }
    const accept = () => tokenQueries.acceptOperatorToken(db, { ...stored, id: newId(now) })
    await expectChange(accept, {}, false)
    await book.run('update operator_token set last4 = null where id = any ($1::uuid[])', [[token(0).id, token(1).id]])
    await expectChange(accept, { [token(0).id]: { prefix: 'q', last4: 'wxyz' } }, false)
  })
})

it('the first value of an installation stays, by its name', async () => {
  const settle = async (name: string, value: string) =>
    (await settleInstallation(db, name, Buffer.from(value)))?.value.toString()
  expect([await settle('a', '1'), await settle('b', '2')]).toEqual(['1', '2'])
  expect([await settle('a', '3'), await settle('b', '4')]).toEqual(['1', '2'])
})
