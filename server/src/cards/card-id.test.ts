// The id of a card and that of its issue lead to each other.
import { expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { cardIdOf, issueIdOf } from './card-id.ts'

it('a card and its issue lead to each other, and are never the same', () => {
  for (let round = 0; round < 1_000; round += 1) {
    const id = newId(new Date(1_800_000_000_000 + round))
    expect(cardIdOf(id)).not.toBe(id)
    expect(cardIdOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(issueIdOf(cardIdOf(id))).toBe(id)
  }
})

it('the digits keep their number', () => {
  expect(cardIdOf('019cd79e-4600-7001-8d21-ffffffffffff')).toBe('019cd79e-4600-7001-8d21-000000000000')
  expect(cardIdOf('019cd79e-4600-7001-8d21-0123456789ab')).toBe('019cd79e-4600-7001-8d21-fedcba987654')
})
