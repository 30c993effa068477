// Other work gets a turn while a long statement is written, and the result is the same as without turns.
import { createHash } from 'node:crypto'
import type { Statement } from '@cardstock/sdk'
import { digestOf } from '@cardstock/sdk/statements'
import { expect, it } from 'vitest'
import { formatCents } from '../lib/money.ts'
import { runAtOnce, runInTurns } from '../lib/steps.ts'
import { writeCsv } from './csv.ts'
import { STEP_ENTRIES } from './entries.ts'
import { type StatementSource, writeStatement } from './source.ts'

const UUID = '01a1ddcf-60d5-7000-8000-82259fe367a4'

function makeSource(entries: number): StatementSource {
  const lines = Array.from(
    { length: entries },
    (_, index) => `deposit|fund|${UUID}|${index + 1}|1|0|2026-01-31 12:00:00+00`,
  )
  const hash = createHash('sha256').digest('hex')
  const frame = {
    company: { id: `co_${'0'.repeat(32)}`, name: 'Zoë' },
    environment: 'sandbox' as const,
    currency: 'USD',
    account: 'card_account' as const,
    from: '2026-01-01',
    to: '2026-01-31',
    openingBalance: '0.00',
    closingBalance: '100.00',
    incoming: '100.00',
    outgoing: '0.00',
    generatedAt: '2026-02-01T00:00:00.000Z',
    proof: { firstNumber: 1, lastNumber: entries, openingHeld: '0.00', hashBefore: hash, hashAfter: hash },
  }
  return { frame, lines: entries === 0 ? null : lines.join('\n') }
}

/** Returns how many turns of the event loop other work got until the promise was settled. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

it.each([
  ['JSON', writeStatement],
  ['CSV', (source: Parameters<typeof writeCsv>[0]) => writeCsv(source, new Map())],
])('a statement of 10,000 entries as %s lets other work run after every few hundred entries', async (_, write) => {
  const entries = 10_000
  expect(STEP_ENTRIES).toBeLessThanOrEqual(500)
  expect(await countTurns(runInTurns<unknown>(write(makeSource(entries))))).toBeGreaterThanOrEqual(
    entries / STEP_ENTRIES - 1,
  )
})

it.each([0, 1, STEP_ENTRIES - 1, STEP_ENTRIES, STEP_ENTRIES + 1, 3 * STEP_ENTRIES])(
  'a statement of %i entries is whole: every entry once, and the digest covers the text',
  async (entries) => {
    const source = makeSource(entries)
    const statement = JSON.parse((await runInTurns(writeStatement(source))).toString()) as Statement
    const balances = Array.from({ length: entries }, (_, index) => formatCents(BigInt(index + 1)))
    expect(statement.data.map((entry) => entry.balance)).toEqual(balances)
    expect(statement.proof.digest).toBe(digestOf(statement))
    const csv = await runInTurns(writeCsv(source, new Map()))
    expect(csv.split('\r\n').slice(2, 2 + entries)).toEqual(
      statement.data.map((entry) => Object.values(entry).join(',')),
    )
    expect(csv.split('\r\n')).toHaveLength(entries + 6)
    expect(runAtOnce(writeCsv(source, new Map()))).toBe(csv)
  },
)
