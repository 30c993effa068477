// The tests of one play: every call works alone, and no two calls that meet have a result that neither order explains.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PairCall } from './calls.ts'
import { textOf } from './explain.ts'
import { openLaboratory, type OpenLaboratory } from './laboratory.ts'
import type { OpenPlay } from './plays.ts'
import { meet, runAlone } from './run.ts'

/** `npm run pairs` lets all pairs meet. Otherwise these meet, which once were a race, and one in so many of the others. */
const SAMPLE = 120
const ONCE_A_RACE: readonly (readonly [string, string])[] = [
  ['signIn (novice)', 'changePassword (novice)'],
  ['signIn (mate)', 'useLink (reset of mate)'],
  ['signIn (mate)', 'endOtherSessions (mate)'],
  ['resetMember (novice)', 'joinCompany (programme)'],
  ['resetMember (novice)', 'joinCompany (company)'],
]

/**
 * Pairs whose requests do not have to come one after the other. Whoever completes an invoice in the sandbox pays what is missing when the
 * invoice is read; a payment at the same moment is a second one, as it would be on the network, and goes to review.
 */
const MAY_MIX: readonly (readonly [string, string])[] = [['completeSandboxInvoice', 'paySandboxInvoice']]

export function testPairs(open: OpenPlay): void {
  let laboratory: OpenLaboratory
  beforeAll(async () => {
    laboratory = await openLaboratory(open)
  })
  afterAll(() => laboratory.close())

  it('every call that changes something succeeds when nothing else happens', async () => {
    const refused: string[] = []
    for (const call of laboratory.calls) {
      const { answers } = await runAlone(laboratory, call)
      refused.push(...answers.filter(({ status }) => status >= 300).map(textOf))
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
    .filter((pair) => canTouch(...pair) && !isIn(MAY_MIX, pair))
  const only = process.env['PAIRS_ONLY']
  if (only !== undefined) return all.filter((pair) => pair.every(({ name }) => new RegExp(only).test(name)))
  const every = process.env['PAIRS_ALL'] === undefined ? SAMPLE : 1
  return all.filter((pair, index) => index % every === 0 || isIn(ONCE_A_RACE, pair))
}

function isIn(list: readonly (readonly [string, string])[], pair: readonly [PairCall, PairCall]): boolean {
  return list.some((names) => pair.every(({ name }) => names.includes(name)) && pair[0] !== pair[1])
}

/** A long run can be read while it goes on. */
function report(pair: string, found: readonly string[]): void {
  const file = process.env['PAIRS_JOURNAL']
  if (file !== undefined) appendFileSync(file, [`${pair}: ${found.length}`, ...found, ''].join('\n'))
}
