// The URLs of the console.
import { expect, test } from 'vitest'
import { findObjectPath, findProgrammePath, paths } from './paths.ts'

test('an id stays in its segment of the path, whatever it contains', () => {
  expect(paths.card('card_1')).toBe('/cards/card_1')
  expect(paths.topUpCard('a/b?c#d')).toBe('/cards/a%2Fb%3Fc%23d/top-up')
  expect(paths.card("$'$&")).toBe("/cards/%24'%24%26")
})

test('parameters are encoded, and empty ones are left out', () => {
  expect(paths.cards({ status: 'active', holderId: undefined, text: '' })).toBe('/cards?status=active')
  expect(paths.issueCard({ holderId: 'a&b=c' })).toBe('/cards/issue?holderId=a%26b%3Dc')
  expect(paths.cards()).toBe('/cards')
})

test('an id leads to the page of its object', () => {
  expect(findObjectPath('op_01')).toBe('/operations/op_01')
  expect(findObjectPath('evt_a-b')).toBe('/developers/events/evt_a-b')
  for (const other of ['co_01', 'op_', 'op', 'card_1/../x', '', 'toString_1'])
    expect(findObjectPath(other)).toBeUndefined()
  expect(findProgrammePath('co_01')).toBe('/operator/companies/co_01')
  expect(findProgrammePath('op_01')).toBe('/operator/reviews/op_01')
  expect(findProgrammePath('card_01')).toBeUndefined()
})
