// Each outcome of an operation changes the rows and columns that it should, in each account of the batch, and nothing else.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Candidate, Settlement } from '../../src/ledger/items.ts'
import { must } from '../../src/lib/invariant.ts'
import { cents } from '../../src/lib/money.ts'
import { newId } from '../../src/lib/ids.ts'
import { type Change, timeOf } from './changes.ts'
import { type Account, HOLDER, merge, type Moves, Steps, type Type } from './steps.ts'

const steps = await Steps.open()
const { accounts, book, watch } = steps
beforeEach(() => steps.tick())
afterEach(() => book.requireClean())
afterAll(() => book.close())

interface Outcome {
  readonly type: Type
  readonly more?: Partial<Candidate>
  readonly settlement: Omit<Settlement, 'id' | 'scope'>
  readonly moves: Moves
  readonly issues?: number
  /** What changes in the operation besides its status. */
  readonly operation?: Record<string, string>
}
const DUE = new Date('2026-03-10T13:30:00Z')
const COMPLETED = { settlement: { status: 'completed', receipt: 'R' }, operation: { receipt: 'nothing → R' } } as const
const FAILED = {
  settlement: { status: 'failed', failure: { code: 'declined', message: 'No.' } },
  operation: { failure_code: 'nothing → declined', failure_message: 'nothing → No.' },
} as const

const ends: [string, Outcome][] = [
  [
    'a service completes',
    {
      ...COMPLETED,
      type: 'service',
      moves: [
        ['capture', 0n, -1_000n],
        ['fee', 0n, -60n],
      ],
    },
  ],
  [
    'a service without a fee completes',
    { ...COMPLETED, type: 'service', more: { fee: cents(0n) }, moves: [['capture', 0n, -1_000n]] },
  ],
  [
    'a service with a fee of one cent completes',
    {
      ...COMPLETED,
      type: 'service',
      more: { fee: cents(1n) },
      moves: [
        ['capture', 0n, -1_000n],
        ['fee', 0n, -1n],
      ],
    },
  ],
  [
    'an issue completes',
    {
      ...COMPLETED,
      type: 'issue',
      moves: [
        ['capture', 0n, -1_000n],
        ['fee', 0n, -302n],
      ],
    },
  ],
  [
    'a top-up completes',
    {
      ...COMPLETED,
      type: 'topup',
      moves: [
        ['capture', 0n, -1_000n],
        ['fee', 0n, -2n],
      ],
    },
  ],
  ['a service fails', { ...FAILED, type: 'service', moves: [['release', 1_060n, -1_060n]] }],
  ['an issue fails', { ...FAILED, type: 'issue', moves: [['release', 1_302n, -1_302n]], issues: -1 }],
  ['a top-up fails', { ...FAILED, type: 'topup', moves: [['release', 1_002n, -1_002n]] }],
]
const waits: [string, Outcome][] = [
  [
    'an issue goes to review',
    {
      type: 'issue',
      settlement: { status: 'manual_review', lookUps: 3 },
      moves: [],
      operation: { look_up_count: '0 → 3' },
    },
  ],
  ['a top-up goes to review without a look-up', { type: 'topup', settlement: { status: 'manual_review' }, moves: [] }],
  [
    'an issue that was not sent is queued again',
    { type: 'issue', settlement: { status: 'queued', dueAt: DUE }, moves: [], operation: { unsent_count: '0 → 1' } },
  ],
  [
    'a top-up is looked up again',
    {
      type: 'topup',
      settlement: { status: 'processing', dueAt: DUE, lookUps: 1 },
      moves: [],
      operation: { look_up_count: '0 → 1' },
    },
  ],
]

