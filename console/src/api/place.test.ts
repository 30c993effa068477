// Addresses with the company and the environment in them.
import { expect, test } from 'vitest'
import { joinPlace, splitPlace } from './place.ts'

const live = { companyId: 'co_1', environment: 'live' } as const

test('a page of a company is at an address with its company and environment, and is found there again', () => {
  for (const [path, address] of [
    ['/', '/c/co_1/live'],
    ['/cards', '/c/co_1/live/cards'],
    ['/cards/card_1/top-up', '/c/co_1/live/cards/card_1/top-up'],
  ] as const) {
    expect(joinPlace(live, path)).toBe(address)
    expect(splitPlace(address)).toEqual({ place: live, path })
  }
  expect(splitPlace('/c/co_1/live/')).toEqual({ place: live, path: '/' })
})

test('pages of a person or of the programme, and pages without a company, have no place', () => {
  for (const path of ['/sign-in', '/my-account', '/operator', '/operator/companies/co_1'])
    expect(joinPlace(live, path)).toBe(path)
  expect(joinPlace(undefined, '/cards')).toBe('/cards')
  expect(splitPlace('/cards')).toEqual({ place: undefined, path: '/cards' })
})

test.each(['/c/co_1/prod/cards', '/c/co_1', '/c/co_1/livecards', '/c/co_1/live/operator', '/c/a/live/c/b/live/cards'])(
  '%s has no place',
  (path) => {
    expect(splitPlace(path)).toEqual({ place: undefined, path })
  },
)

test('an address that has a place keeps it', () => {
  expect(joinPlace(live, '/c/co_2/sandbox/cards')).toBe('/c/co_2/sandbox/cards')
})
