// `npm run bench -- --growth`: what lists, statements, claims and deliveries cost with 10⁵, 10⁶ and 10⁷ entries, and by
// extrapolation with 10⁸. The measure is the number of database pages that a statement touches, which does not depend on the
// machine or on what else runs there. --quick stops at 10⁶.
import { sql } from '../../server/src/db/sql.ts'
import { FULL, QUICK } from './bench.ts'
import { listCases } from './growth/cases.ts'
import { describeIndexes } from './growth/indexes.ts'
import { addHistory, openHistory } from './growth/history.ts'
import { createPageCounter } from './growth/page-counter.ts'
import { elapsedSeconds, note, openBench, runBench } from './open.ts'

/** The first runs read what the bulk load left for later, such as hint bits. The median of three leaves them out. */
const RUNS = 3

runBench(async () => {
  const isQuick = process.argv.includes('--quick')
  const bench = await openBench(isQuick ? QUICK : FULL)
  const sizes = isQuick ? [1e5, 1e6] : [1e5, 1e6, 1e7]
  const counter = createPageCounter(bench.db)
  const rows = new Map<string, number[]>()
  for (const size of sizes) {
    const history = await openHistory(bench.db)
    await addHistory(bench.db, history, size, note)
    await bench.db.run(sql`vacuum analyze`)
    for (const { name, run } of listCases(bench.db, counter.db, history)) {
      const pages: number[] = []
      for (let number = 0; number < RUNS; number += 1) pages.push(await counter.count(run))
      const median = pages.toSorted((a, b) => a - b)[RUNS >> 1] ?? Number.NaN
      note(`${name}: ${median} pages`)
      rows.set(name, [...(rows.get(name) ?? []), median])
    }
    note(`measured with ${size.toExponential(0)} entries`)
  }
  process.stdout.write(
    `\n${toTable(sizes, rows)}\n\n${await describeIndexes(bench.db)}\n\nTook ${elapsedSeconds()} s.\n`,
  )
  return 0
})

function toTable(sizes: readonly number[], rows: ReadonlyMap<string, readonly number[]>): string {
  const head = ['pages touched', ...sizes.map(toPower), `${toPower((sizes.at(-1) ?? 0) * 10)} (extrapolated)`]
  const body = [...rows].map(([name, pages]) => [name, ...pages.map(String), String(extrapolate(pages))])
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const toPower = (size: number) => `10^${Math.round(Math.log10(size))} entries`

/** The next factor of ten adds at most what the largest of the last ones added: a level of an index, or a step of a search. */
function extrapolate(pages: readonly number[]): number {
  const steps = pages.slice(1).map((count, index) => count - (pages[index] ?? 0))
  return (pages.at(-1) ?? Number.NaN) + Math.max(0, ...steps)
}
