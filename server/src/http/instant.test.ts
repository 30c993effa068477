// `from` and `to`: whole UTC days or instants, both inclusive.
import { describe, expect, it } from 'vitest'
import { parseInstantRange } from './instant.ts'

const iso = (query: { from?: string; to?: string }) => {
  const { from, until } = parseInstantRange(query)
  return [from?.toISOString() ?? null, until?.toISOString() ?? null]
}

it.each([
  [{}, null, null],
  [{ from: '2026-01-31' }, '2026-01-31T00:00:00.000Z', null],
  [{ to: '2026-01-31' }, null, '2026-02-01T00:00:00.000Z'],
  [{ from: '2026-01-31', to: '2026-01-31' }, '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  [{ to: '2026-01-31T12:00:00Z' }, null, '2026-01-31T12:00:00.001Z'],
  [{ from: '2026-01-31T12:00Z', to: '2026-01-31T12:00Z' }, '2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.001Z'],
  [{ from: '2026-01-31T12:00:00.5+02:00' }, '2026-01-31T10:00:00.500Z', null],
  [{ from: '2024-02-29' }, '2024-02-29T00:00:00.000Z', null],
])('%j', (query, from, until) => expect(iso(query)).toEqual([from, until]))

describe('refuses', () => {
  it.each([
    '',
    'today',
    '2026',
    '2026-01',
    '2026-1-1',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-02-30T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '20260101',
    '1767225600',
    '2026-01-01Z',
    '+2026-01-01',
  ])('%j as from and as to, by name', (text) => {
    expect(() => parseInstantRange({ from: text })).toThrow(/query\.from must be a date/)
    expect(() => parseInstantRange({ to: text })).toThrow(/query\.to must be a date/)
  })

  it('a range that ends before it begins', () => {
    expect(() => parseInstantRange({ from: '2026-02-01', to: '2026-01-31' })).toThrow(/swap them/)
  })
})
