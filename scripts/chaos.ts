// `npm run chaos -- --minutes N`: breaks real processes and the network between them under load, in random order, and ends
// with the judge's verdict: 1 if a promise was broken. `--rails` does so with a simulated Lithic and a simulated TRON.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type ChaosReport, type Done, runChaos } from '../server/test/proof/chaos/chaos.ts'
import { type Fault, listFaults } from '../server/test/proof/chaos/faults.ts'
import { Ground } from '../server/test/proof/chaos/ground.ts'
import { runRails } from './chaos-rails.ts'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, rails: { type: 'boolean', default: false } },
})
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= 600)) throw new Error('Give --minutes between 0 and 600.')

/** Returns every fault once in random order, then all of them again, with a kill after each, until the time is over. */
function chooser(faults: readonly Fault[], endMs: number): () => Fault | undefined {
  const isKill = ({ kind }: Fault) => kind.startsWith('SIGKILL')
  const kills = faults.filter(isKill)
  let waiting: Fault[] = []
  let before: Fault | undefined
  return () => {
    if (performance.now() > endMs) return undefined
    before = before === undefined || isKill(before) ? pickOther() : kills[randomInt(kills.length)]
    return before
  }

  function pickOther(): Fault | undefined {
    if (waiting.length === 0) waiting = faults.filter((fault) => !isKill(fault))
    const [fault] = waiting.splice(randomInt(waiting.length), 1)
    return fault
  }
}

function print(report: ChaosReport): void {
  console.log('fault | times | median and longest time without service')
  const kinds = new Map<string, Done[]>()
  for (const done of report.faults) kinds.set(done.kind, [...(kinds.get(done.kind) ?? []), done])
  for (const [kind, all] of [...kinds].toSorted(([a], [b]) => a.localeCompare(b))) {
    const gaps = all.map(({ gapMs }) => gapMs / 1000).toSorted((a, b) => a - b)
    const median = gaps[Math.floor(gaps.length / 2)] ?? 0
    console.log(`${kind} | ${all.length} | ${median.toFixed(1)} s, ${(gaps.at(-1) ?? 0).toFixed(1)} s`)
  }
  const { sent, accepted, unanswered, refused, lost, duplicates, reviews, deliveries, deliveredAgain } = report
  const kills = report.faults.filter(({ kind }) => kind.startsWith('SIGKILL')).length
  console.log(`${report.faults.length} faults, of them ${kills} kills`)
  console.log(
    `${sent} requests: ${accepted} operations accepted, ${unanswered} without answer, ${[...refused].map(([code, times]) => `${times} × ${code}`).join(', ') || 'none'} refused`,
  )
  console.log(`${lost} accepted operations lost, ${duplicates} duplicate effects, ${reviews} needless reviews`)
  console.log(`${deliveries} events delivered, ${deliveredAgain} deliveries repeated`)
  for (const violation of report.violations.slice(0, 50)) console.log(`VIOLATION ${violation}`)
  console.log(
    report.violations.length === 0 ? 'The judge found no violation.' : `${report.violations.length} violations.`,
  )
}

async function runWithReferenceIssuer(): Promise<boolean> {
  const ground = new Ground()
  const interrupt = () => {
    process.exitCode = 130
    void ground.close().finally(() => process.exit())
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    await ground.open()
    if (ground.disk === undefined) console.log('This machine allows no mounts, so "disk full" is left out.')
    const next = chooser(listFaults(ground), performance.now() + minutes * 60_000)
    const startedMs = performance.now()
    const report = await runChaos(ground, next, (what) => {
      console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s: ${what}`)
    })
    print(report)
    return report.violations.length === 0
  } finally {
    await ground.close()
  }
}

const isClean = await (values.rails ? runRails(minutes) : runWithReferenceIssuer())
if (!isClean) process.exitCode = 1
// Connections that were told nothing may still be open.
process.exit()
