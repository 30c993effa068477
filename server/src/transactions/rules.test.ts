// Merchant categories and their groups.
import { expect, test } from 'vitest'
import { CATEGORY_IDS, categoryOf, rangesOf } from './rules.ts'

test.each([
  ['5411', 'Groceries'],
  ['5812', 'Restaurants'],
  ['3058', 'Travel'],
  ['7011', 'Travel'],
  ['4121', 'Local transport'],
  ['5541', 'Fuel and charging'],
  ['5818', 'Software and online services'],
  ['6011', 'Cash'],
  ['6300', 'Financial services'],
  ['5942', 'Shopping'],
  ['5943', 'Office supplies'],
  ['8398', 'Other'],
  ['0000', 'Other'],
  [null, 'Unknown'],
])('%s is %s', (code, name) => {
  expect(categoryOf(code).name).toBe(name)
})

test('every group has a code that belongs to it, and every code a group', () => {
  const codes = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0'))
  const found = new Set([...codes, null].map((code) => categoryOf(code).id))
  expect([...found].toSorted()).toEqual([...CATEGORY_IDS].toSorted())
})

test('the ranges of a group have its codes and no others', () => {
  const codes = Array.from({ length: 10_000 }, (_, code) => code)
  for (const id of CATEGORY_IDS) {
    const ranges = [...rangesOf(id).matchAll(/\[(-?\d+),(\d+)\)/g)].map(([, ...ends]) => ends.map(Number))
    const isIn = (code: number) => ranges.some(([start = 0, end = 0]) => start <= code && code < end)
    expect(codes.filter(isIn)).toEqual(codes.filter((code) => categoryOf(String(code).padStart(4, '0')).id === id))
    // -1 stands for no code.
    expect(isIn(-1)).toBe(id === 'unknown')
  }
})
