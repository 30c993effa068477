// The benchmark of neighbours: how much one company that uses its rate limit to the full slows another company down.
// --quick is rougher.
import { type Bench, FULL, type Plan, QUICK, startServer } from './bench.ts'
import { ATTACKS } from './neighbours/attacks.ts'
import { OTHERS, seedNeighbours } from './neighbours/seed.ts'
import { openBench, runBench } from './open.ts'
import { drawTable, type Row } from './report.ts'
import { format, Rounds } from './rounds.ts'
import { type Company, seedCompanies } from './seed.ts'
import type { LoadJob, LoadResult } from './wire.ts'

const flags = new Set(process.argv.slice(2))
const QUIET = 'quiet, ms'
/** Requests per second of the company that is measured. It waits for no answer before it sends the next. */
const RATE = 50
/** Long enough that streams are reopened. */
const SECONDS_MIN = 5

runBench(async () => {
  const plan: Plan = flags.has('--quick') ? { ...QUICK, rounds: 3 } : FULL
  const bench = await openBench(plan)
  const [attacker, ...others] = (await seedCompanies(bench.db, OTHERS + 1, { funded: false })) as [
    Company,
    ...Company[],
  ]
  await seedNeighbours(bench.db, attacker, others)
  bench.note('companies written')
  const { port } = await startServer(bench, 'engine')
  const victim = others[0] as Company
  const rounds = new Rounds()
  await balanceMs(bench, port, victim)
  await rounds.run(
    [
      { name: QUIET, measure: () => balanceMs(bench, port, victim) },
      ...ATTACKS.map(({ name, start }) => ({
        name,
        async measure() {
          const stop = start(port, attacker.key)
          try {
            return await balanceMs(bench, port, victim)
          } finally {
            await stop()
          }
        },
      })),
    ],
    plan.rounds,
    bench.note,
  )
  const rows = ATTACKS.map(({ name, isControl }): Row => ({
    key: name.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()),
    text: `GET /balance beside ${name} : quiet, median`,
    value: rounds.ratio(name, QUIET),
    spread: rounds.spread(name, QUIET),
    rates: `${format(rounds.median(name))} : ${format(rounds.median(QUIET))} ms`,
    target: isControl === true ? {} : { atMost: 2 },
  }))
  process.stdout.write(`\n${drawTable(rows, []).join('\n')}\n`)
  return 0
})

async function balanceMs(bench: Bench, port: number, { key }: Company): Promise<number> {
  const request = `GET /api/v1/balance HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\n\r\n`
  const seconds = Math.max(bench.plan.seconds, SECONDS_MIN)
  const job: LoadJob = { port, connections: 16, seconds, rate: RATE, requests: [request] }
  const { p50Ms, statuses } = await bench.load.ask<LoadResult>(job)
  if (Object.keys(statuses).join() !== '200') throw new Error(`Unexpected answers: ${JSON.stringify(statuses)}`)
  // Answers that came after the end were not counted.
  return p50Ms === 0 ? seconds * 1000 : p50Ms
}
