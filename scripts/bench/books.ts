// The benchmark of reads: a full statement against the plain driver, and lists, which must not slow down as they grow.
// --quick is rougher, --json prints one object on standard output.
import { cpus } from 'node:os'
import { FEW, LISTS, MANY, measureLists, ROUNDS_FACTOR, STREAMED } from './books/lists.ts'
import { LONG_HISTORY, measureStatements } from './books/statements.ts'
import { ENTRIES_PER_DAY } from './books/seed.ts'
import type { Plan } from './bench.ts'
import { elapsedSeconds, openBench, runBench } from './open.ts'
import { drawTable, type Row, toJson } from './report.ts'
import { format, Rounds } from './rounds.ts'

// A round takes a tenth of a second, less than the machine takes to change its speed, so there are many rounds.
const QUICK: Plan = {
  rounds: 28,
  seconds: 0,
  sprints: 0,
  closeSprints: 0,
  sprintSeconds: 0,
  warmUpSeconds: 0,
  claims: 0,
}
const FULL: Plan = { ...QUICK, rounds: 84 }
/** A hundred thousand cards are 25 MB of JSON. Growing by several times that would mean that the list is held in memory. */
const STREAM_GROWTH_MAX_MB = 64

const flags = new Set(process.argv.slice(2))
const count = (value: number) => value.toLocaleString('en')

runBench(async () => {
  const plan = flags.has('--quick') ? QUICK : FULL
  const bench = await openBench(plan)
  const rounds = new Rounds()
  await measureStatements(bench, rounds)
  const { streamMb, grownMb } = await measureLists(bench, rounds)
  const rows: Row[] = [
    toRow(
      rounds,
      'statementVsDriver',
      `statement of ${count(ENTRIES_PER_DAY)} entries, JSON over HTTP : its rows, bare driver`,
      {
        names: ['statement, ms', 'bare driver, ms'],
        target: { atMost: 1.5 },
      },
    ),
    toRow(rounds, 'statementLongVsShort', `the same after ${count(LONG_HISTORY)} entries : after none`, {
      names: ['statement, ms', 'short history, ms'],
      target: { atMost: 1.25 },
    }),
    ...Object.keys(LISTS).map((name) =>
      toRow(rounds, toKey(name), `pages of ${name}, ${count(MANY)} rows : ${count(FEW)}`, {
        names: [`${name}, many`, `${name}, few`],
        target: { atLeast: 0.95 },
      }),
    ),
    {
      key: 'streamGrowthMb',
      text: `memory while ${count(STREAMED)} cards are streamed, MB more`,
      value: grownMb,
      rates: `${format(streamMb)} MB sent`,
      target: { atMost: STREAM_GROWTH_MAX_MB },
    },
  ]
  const table = drawTable(rows, [['the statement as CSV, ms', format(rounds.median('CSV, ms'))]])
  const conditions = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}, ${process.arch}) shared by server, database and clients; Node ${process.versions.node};
${plan.rounds} interleaved rounds of statements, ${plan.rounds * ROUNDS_FACTOR} of each list; a value is the median of the rounds' ratios, "rounds" their range. Took ${elapsedSeconds()} s.`
  if (flags.has('--json')) process.stdout.write(`${JSON.stringify(toJson(rows))}\n`)
  ;(flags.has('--json') ? process.stderr : process.stdout).write(`\n${table.join('\n')}\n\n${conditions}\n`)
  return 0
})

function toRow(
  rounds: Rounds,
  key: string,
  text: string,
  { names: [name, base], target }: { names: [string, string]; target: Row['target'] },
): Row {
  const rates = `${format(rounds.median(name))} : ${format(rounds.median(base))}`
  return { key, text, value: rounds.ratio(name, base), spread: rounds.spread(name, base), rates, target }
}

/** Turns "cards, one status" into "cardsOneStatus". */
function toKey(name: string): string {
  return name.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())
}
