// Accepting and claiming operations changes the rows and columns that it should, in each account, and nothing else.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AcceptItem, Candidate } from '../../src/ledger/items.ts'
import { acceptOperation, acceptOperations } from '../../src/ledger/queries.ts'
import { must } from '../../src/lib/invariant.ts'
import { onCitus } from '../support/on-citus.ts'
import { timeOf } from './changes.ts'
import { candidateOf, HOLDER, merge, Steps, type Type } from './steps.ts'

const steps = await Steps.open()
const { accounts, book, watch } = steps
beforeEach(async () => {
  await steps.claim()
  steps.tick()
})
afterEach(() => book.requireClean())
afterAll(() => book.close())

type Accept = (items: readonly AcceptItem[]) => Promise<void>
const oneByOne: Accept = async (items) => {
  for (const item of items) expect(await acceptOperation(book.db, book.clock.now(), item)).toEqual([])
}
const together: Accept = async (items) => {
  expect(await acceptOperations(book.db, book.clock.now(), items)).toEqual([])
}
const requests: [string, Type, Partial<Candidate>, Record<string, string>][] = [
  ['an issue', 'issue', {}, { product_id: 'prod_card_virtual', name: HOLDER.slice(0, 64) }],
  ['an issue with a label', 'issue', { name: 'Travel' }, { product_id: 'prod_card_virtual', name: 'Travel' }],
  ['a top-up', 'topup', {}, { product_id: 'prod_card_virtual' }],
  ['a service', 'service', {}, { product_id: 'prod_service_esim', recipient: 'ada' }],
]

const ways: [string, Accept][] = onCitus('one company')
  ? [['one by one', oneByOne]]
  : [
      ['one by one', oneByOne],
      ['together', together],
    ]
describe.each(ways)('accepted %s', (_path, accept) => {
  it.each(requests)('%s reserves its total and is queued', async (_name, type, more, columns) => {
    const before = await steps.readFigures()
    const now = steps.now()
    const items = accounts.map((account) => book.newItem(candidateOf(account, type, more)))
    for (const [index, { id }] of items.entries()) watch.name(id, `${must(accounts[index]).name} op`)
    const changes = await watch.changesOf(() => accept(items))
    const expected = accounts.map((account, index) => {
      const { name } = account
      const { amount, fee, idempotencyKey } = must(items[index]).candidate
      const total = amount + fee
      const object = { issue: { holder_id: `${name} holder` }, topup: { card_id: `${name} card` }, service: {} }[type]
      return {
        ...steps.money(account, must(before[index]), [['reservation', -total, total]], type === 'issue' ? 1 : 0),
        [`${name}: operation ${name} op`]: {
          type,
          status: 'queued',
          amount: Number(amount),
          fee: Number(fee),
          ...object,
          ...columns,
          idempotency_key: idempotencyKey,
          request_digest: String.raw`\xaa`,
          created_at: now,
          status_at: now,
          due_at: now,
          unsent_count: 0,
          look_up_count: 0,
          event_count: 1,
        },
        [`${name}: issuer_request ${name} op`]: { kind: type, status: 'queued', due_at: now, held: Number(total) },
        ...(type === 'topup' ? { [`${name}: card_operation ${name} card ${name} op`]: {} } : {}),
        ...steps.event(account, 'op', 'operation.queued', 1),
      }
    })
    expect(changes).toEqual(merge(expected))
  })
})

it('a claim takes what is queued and due, and a second claim keeps the first time', async () => {
  const ids = await steps.accept(accounts, 'service')
  const accepted = steps.now()
  steps.tick()
  const claimed = steps.now()
  const expected = accounts.map((account) => ({
    [`${account.name}: operation ${account.name} op`]: {
      status: 'queued → processing',
      status_at: `${accepted} → ${claimed}`,
      claimed_at: `nothing → ${claimed}`,
      event_count: '1 → 2',
    },
    [`${account.name}: issuer_request ${account.name} op`]: {
      status: 'queued → processing',
      due_at: `${accepted} → ${timeOf(steps.leaseUntil())}`,
    },
    ...steps.event(account, 'op', 'operation.processing', 2),
  }))
  expect(await watch.changesOf(() => steps.claim())).toEqual(merge(expected))
  steps.tick()
  const queued = { status: 'queued', dueAt: book.clock.now() } as const
  await book.settleAll(accounts.map(({ scope }, index) => ({ scope, id: must(ids[index]), ...queued })))
  steps.tick()
  await steps.claim()
  const rows = await book.many<{ claimed_at: Date }>('select claimed_at from operation where id = any ($1)', [ids])
  expect(rows.map((row) => timeOf(row.claimed_at))).toEqual([claimed, claimed, claimed])
})
