// `npm run bench -- --start`: how long the product takes until it answers, with the command that `npm start` runs and a private database that
// is there already, and how much memory it has then. Beside it stand the same start of an equal second server, and the start of a program
// that loads fastify and nothing else.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { closeLater, elapsedSeconds, note, runBench } from './open.ts'
import { type Child, childrenOf, proportionalMb, startCommand, startProgram } from './processes.ts'
import { format, median, Rounds } from './rounds.ts'

const ROUNDS = { quick: 7, full: 21 }
const ADDRESS = /listens on (http:\/\/127\.0\.0\.1:\d+)/
/** Everything is loaded by then. */
const SETTLED_AFTER_MS = 3_000
const ANSWER_MS_MAX = 30_000

runBench(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock bench '))
  closeLater(() => rmSync(folder, { recursive: true, force: true }))
  const children: Child[] = []
  closeLater(() => Promise.all(children.map((child) => child.stop())))
  const memory: number[] = []
  const serverIn = (name: string) => async () => {
    const { elapsedMs, memoryMb } = await startServer(join(folder, name), children)
    memory.push(memoryMb)
    return elapsedMs
  }
  const variants = [
    { name: 'ours', measure: serverIn('ours') },
    { name: 'second', measure: serverIn('second') },
    { name: 'bare', measure: () => startBare(children) },
  ]
  const rounds = new Rounds()
  // The first start makes the database, and is not counted.
  for (const { measure } of variants) await measure()
  memory.length = 0
  await rounds.run(variants, ROUNDS[process.argv.includes('--quick') ? 'quick' : 'full'], note)
  process.stdout.write(`\n${toTable(rounds)}\n\nMemory: ${format(median(memory))} MB. Took ${elapsedSeconds()} s.\n`)
  return 0
})

/** Returns the time from the start of the command until it has answered that it is ready. */
async function startServer(data: string, children: Child[]): Promise<{ elapsedMs: number; memoryMb: number }> {
  const environ = { DATA_DIR: data, PORT: '0', LOG_LEVEL: 'error' }
  const startedMs = performance.now()
  const { child, found } = await startCommand(['serve'], { environ, children, until: ADDRESS })
  await expectAnswer(`${found[1]}/readyz`)
  const elapsedMs = performance.now() - startedMs
  await delay(SETTLED_AFTER_MS)
  const memoryMb = [child.pid, ...childrenOf(child.pid).filter(isOwn)].map(proportionalMb).reduce((sum, mb) => sum + mb)
  await child.stop()
  return { elapsedMs, memoryMb }
}

async function startBare(children: Child[]): Promise<number> {
  const startedMs = performance.now()
  const { child, found } = await startProgram('./bare-start.mjs', [], { environ: {}, children, until: ADDRESS })
  await expectAnswer(`${found[1]}/`)
  const elapsedMs = performance.now() - startedMs
  await child.stop()
  return elapsedMs
}

async function expectAnswer(url: string): Promise<void> {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  if (status !== 200) throw new Error(`${url} answers ${status}.`)
}

/** The product's own processes run Node; its other children are those of the database. */
const isOwn = (pid: number) => realpathSync(`/proc/${pid}/exe`) === realpathSync(process.execPath)

function toTable(rounds: Rounds): string {
  const line = (title: string, name: string, base: string) => {
    const [lowest, highest] = rounds.spread(name, base)
    const ratio = `${format(rounds.ratio(name, base))} (${format(lowest)}–${format(highest)})`
    return `| ${title} | ${format(rounds.median(name))} | ${ratio} |`
  }
  return [
    '| a start, until it answers | ms | : a program that loads fastify |',
    '| --- | --- | --- |',
    line('npm start', 'ours', 'bare'),
    line('the same, a second server', 'second', 'bare'),
    line('a program that loads fastify', 'bare', 'bare'),
    line('control: the first : the second', 'ours', 'second'),
  ].join('\n')
}