/** What a completed issue or top-up does to a card. */
async function cardChange(account: Account, { type, settlement }: Outcome): Promise<Record<string, Change>> {
  const { name } = account
  if (settlement.status !== 'completed' || type === 'service') return {}
  const now = steps.now()
  const [card] = await book.many<{ balance: bigint; sequence: number }>(
    `select c.balance, coalesce((select k.sequence from event_counter k where k.company_id = c.company_id and k.object_id = c.id), 1) as sequence
     from card c where c.id = $1`,
    [account.cardId],
  )
  const { balance, sequence } = must(card)
  const shown = (id: string, last4: string, amount: bigint, createdAt: string) => ({
    id: `card_${name} ${id}`,
    name: HOLDER.slice(0, 64),
    holderId: `hld_${name} holder`,
    last4,
    status: 'active',
    balance: `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`,
    productId: 'prod_card_virtual',
    createdAt,
  })
  if (type === 'topup') {
    const counted = sequence === 1 ? { sequence: 2 } : { sequence: `${sequence} → ${sequence + 1}` }
    const data = shown('card', '1111', balance + 1_000n, '12:00:00')
    return {
      [`${name}: card ${name} card`]: { balance: `${balance} → ${balance + 1_000n}` },
      [`${name}: event_counter ${name} card`]: counted,
      ...steps.event(account, 'card', 'card.updated', sequence + 1, data),
    }
  }
  const columns = { holder_id: `${name} holder`, product_id: 'prod_card_virtual', name: HOLDER.slice(0, 64) }
  return {
    [`${name}: card ${name} new`]: { ...columns, last4: '4242', status: 'active', balance: 1_000, created_at: now },
    [`${name}: card_operation ${name} new ${name} op`]: {},
    ...steps.event(account, 'new', 'card.created', 1, shown('new', '4242', 1_000n, now)),
  }
}

/** Everything that the outcome changes for one account. */
async function expectedOf(account: Account, index: number, outcome: Outcome, from: 'processing' | 'manual_review') {
  const { name } = account
  const { type, settlement, moves, issues } = outcome
  const { status } = settlement
  const [before] = await book.many<{ status_at: Date; event_count: number; due_at: Date }>(
    `select o.status_at, o.event_count, q.due_at from operation o join issuer_request q on q.company_id = o.company_id and q.id = o.id
     where o.id = $1`,
    [must(ids[index])],
  )
  const { status_at: since, event_count: count, due_at: dueAt } = must(before)
  const isMade = type === 'issue' && status === 'completed'
  const operation = {
    ...outcome.operation,
    ...(isMade ? { card_id: `nothing → ${name} new` } : {}),
    ...(status === from
      ? {}
      : {
          status: `${from} → ${status}`,
          status_at: `${timeOf(since)} → ${steps.now()}`,
          event_count: `${count} → ${count + 1}`,
        }),
  }
  const queue = {
    ...(status === from ? {} : { status: `${from} → ${status}` }),
    ...(settlement.dueAt === undefined ? {} : { due_at: `${timeOf(dueAt)} → ${timeOf(DUE)}` }),
  }
  return {
    ...steps.money(account, must(figures[index]), moves, issues),
    [`${name}: operation ${name} op`]: operation,
    [`${name}: issuer_request ${name} op`]: status === 'completed' || status === 'failed' ? ('gone' as const) : queue,
    ...(status === from ? {} : steps.event(account, 'op', `operation.${status}`, count + 1)),
    ...(await cardChange(account, outcome)),
  }
}
let ids: string[]
let figures: Awaited<ReturnType<Steps['readFigures']>>

async function prepare({ type, more, settlement }: Outcome): Promise<Settlement[]> {
  ids = await steps.bring(accounts, type, more)
  steps.tick()
  figures = await steps.readFigures()
  return accounts.map(({ name, scope }, index) => {
    const isMade = type === 'issue' && settlement.status === 'completed'
    const card = isMade ? { card: { id: watch.name(newId(book.clock.now()), `${name} new`), last4: '4242' } } : {}
    return { scope, id: must(ids[index]), ...settlement, ...card }
  })
}
const expectChanges = async (outcome: Outcome, from: 'processing' | 'manual_review', step: () => Promise<unknown>) => {
  const expected = []
  for (const [index, account] of accounts.entries()) expected.push(await expectedOf(account, index, outcome, from))
  expect(await watch.changesOf(step)).toEqual(merge(expected))
}

describe('a batch', () => {
  it.each([...ends, ...waits])('in which %s', async (_name, outcome) => {
    const items = await prepare(outcome)
    await expectChanges(outcome, 'processing', () => book.settleAll(items))
  })
  it.each(ends)('in which, after a review, %s', async (_name, outcome) => {
    const items = await prepare(outcome)
    await book.settleAll(items.map(({ scope, id }) => ({ scope, id, status: 'manual_review' })))
    steps.tick()
    await expectChanges(outcome, 'manual_review', () => book.settleAll(items))
  })
})
