// The tests of one play: every call works alone, and no two calls that meet have a result that neither order explains.
import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PairCall } from './calls.ts'
import { textOf } from './explain.ts'
import { openLaboratory, type OpenLaboratory } from './laboratory.ts'
import type { OpenPlay } from './plays.ts'
import { meet, runAlone } from './run.ts'

/** `npm run pairs` lets all pairs meet. The tests take the pairs that once were a race, and a sample of the others. */
const SAMPLE = 120
const ONCE_A_RACE: readonly (readonly [string, string])[] = [
  ['signIn (novice)', 'changePassword (novice)'],
  ['signIn (mate)', 'useLink (reset of mate)'],
  ['signIn (mate)', 'endOtherSessions (mate)'],
  ['resetMember (novice)', 'joinCompany (programme)'],
  ['resetMember (novice)', 'joinCompany (company)'],
]

/** Pairs of routes whose requests do not have to come one after the other. */
const MAY_MIX: readonly (readonly [string, string])[] = [
  // Whoever completes an invoice in the sandbox pays what is missing when the invoice is read. A payment at the same moment is a
  // second one, as it would be on the network, and goes to review.
  ['completeSandboxInvoice', 'paySandboxInvoice'],
  // The line of a removed passkey has the name that it had when the request came.
  ['removePasskey', 'renamePasskey'],
  // The new session has the proof of the second factor that its request was admitted with, which is the older one.
  ['changePassword', 'verifySecondFactor'],
  ['changePassword', 'verifyPasskey'],
  ['changePassword', 'addPasskey'],
  ['changePassword', 'confirmTotp'],
  // The same change twice is logged twice.
  ['updateMe', 'updateMe'],
  ['setTimeZone', 'setTimeZone'],
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
    .filter(
      (pair) =>
        canTouch(...pair) &&
        !MAY_MIX.some((ids) =>
          hasNames(
            ids,
            pair.map(({ route }) => route.id),
          ),
        ),
    )
  const only = process.env['PAIRS_ONLY']
  if (only !== undefined) return all.filter((pair) => pair.every(({ name }) => new RegExp(only).test(name)))
  const every = process.env['PAIRS_ALL'] === undefined ? SAMPLE : 1
  return all.filter(
    (pair, index) =>
      index % every === 0 ||
      ONCE_A_RACE.some((names) =>
        hasNames(
          names,
          pair.map(({ name }) => name),
        ),
      ),
  )
}

const hasNames = (wanted: readonly string[], names: readonly string[]) =>
  wanted.toSorted().join(' / ') === names.toSorted().join(' / ')

/** A long run can be read while it goes on. */
function report(pair: string, found: readonly string[]): void {
  const file = process.env['PAIRS_JOURNAL']
  if (file !== undefined) appendFileSync(file, [`${pair}: ${found.length}`, ...found, ''].join('\n'))
}
