// The tests of one play: every call works alone, and no two calls that meet have a result that neither order explains.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PairCall } from './calls.ts'
import { openLaboratory, type OpenLaboratory } from './laboratory.ts'
import type { OpenPlay } from './plays.ts'
import { alone, meet, textOf } from './run.ts'

/** `npm run pairs` lets all pairs meet. Otherwise these meet, which once were a race, and one in so many of the others. */
const SAMPLE = 120
const ONCE_A_RACE: readonly (readonly [string, string])[] = [
  ['signIn (novice)', 'changePassword (novice)'],
  ['signIn (mate)', 'useLink (reset of mate)'],
  ['signIn (mate)', 'endOtherSessions (mate)'],
  ['resetMember (novice)', 'joinCompany (programme)'],
  ['resetMember (novice)', 'joinCompany (company)'],
]

export function testPairs(open: OpenPlay): void {
  let laboratory: OpenLaboratory
  beforeAll(async () => {
    laboratory = await openLaboratory(open)
  })
  afterAll(() => laboratory.close())

  it('every call that changes something succeeds when nothing else happens', async () => {
    const refused: string[] = []
    for (const call of laboratory.calls) {
      const told = await alone(laboratory, call)
      if (told.status >= 300) refused.push(textOf(told))
    }
    expect(refused, 'Give the world what these calls need, or tell their bodies in calls.ts.').toEqual([])
  })

  it('two requests at once do what one of them after the other would have done', async () => {
    const anomalies: string[] = []
    const pairs = choosePairs(laboratory)
    report(`${pairs.length} pairs of ${laboratory.calls.length} calls`, [])
    for (const [one, other] of pairs) {
      const found = await meet(laboratory, one, other)
      anomalies.push(...found)
      report(`${one.name} / ${other.name}`, found)
    }
    expect(anomalies.join('\n\n')).toBe('')
  })
}

function choosePairs({ calls, canTouch }: OpenLaboratory): (readonly [PairCall, PairCall])[] {
  const all = calls
    .flatMap((one, index) => calls.slice(index).map((other) => [one, other] as const))
    .filter(([one, other]) => canTouch(one, other))
  const only = process.env['PAIRS_ONLY']
  if (only !== undefined) return all.filter((pair) => pair.every(({ name }) => new RegExp(only).test(name)))
  const every = process.env['PAIRS_ALL'] === undefined ? SAMPLE : 1
  const known = new Set(ONCE_A_RACE.map((names) => names.toSorted().join(' / ')))
  return all.filter(
    ([one, other], index) => index % every === 0 || known.has([one.name, other.name].toSorted().join(' / ')),
  )
}

/** A long run can be read while it goes on. */
function report(pair: string, found: readonly string[]): void {
  const file = process.env['PAIRS_JOURNAL']
  if (file !== undefined) appendFileSync(file, [`${pair}: ${found.length}`, ...found, ''].join('\n'))
}
