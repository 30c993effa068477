// The search of /docs: its index has plain texts, the best entry comes first, and a slip of the keys still finds it.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Entry = Readonly<Record<'title' | 'path' | 'place' | 'text', string>>
interface Ranker {
  rank(entries: readonly Entry[], query: string): { entries: Entry[]; isSimilar: boolean }
  countSlips(a: string, b: string): number
}

/** The file that browsers load, as the server serves it. */
const { rank, countSlips } = (await import(new URL('../../docs/dist/assets/rank.js', import.meta.url).href)) as Ranker

const index = JSON.parse(
  readFileSync(new URL('../../docs/dist/assets/search.json', import.meta.url), 'utf8'),
) as Entry[]

test('no entry shows an entity of HTML', () => {
  const shown = index.flatMap(({ title, place, text }) => [title, place, text])
  expect(shown.filter((text) => /&(?:#\w+|[a-z]+);/i.test(text))).toEqual([])
})

describe('the first result', () => {
  test.each([
    ['freeze card', 'Freeze a card', false],
    ['frezee card', 'Freeze a card', true],
    ['insufficient_funds', 'insufficient_funds', false],
    ['insuficient_funds', 'insufficient_funds', true],
    ['idempotncy', 'Idempotency', true],
    ['list cards', 'List cards', false],
    ['webhoks', 'Webhooks', true],
    ['changelog', 'Changelog', false],
  ])('for %j is %j', (query, title, isSimilar) => {
    const ranking = rank(index, query)
    expect([ranking.entries[0]?.title, ranking.isSimilar]).toEqual([title, isSimilar])
  })

  test('for what nobody wrote is none', () => {
    expect(rank(index, 'zzzz').entries).toEqual([])
    expect(rank(index, 'x'.repeat(100_000)).entries).toEqual([])
  })
})

test.each([
  ['card', 'card', 0],
  ['crad', 'card', 1],
  ['cad', 'card', 1],
  ['carrd', 'card', 1],
  ['cord', 'card', 1],
  ['', 'card', 4],
])('from %j to %j there are %i slips', (a, b, slips) => {
  expect(countSlips(a, b)).toBe(slips)
})
