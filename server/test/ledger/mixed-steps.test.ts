// Batches in which not every item is alike: a card that the issuer closed, operations that have ended already, accounts that do not
// exist, and decisions about operations of others.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditRecord, programActor } from '../../src/access/audit.ts'
import { must } from '../../src/lib/invariant.ts'
import type { Scope } from '../../src/lib/scope.ts'
import { resolveObject } from '../../src/reviews/queries.ts'
import { completed, failed, issue, service, topup } from './book.ts'
import { type Account, Steps } from './steps.ts'

const steps = await Steps.open()
const { accounts, book } = steps
const [acme, acmeLive, other] = accounts as readonly [Account, Account, Account]
beforeEach(async () => {
  await steps.claim()
  steps.tick()
})
afterEach(() => book.requireClean())
afterAll(() => book.close())

const NOBODY: Scope = { companyId: '00000000-0000-7000-8000-000000000000', environment: 'sandbox' }
const issuedBy = ({ scope }: Account) =>
  book.many('select issued_month::text, issued_count from account where company_id = $1 and environment = $2', [
    scope.companyId,
    scope.environment,
  ])

describe('a settlement', () => {
  it('of a top-up returns the amount to the account if the issuer closed the card, and only then', async () => {
    const closed = await book.addCompany(100_000n)
    const [card, sibling] = [await book.makeCard(closed), await book.makeCard(closed)]
    const bring = async (cardId: string) => {
      const id = await book.accept(topup(closed, cardId))
      await book.claimAll()
      return id
    }
    const [done, undone, beside] = [await bring(card), await bring(card), await bring(sibling)]
    const others = [await book.accept(issue(closed)), await book.accept(service(closed))] as const
    await book.claimAll()
    await book.run(`update card set status = 'closed', balance = 0 where id = $1`, [card])
    const [before] = await book.many<{ sequence: bigint }>(
      `select sequence from account where company_id = $1 and environment = 'sandbox'`,
      [closed.scope.companyId],
    )
    await book.settleAll([
      completed(closed, done, 'topup'),
      failed(closed, undone),
      completed(closed, beside, 'topup'),
      completed(closed, others[0], 'issue'),
      completed(closed, others[1], 'service'),
    ])
    const entries = await book.many<{ kind: string; reference: string; available_delta: bigint; held_delta: bigint }>(
      `select kind, reference, available_delta, held_delta from entry where company_id = $1 and number > $2 order by number`,
      [closed.scope.companyId, must(before).sequence],
    )
    const shown = entries.map((row) => [row.reference, row.kind, row.available_delta, row.held_delta])
    expect(shown).toEqual([
      [done, 'capture', 0n, -1_000n],
      [done, 'fee', 0n, -2n],
      [done, 'adjustment', 1_000n, 0n],
      [undone, 'release', 1_002n, -1_002n],
      [beside, 'capture', 0n, -1_000n],
      [beside, 'fee', 0n, -2n],
      [others[0], 'capture', 0n, -1_000n],
      [others[0], 'fee', 0n, -302n],
      [others[1], 'capture', 0n, -1_000n],
      [others[1], 'fee', 0n, -60n],
    ])
    const cards = await book.many('select balance, status from card where id = any ($1) order by status desc', [
      [card, sibling],
    ])
    expect(cards).toEqual([
      { balance: 0n, status: 'closed' },
      { balance: 2_000n, status: 'active' },
    ])
  })
  it('of an issue that has failed already does not free another place of the month', async () => {
    const [id = ''] = await steps.bring([acme], 'issue')
    await book.settleAll([failed(acme, id)])
    const [beside = ''] = await steps.bring([acme], 'service')
    const before = await issuedBy(acme)
    expect(await book.settle([failed(acme, id), failed(acme, beside)])).toEqual([{ item: 1, status: 'failed' }])
    expect(await issuedBy(acme)).toEqual(before)
  })

  it('of a company without an account is an error, and so is accepting for it', async () => {
    const nobody = { ...acme, scope: NOBODY }
    const message = 'a company of the batch has no account'
    await expect(book.settle([failed(nobody, randomUUID())])).rejects.toThrow(message)
    await expect(book.acceptBatch([service(acme), service(nobody)])).rejects.toThrow(message)
  })
})

describe('a batch locks the accounts that it names and no other', () => {
  const settle = `settle_operations($1, now(), '{1}', '{1}', array[$1::uuid], '{sandbox}', array[$1::uuid], '{failed}',
    null, null, null, '{c}', '{m}', null, null)`
  const accept = `accept_operations($1, now(), '{1}', '{1}', array[$1::uuid], '{sandbox}', array[$1::uuid], '{key}', '{00}',
    '{service}', '{prod_service_esim}', '{1000000000}', '{0}', null, null, null, '{ada}', null)`
  it.each([
    ['settle_operations', settle],
    ['accept_operations', accept],
  ])('%s', async (_name, call) => {
    const client = new pg.Client(book.connection)
    await client.connect()
    await client.query('begin')
    await client.query(`select ${call}`, [acme.scope.companyId])
    const isFree = async ({ scope }: Account) => {
      const select = 'select from account where company_id = $1 and environment = $2 for no key update skip locked'
      return (await book.many(select, [scope.companyId, scope.environment])).length > 0
    }
    const free = [await isFree(acme), await isFree(acmeLive), await isFree(other)]
    await client.query('rollback')
    await client.end()
    expect(free).toEqual([false, true, true])
  })
})

describe('a decision about an operation', () => {
  const terms = { status: 'failed', failureCode: 'c', failureMessage: 'm' }
  const decide = (scope: Scope, id: string) => {
    const actor = programActor('ada')
    const record = auditRecord(book.clock, actor, { action: 'review.resolve', object: id })
    const change = { from: ['manual_review'], terms, now: book.clock.now(), record }
    return resolveObject(book.db, scope, { object: 'operation', id }, change)
  }
  const countRecords = () => book.many('select from audit_log').then(({ length }) => length)

  it('is carried out once, with a record, and changes no other operation', async () => {
    const [id = ''] = await steps.bring([acme], 'issue')
    await book.settleAll([{ scope: acme.scope, id, status: 'manual_review' }])
    const records = await countRecords()
    for (const { scope } of [acmeLive, other]) expect(await decide(scope, id)).toEqual({ verdict: null })
    expect(await decide(acme.scope, randomUUID())).toEqual({ verdict: null })
    expect(await countRecords()).toBe(records)
    expect((await book.find(acme, id)).status).toBe('manual_review')
    expect(await decide(acme.scope, id)).toEqual({ verdict: 'resolved' })
    expect(await book.find(acme, id)).toMatchObject({ status: 'failed', failure_code: 'c', failure_message: 'm' })
    expect(await countRecords()).toBe(records + 1)
    expect(await decide(acme.scope, id)).toEqual({ verdict: 'failed' })
    expect(await countRecords()).toBe(records + 1)
  })
})
