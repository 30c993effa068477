// Merchant categories and their groups.
import { expect, test } from 'vitest'
import { CATEGORY_IDS, categoryOf } from './rules.ts'

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
