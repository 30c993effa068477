// Compares the bytes of entries with the output of formatCents, toISOString and JSON.stringify. Needs no database.
import { describeEntry } from '@cardstock/sdk/statements'
import { describe, expect, it } from 'vitest'
import { formatCents } from '../lib/money.ts'
import { entriesBytesMax, type Lines, writeEntries } from './entries.ts'

const ID_START = `ent_${'a'.repeat(16)}`
const UUID = '01a1ddcf-60d5-7000-8000-82259fe367a4'

interface Cells {
  kind: string
  prefix: string
  balance: bigint
  available: bigint
  held: bigint
  /** As PostgreSQL writes it, and as the contract has it. */
  at: [string, string]
}
const usual: Cells = {
  kind: 'capture',
  prefix: 'op',
  balance: 1_000_000n,
  available: 0n,
  held: -480n,
  at: ['2026-01-31 12:00:00.5+00', '2026-01-31T12:00:00.500Z'],
}

function write(all: readonly Cells[], lastNumber = all.length): string {
  const lines: Lines = {
    lines: all
      .map(({ kind, prefix, balance, available, held, at }) =>
        [kind, prefix, UUID, balance, available, held, at[0]].join('|'),
      )
      .join('\n'),
    firstNumber: 1,
    lastNumber,
  }
  const out = Buffer.alloc(entriesBytesMax(lines) + 1)
  const steps = writeEntries(lines, ID_START, out, 1)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return out.subarray(1, value).toString()
  }
}

function expected({ kind, prefix, balance, available, held, at }: Cells, number: number): string {
  return JSON.stringify({
    id: ID_START + number.toString(16).padStart(16, '0'),
    reference: `${prefix}_${UUID.replaceAll('-', '')}`,
    kind,
    description: describeEntry(kind, prefix),
    amount: formatCents(available + held),
    balance: formatCents(balance),
    availableDelta: formatCents(available),
    heldDelta: formatCents(held),
    createdAt: at[1],
  })
}

describe('an entry', () => {
  it.each<Partial<Cells>>([
    { kind: 'reservation', available: -5n, held: 5n },
    { kind: 'release', available: 10n, held: -10n },
    { kind: 'fee', held: -99n },
    { kind: 'fee', prefix: 'inv', available: -100n, held: 0n },
    { kind: 'deposit', prefix: 'fund', available: 1n, held: 0n, balance: 1n },
    {
      kind: 'deposit',
      prefix: 'inv',
      available: 9_007_199_254_740_993n,
      held: 0n,
      balance: 9_223_372_036_854_775_807n,
    },
    { kind: 'adjustment', prefix: 'txn', available: -101n, held: 0n, balance: 0n },
    { kind: 'release', available: 999_999_999_999_999n, held: -999_999_999_999_999n },
    { at: ['2026-01-31 00:00:00+00', '2026-01-31T00:00:00.000Z'] },
    { at: ['2024-02-29 23:59:59.999+00', '2024-02-29T23:59:59.999Z'] },
    { at: ['2026-01-31 00:00:00.05+00', '2026-01-31T00:00:00.050Z'] },
    { at: ['2026-01-31 00:00:00.007+00', '2026-01-31T00:00:00.007Z'] },
  ])('case %# has the bytes that JSON.stringify writes', (cells) => {
    const entry = { ...usual, ...cells }
    expect(write([entry])).toBe(expected(entry, 1))
  })
})

it('entries are numbered and separated by commas, without a leading or trailing comma', () => {
  const all = Array.from({ length: 20 }, () => usual)
  expect(write(all)).toBe(all.map((entry, index) => expected(entry, index + 1)).join(','))
})

it('a missing or additional line is an error', () => {
  expect(() => write([usual, usual], 1)).toThrow('do not match its entries')
  expect(() => write([usual], 2)).toThrow('do not match its entries')
})
