// Ids sort by creation, and their wire form is strict.
import { describe, expect, it } from 'vitest'
import { findId, firstIdAt, formatId, newId } from './ids.ts'

const AT = new Date('2026-03-10T12:00:00.000Z')
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('newId', () => {
  it('is a UUIDv7 of its instant', () => {
    const id = newId(AT)
    expect(id).toMatch(UUID_V7)
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(AT.getTime())
  })

  it('sorts by instant, and within a millisecond by order of creation', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => newId(new Date(AT.getTime() + Math.floor(index / 1000))))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keeps the order of a millisecond when an id of an earlier one is made in between', () => {
    const at = new Date(AT.getTime() + 30_000)
    const ids = Array.from({ length: 1000 }, () => [newId(at), newId(AT)] as const)
    for (const side of [0, 1] as const) {
      const made = ids.map((pair) => pair[side])
      expect(made.toSorted()).toEqual(made)
    }
  })

  it('stays unique when one millisecond has more ids than the counter can order', () => {
    const at = new Date(AT.getTime() + 60_000)
    expect(new Set(Array.from({ length: 20_000 }, () => newId(at))).size).toBe(20_000)
  })
})

it('firstIdAt lies at or below every id of its instant and above every earlier one', () => {
  expect(firstIdAt(AT) <= newId(AT)).toBe(true)
  expect(firstIdAt(AT) > newId(new Date(AT.getTime() - 1))).toBe(true)
  expect(firstIdAt(new Date('1900-01-01'))).toBe('00000000-0000-7000-8000-000000000000')
})

describe('the wire form', () => {
  it('is read back unchanged', () => {
    const id = newId(AT)
    expect(formatId('hld', id)).toMatch(/^hld_[0-9a-f]{32}$/)
    expect(findId('hld', formatId('hld', id))).toBe(id)
  })

  it.each([
    '',
    'hld',
    'hld_',
    `hld_${'0'.repeat(31)}`,
    `hld_${'0'.repeat(33)}`,
    `hld_${'A'.repeat(32)}`,
    `card_${'0'.repeat(32)}`,
    '0'.repeat(32),
    `hld_${'0'.repeat(31)}\n`,
    `hld_0-${'0'.repeat(30)}`,
  ])('%j is not an id', (text) => expect(findId('hld', text)).toBeUndefined())
})
