// Bad requests to every call of the OpenAPI documents: each gets the right 4xx with the error body, and changes nothing.
// `npm run bad-input -- --requests 100000 --seed 1` sends more of them, and `--only <index>` repeats one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Call, readCalls } from './calls.ts'
import { makeCase } from './cases.ts'
import { type Report, sendBadInput } from './run.ts'
import { SLOW_MS_MAX, type SlowReport, startSlowClients } from './slow-clients.ts'
import { startWorld, type World } from './world.ts'

const SEED = Number(process.env['BAD_INPUT_SEED'] ?? '2')
const REQUESTS = Number(process.env['BAD_INPUT_REQUESTS'] ?? '1000')
const ONLY = process.env['BAD_INPUT_ONLY']
const TIMEOUT_MS = 3_600_000
/** The largest body is 64 KB, and a request may use a few times that. The server alone needs about 150 MB. */
const RESIDENT_BYTES_MAX = 512 * 2 ** 20
/** On average. One password or passkey may take a hundred times as long. */
const CPU_MS_MAX = 10
/** The longest that another client may wait because of what one client sends. Only a long run is judged by it. */
const QUIET_MS_MAX = 3_000

let world: World
let calls: readonly Call[]
beforeAll(async () => {
  world = await startWorld()
  calls = await readCalls(world.baseUrl)
})
afterAll(() => world?.stop())

interface Wait {
  status: number
  ms: number
}

/** A well-behaved client in a process of its own. How long it waits shows what the bad input costs others. */
function startQuietClient(): { stop(): Promise<Wait[]> } {
  const program = fileURLToPath(new URL('quiet-client.mjs', import.meta.url))
  const child = spawn(process.execPath, [program, world.baseUrl, world.quietKey], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  const closed = once(child, 'close')
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  return {
    async stop() {
      child.stdin.end()
      await closed
      return JSON.parse(output) as Wait[]
    },
  }
}

interface Sent {
  readonly report: Report
  readonly seconds: number
  readonly cpuSeconds: number
}

async function send(indexes: readonly number[]): Promise<Sent> {
  const before = await world.usage()
  const begin = performance.now()
  const report = await sendBadInput(world, calls, { seed: SEED, indexes })
  const seconds = (performance.now() - begin) / 1000
  const after = await world.usage()
  return { report, seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds }
}

/** Sends the bad requests while a quiet client and slow ones run, and then ends these clients, even after a failure. */
async function sendBesideOthers(
  indexes: readonly number[],
): Promise<Sent & { waits: Wait[]; slowClients: SlowReport[] }> {
  const quiet = startQuietClient()
  const slow = startSlowClients(world.baseUrl, world.quietKey)
  const [sent] = await Promise.allSettled([send(indexes)])
  const slowClients = slow.stop()
  const waits = await quiet.stop()
  if (sent.status === 'rejected') throw sent.reason
  return { ...sent.value, waits, slowClients }
}

it('bad requests are refused as documented and change nothing', { timeout: TIMEOUT_MS }, async () => {
  const indexes = ONLY === undefined ? Array.from({ length: REQUESTS }, (_, index) => index) : [Number(ONLY)]
  if (ONLY !== undefined)
    console.info(makeCase(world, calls, SEED, Number(ONLY)).bytes.toString('latin1').slice(0, 3000))
  const { report, seconds, cpuSeconds, waits, slowClients } = await sendBesideOthers(indexes)
  const isLong = process.env['BAD_INPUT_REQUESTS'] !== undefined
  if (isLong || ONLY !== undefined) console.info(describeRun(report, { seconds, cpuSeconds, waits, slowClients }))
  expect(report.failures.join('\n')).toBe('')
  expect(await world.audit()).toEqual([])
  if (ONLY !== undefined) return
  // A machine that runs other tests too may be too busy for a moment. A long run has it to itself.
  expect(isLong ? report.repeated : 0).toBe(0)
  expect(waits.filter(({ status }) => status !== 200 && (isLong || status !== 503))).toEqual([])
  expect(report.residentBytesMax).toBeLessThan(RESIDENT_BYTES_MAX)
  expect(slowClients.filter(({ longestMs, openMs }) => Math.max(longestMs, openMs) > SLOW_MS_MAX)).toEqual([])
  // The server ends a request that can never be complete without waiting for its time to be over.
  const halfOpen = slowClients.filter(({ kind }) => kind.startsWith('half-open'))
  expect(halfOpen.filter(({ begun, ended }) => begun > 0 && ended === 0)).toEqual([])
  if (isLong) {
    expect((1000 * cpuSeconds) / report.sent).toBeLessThan(CPU_MS_MAX)
    expect(waits.filter(({ ms }) => ms > QUIET_MS_MAX)).toEqual([])
  }
  // The input must get past the first checks, or the test would prove little.
  expect(report.refused).toBeGreaterThan(REQUESTS / 2)
  expect([...report.codes.keys()]).toEqual(
    expect.arrayContaining(['validation_failed', 'not_found', 'payload_too_large']),
  )
  const missed = calls.filter(({ id }) => !report.reached.has(id)).map(({ id }) => id)
  expect(missed.length, missed.join()).toBeLessThan(calls.length / 10)
})

function describeRun(
  report: Report,
  {
    seconds,
    cpuSeconds,
    waits,
    slowClients,
  }: { seconds: number; cpuSeconds: number; waits: Wait[]; slowClients: SlowReport[] },
): string {
  const sorted = waits.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0)
  const list = (counts: Map<string | number, number>) =>
    [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')
  return [
    `${report.sent} requests in ${seconds.toFixed(0)} s: ${report.refused} refused, ${report.answered} reads and ${report.accepted} writes were right`,
    `sent again because the server was busy: ${report.repeated}`,
    `statuses: ${list(report.statuses)}`,
    `reached ${report.reached.size} calls of ${calls.length}, all but ${
      calls
        .filter(({ id }) => !report.reached.has(id))
        .map(({ id }) => id)
        .join(', ') || 'none'
    }`,
    `codes: ${list(report.codes)}`,
    `server CPU per request: ${((cpuSeconds * 1000) / report.sent).toFixed(2)} ms; memory at most ${(report.residentBytesMax / 2 ** 20).toFixed(0)} MB`,
    `most time: ${list(new Map([...report.ms].map(([id, ms]) => [id, Math.round(ms)] as const)))
      .split(', ')
      .slice(0, 8)
      .join(', ')} ms`,
    `slowest answer: ${report.slowestMs.toFixed(0)} ms, ${report.slowest}`,
    `the quiet client asked ${waits.length} times: median ${at(0.5)} ms, 99 % ${at(0.99)} ms, worst ${at(1)} ms`,
    ...slowClients.map(
      ({ kind, begun, ended, longestMs, openMs }) =>
        `${kind}: ${begun} connections, ${ended} ended by the server after at most ${(longestMs / 1000).toFixed(0)} s; the oldest open one was ${(openMs / 1000).toFixed(0)} s old`,
    ),
  ].join('\n')
}
