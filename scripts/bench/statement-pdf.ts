// Prints what writing a statement of 10,000 entries as PDF costs: CPU, memory, time, size, and how long the main thread was
// blocked meanwhile. Needs no database. Run: npm run build && npx tsx scripts/bench/statement-pdf.ts [file.pdf]
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type * as pdfQueue from '../../server/src/statements/pdf-queue.ts'

const ENTRIES = 10_000
const MB = 1024 * 1024
const SAMPLE_MS = 5

// Load the compiled server, because that is what is released.
const compiled = new URL('../../server/dist/statements/pdf-queue.js', import.meta.url).href
const { createPdfQueue } = (await import(compiled)) as typeof pdfQueue

function makeJob() {
  const kinds = ['reservation|op', 'capture|op', 'fee|op', 'deposit|inv'] as const
  const deltas = [
    [-10_320, 10_320],
    [0, -10_000],
    [0, -320],
    [1_234_500, 0],
  ] as const
  let balance = 0
  const references = Array.from(
    { length: ENTRIES },
    (_, index) => `01a1ddcf-60d5-7000-8000-${index.toString(16).padStart(12, '0')}`,
  )
  const lines = references.map((reference, index) => {
    const [available, held] = deltas[(index + 3) % 4] ?? [0, 0]
    balance += available + held
    return `${kinds[(index + 3) % 4]}|${reference}|${balance}|${available}|${held}|2026-01-${String(1 + (index % 28)).padStart(2, '0')} 12:34:56.789+00`
  })
  const labels = Object.fromEntries(
    references.map((reference, index) => [reference.replaceAll('-', ''), `card Marketing ${index} *4242, Jane Doe`]),
  )
  const frame = {
    company: { id: `co_${'0'.repeat(32)}`, name: 'Example Company' },
    environment: 'sandbox',
    currency: 'USD',
    account: 'card_account',
    from: '2026-01-01',
    to: '2026-01-31',
    openingBalance: '0.00',
    closingBalance: '0.00',
    incoming: '0.00',
    outgoing: '0.00',
    generatedAt: '2026-02-01T00:00:00.000Z',
    proof: {
      firstNumber: 1,
      lastNumber: ENTRIES,
      openingHeld: '0.00',
      hashBefore: '0'.repeat(64),
      hashAfter: '0'.repeat(64),
    },
  }
  return { source: { frame, lines: lines.join('\n') }, labels: JSON.stringify(labels) }
}

const queue = createPdfQueue()
for (let round = 1; round <= 3; round += 1) {
  const job = makeJob()
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), SAMPLE_MS)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const cpu = process.cpuUsage()
  const loop = performance.eventLoopUtilization()
  const startedMs = performance.now()
  const pdf = await queue.write('company', new AbortController().signal, async () => job)
  const elapsedMs = performance.now() - startedMs
  const used = process.cpuUsage(cpu)
  const { active } = performance.eventLoopUtilization(loop)
  delay.disable()
  clearInterval(sampler)
  console.log(
    `${ENTRIES} entries: ${((used.user + used.system) / 1e6).toFixed(2)} s CPU, ${((peak - before) / MB).toFixed(0)} MB, ` +
      `${(elapsedMs / 1000).toFixed(2)} s, ${(pdf.length / MB).toFixed(1)} MB file, main thread busy for ${active.toFixed(0)} ms in all, ${(delay.max / 1e6).toFixed(1)} ms at a time`,
  )
  if (process.argv[2] !== undefined) writeFileSync(process.argv[2], pdf)
}
