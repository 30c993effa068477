// What a row of the database says about a request: accepted, refused, or repeated with the operation that its key made.
import { describe, expect, it } from 'vitest'
import type { AcceptRow } from './queries.ts'
import { toRepeat, toVerdict } from './verdict.ts'

const ID = '01900000-0000-7000-8000-000000000001'
const createdAt = new Date('2026-03-10T12:00:00.000Z')
const original = { item: 1, id: ID, type: 'service', amount: 1000n, fee: 60n, created_at: createdAt } as const
const operation = { id: ID, type: 'service', amount: 1000n, fee: 60n, createdAt }
const rowOf = (verdict: AcceptRow['verdict'], more: Partial<AcceptRow> = {}): AcceptRow => ({
  ...original,
  available: 5n,
  verdict,
  ...more,
})
const nothing = { id: null, type: null, amount: null, fee: null, created_at: null }

describe('a request whose key exists', () => {
  it('is a replay of the original', () => {
    expect(toVerdict(rowOf('replay'), 'another id')).toEqual({ kind: 'replay', operation })
    expect(toRepeat({ ...original, verdict: 'replay' })).toEqual({ kind: 'replay', operation })
  })
  it('is accepted if the original has its own id', () => {
    expect(toVerdict(rowOf('replay'), ID)).toEqual({ kind: 'accepted', operation })
  })
  it('is a conflict if its body is another', () => {
    expect(toVerdict(rowOf('conflict'), ID)).toEqual({ kind: 'conflict', originalId: ID })
    expect(toRepeat({ ...original, verdict: 'conflict' })).toEqual({ kind: 'conflict', originalId: ID })
  })
  it.each(Object.keys(nothing))('is an error if the original has no %s', (column) => {
    for (const verdict of ['replay', 'conflict'] as const)
      expect(() => toVerdict(rowOf(verdict, { [column]: null }), ID)).toThrow('a replay without its original')
  })
})

it('a refusal has its reason, and the available amount if there are not enough funds', () => {
  expect(toVerdict(rowOf('funds', nothing), ID)).toEqual({ kind: 'funds', available: 5n })
  for (const kind of ['no_holder', 'holder_inactive', 'no_card', 'card_inactive', 'quota'] as const)
    expect(toVerdict(rowOf(kind, nothing), ID)).toEqual({ kind })
})
