// Writes statements as PDF in a worker thread, one at a time per process, with a short queue. A PDF of ten thousand entries
// takes about a second of CPU: on the main thread it would delay every other request, and several at once would use up the
// memory. If a client disconnects, its statement is cancelled, whether it waits or is being written.
import { Worker } from 'node:worker_threads'
import { ApiError } from '../../errors.ts'
import { packagePath } from '../../lib/package-path.ts'
import type { PdfJob } from './worker.ts'

/** Statements under way or waiting: the last of them waits a few seconds. */
const QUEUE_MAX = 5
/** Of one company, so that it cannot keep the others out. */
const COMPANY_MAX = 2
/** About as long as a full queue takes. */
const RETRY_AFTER_S = 5
/** Ten times what the largest statement takes. */
const DEADLINE_MS = 30_000
/** Memory of the worker thread; the largest statement needs half of it. */
const HEAP_MAX_MB = 256

/** The compiled program, because a thread cannot load TypeScript. Tests use the last build, like the tests of the CLI. */
const WORKER = packagePath('program/dist/pdf-worker.js')

export interface PdfQueue {
  /**
   * Returns the PDF of the job that `prepare` gives when its turn comes. Refuses with 429 when the queue is full, and gives up
   * when the signal is aborted.
   */
  write(companyId: string, clientLeft: AbortSignal, prepare: () => Promise<PdfJob>): Promise<Buffer>
}

export function createPdfQueue({ deadlineMs = DEADLINE_MS } = {}): PdfQueue {
  const companies: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    async write(companyId, clientLeft, prepare) {
      const mine = companies.filter((other) => other === companyId).length
      if (companies.length >= QUEUE_MAX || mine >= COMPANY_MAX) throw full()
      companies.push(companyId)
      const turn = last
      const work = (async () => {
        await Promise.race([turn, leaving(clientLeft)])
        return clientLeft.aborted ? NOTHING : await runWorker(await prepare(), clientLeft, deadlineMs)
      })()
      // A job that leaves the queue early must not let the next one start before its turn.
      last = Promise.allSettled([turn, work])
      try {
        return await work
      } finally {
        companies.splice(companies.indexOf(companyId), 1)
      }
    },
  }
}

function leaving(clientLeft: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (clientLeft.aborted) resolve()
    else clientLeft.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The result for a client that has disconnected. Nobody reads it. */
const NOTHING = Buffer.alloc(0)

/** Uses a new thread per statement, so that its memory is freed afterwards and stopping it leaves nothing behind. */
function runWorker(job: PdfJob, clientLeft: AbortSignal, deadlineMs: number): Promise<Buffer> {
  if (clientLeft.aborted) return Promise.resolve(NOTHING)
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    })
    const stop = () => {
      resolve(NOTHING)
      void worker.terminate()
    }
    const timer = setTimeout(() => {
      reject(new ApiError('unavailable', 'The statement took too long. Ask for a shorter range, or for CSV.'))
      void worker.terminate()
    }, deadlineMs)
    clientLeft.addEventListener('abort', stop)
    const end = () => {
      clearTimeout(timer)
      clientLeft.removeEventListener('abort', stop)
    }
    worker.once('message', (bytes: Uint8Array) =>
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    )
    worker.once('error', reject)
    worker.once('exit', () => {
      end()
      reject(new Error('the PDF worker ended without a result'))
    })
  })
}

function full(): ApiError {
  return new ApiError(
    'rate_limited',
    `Too many statements are being written as PDF. Try again in ${RETRY_AFTER_S} seconds, or ask for CSV.`,
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  )
}
