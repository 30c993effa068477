// Adds up what the seeds of a run did.
import type { SeedLine } from './journal.ts'
import { MARKS } from './marks.ts'

/** The names of faults, for the table. The other counts are outcomes and rare branches. */
const FAULTS: readonly [string, RegExp][] = [
  ['crashes of a node', /^crash /],
  ['suspensions of a node', /^node suspended$/],
  ['statements not sent or not answered', /^(statement not sent|answer of the database lost)$/],
  ['races inside the database', /^statements raced$/],
  ['messages to the issuer that did not arrive or arrived late', /^network to the issuer: /],
  ['wrong, late or lost answers of the issuer', /^answer of the issuer: /],
  ['forged events', /^forged event$/],
  ['failing, slow or missing answers of receivers', /^receiver: /],
]

export function reportCounts(lines: readonly SeedLine[]): string[] {
  const counts = sumCounts(lines)
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${String(count).padStart(8)}  ${name}`)
}

/** The figures that docs/proof.md gives. */
export function reportTotals(lines: readonly SeedLine[], seconds: number, seedsOfThisRun: number): string[] {
  const sum = (valueOf: (line: SeedLine) => number) => lines.reduce((total, line) => total + valueOf(line), 0)
  const counts = sumCounts(lines)
  const faults = FAULTS.map(([name, pattern]): [string, number] => {
    const own = [...counts].filter(([each]) => pattern.test(each))
    return [name, own.reduce((total, [, count]) => total + count, 0)]
  })
  const rows: [string, number | string][] = [
    ['seeds', lines.length],
    ['seeds with violations', lines.filter(({ violations }) => violations.length > 0).length],
    ['seeds run twice', lines.filter(({ isRepeated }) => isRepeated).length],
    ['operations', sum(({ operations }) => operations)],
    ['simulated hours', Math.round(sum(({ simulatedMs }) => simulatedMs) / 3_600_000)],
    ['steps', sum(({ steps }) => steps)],
    ['statements', sum(({ statements }) => statements)],
    ...faults,
    ['rare branches reached', `${MARKS.filter((mark) => counts.has(mark)).length} of ${MARKS.length}`],
  ]
  const speed = (seedsOfThisRun / seconds).toFixed(1)
  return [
    ...rows.map(([name, value]) => `| ${name} | ${value.toLocaleString('en')} |`),
    `${seedsOfThisRun} seeds in ${seconds.toFixed(0)} s (${speed} seeds per second)`,
  ]
}

function sumCounts(lines: readonly SeedLine[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { counts } of lines)
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}
