// What is known about the tests before a mutant is tried: what they reach, how long they take, and how often each has noticed
// a mutant. It decides which tests run on a mutant, and in which order.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Line } from './journal.ts'
import type { Lane } from './lane.ts'
import type { Mutant } from './mutant.ts'
import { createReach, readReach } from './reach.ts'
import { testsOf } from './tests.ts'

/** A mutant counts as noticed if the tests take this many times as long with it. */
const SLOWER_MAX = 5
const LIMIT_MS_MIN = 120_000
/** On a busy machine a test may fail once. */
const FAILURES_MAX = 3

export interface Plan {
  readonly tests: readonly string[]
  readonly limitMs: number
}

export interface Measurements {
  /** Runs the tests of these mutants that have not been measured yet. They must pass without a mutant. */
  complete(lane: Lane, mutants: readonly Mutant[]): Promise<void>
  plan(mutant: Mutant, lines: readonly Line[]): Plan
}

export function createMeasurements(reachFile: string): Measurements {
  const secondsFile = `${reachFile}.seconds`
  let running: Promise<void> | undefined
  let known = read(reachFile, secondsFile)

  const measure = async (lane: Lane, mutants: readonly Mutant[]) => {
    const tests = [...new Set([...new Set(mutants.map(({ file }) => file))].flatMap((file) => testsOf(file)))]
    const failures = new Map<string, number>()
    for (;;) {
      const missing = tests.filter((test) => !known.seconds.has(test))
      if (missing.length === 0) return
      console.log(`${missing.length} test files run without a mutant first.`)
      const { failed, seconds } = await lane.measure(missing, reachFile)
      for (const line of seconds) appendFileSync(secondsFile, `${JSON.stringify(line)}\n`)
      known = read(reachFile, secondsFile)
      if (failed === undefined) continue
      const count = (failures.get(failed) ?? 0) + 1
      failures.set(failed, count)
      if (count === FAILURES_MAX) throw new Error(`${failed} fails without a mutant.`)
    }
  }
  return {
    complete: (lane, mutants) => (running ??= measure(lane, mutants)),
    plan: (mutant, lines) => {
      const tests = known.reach(mutant, testsOf(mutant.file))
      const secondsOf = (test: string) => known.seconds.get(test) ?? 0
      const rank = createRank(mutant, lines, secondsOf)
      const totalMs = 1000 * tests.reduce((sum, test) => sum + secondsOf(test), 0)
      return {
        tests: tests.toSorted((a, b) => rank(b) - rank(a)),
        limitMs: Math.max(LIMIT_MS_MIN, SLOWER_MAX * totalMs),
      }
    },
  }
}

function read(reachFile: string, secondsFile: string) {
  const text = existsSync(secondsFile) ? readFileSync(secondsFile, 'utf8') : ''
  const lines = text.split('\n').slice(0, -1)
  return {
    reach: createReach(readReach(reachFile)),
    seconds: new Map(lines.map((line) => JSON.parse(line) as [string, number])),
  }
}

/** How likely a test is to notice the mutant, per second that it takes. One that noticed others of the same file comes first. */
function createRank(mutant: Mutant, lines: readonly Line[], secondsOf: (test: string) => number) {
  const counts = new Map<string, number>()
  for (const { name, by } of lines) {
    if (by === null) continue
    const weight = name.startsWith(`${mutant.file}:`) ? 10 : 1
    counts.set(by, (counts.get(by) ?? 0) + weight)
  }
  return (test: string) => ((counts.get(test) ?? 0) + 1) / (secondsOf(test) + 1)
}
