// Comparing a kept statement with the server's: every figure counts, and what was booked later does not.
import { expect, test } from 'vitest'
import { compareStatements } from '../src/compare-statements.ts'
import type { Statement, StatementEntry } from '../src/generated/types.ts'

const entry = (id: string, amount: string, balance: string, createdAt: string): StatementEntry => ({
  id,
  reference: 'fund_1',
  kind: 'deposit',
  description: 'Sandbox funding',
  amount,
  balance,
  availableDelta: amount,
  heldDelta: '0.00',
  createdAt,
})

const DATA = [
  entry('ent_1', '5.00', '5.00', '2026-01-01T10:00:00.000Z'),
  entry('ent_2', '-2.00', '3.00', '2026-01-01T11:00:00.000Z'),
]

const SAVED: Statement = {
  company: { id: 'co_1', name: 'Acme' },
  environment: 'live',
  currency: 'USD',
  account: 'card_account',
  from: '2026-01-01',
  to: '2026-01-31',
  openingBalance: '0.00',
  closingBalance: '3.00',
  incoming: '5.00',
  outgoing: '2.00',
  generatedAt: '2026-01-02T00:00:00.000Z',
  data: DATA,
  proof: { firstNumber: 1, lastNumber: 2, openingHeld: '0.00', hashBefore: 'a', hashAfter: 'b', digest: 'c' },
}

/** Another copy has its own time and digest. */
const CURRENT: Statement = {
  ...SAVED,
  generatedAt: '2026-02-01T00:00:00.000Z',
  proof: { ...SAVED.proof, digest: 'd' },
}

const LATER: Statement = {
  ...CURRENT,
  closingBalance: '4.00',
  incoming: '6.00',
  data: [...DATA, entry('ent_3', '1.00', '4.00', '2026-01-20T10:00:00.000Z')],
  proof: { ...CURRENT.proof, lastNumber: 3, hashAfter: 'e' },
}

const where = (saved: Statement, current: Statement) =>
  compareStatements(saved, current).differences.map((difference) => difference.where)

test('the same statement has no differences, also if more was booked later', () => {
  expect(compareStatements(SAVED, CURRENT)).toEqual({ differences: [], laterEntries: 0 })
  expect(compareStatements(SAVED, LATER)).toEqual({ differences: [], laterEntries: 1 })
  const empty = { ...SAVED, data: [], closingBalance: '0.00', incoming: '0.00', outgoing: '0.00' }
  const proof = { ...SAVED.proof, lastNumber: 0, hashAfter: 'a' }
  expect(compareStatements({ ...empty, proof }, { ...empty, proof })).toEqual({ differences: [], laterEntries: 0 })
})

const { company, proof } = SAVED
const CHANGES: [string, Partial<Statement>][] = [
  ['company.id', { company: { ...company, id: 'co_2' } }],
  ['company.name', { company: { ...company, name: 'Acme Ltd' } }],
  ...(['currency', 'from', 'to', 'openingBalance', 'closingBalance', 'incoming', 'outgoing'] as const).map(
    (field): [string, Partial<Statement>] => [field, { [field]: '9.00' }],
  ),
  ['environment', { environment: 'sandbox' }],
  ['proof.firstNumber', { proof: { ...proof, firstNumber: 9 } }],
  ['proof.lastNumber', { proof: { ...proof, lastNumber: 9 } }],
  ['proof.openingHeld', { proof: { ...proof, openingHeld: '9.00' } }],
  ['proof.hashBefore', { proof: { ...proof, hashBefore: 'z' } }],
  ...Object.keys(DATA[1] ?? {}).map((field): [string, Partial<Statement>] => [
    `data[1].${field}`,
    { data: DATA.map((each, index) => (index === 1 ? { ...each, [field]: 'other' } : each)) },
  ]),
]

test.each(CHANGES)('another %s is a difference', (field, change) => {
  expect(where({ ...SAVED, ...change }, CURRENT)).toEqual([field])
  expect(where({ ...SAVED, ...change }, LATER)).toEqual([field])
})

test('another hash at the end is a difference', () => {
  expect(where({ ...SAVED, proof: { ...proof, hashAfter: 'z' } }, CURRENT)).toEqual(['proof.hashAfter'])
})

test('an entry that the server does not have, and one that was left out, are differences', () => {
  expect(where(LATER, CURRENT)).toContain('data[2]')
  const cut = { ...SAVED, generatedAt: LATER.generatedAt }
  expect(compareStatements(cut, LATER)).toMatchObject({ differences: [{ where: 'data' }], laterEntries: 0 })
})
