// While the clock is wrong or the database cannot be used, the worker claims nothing.
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import type { Trouble } from '../../src/db/health.ts'
import { createLog } from '../../src/lib/log.ts'
import { Book, service } from '../ledger/book.ts'
import { readTestConfig } from '../support/on-citus.ts'

/** Every loop of the worker has asked several times by then whether it may run. */
const QUESTIONS = 40

const book = await Book.open()
afterAll(() => book.close())

it.each<Trouble>(['clock', 'not_writable', 'unreachable'])(
  'with the trouble %s the worker claims nothing, and goes on when it is over',
  async (trouble) => {
    const company = await book.addCompany(100_000n)
    const id = await book.accept(service(company))
    const state = { trouble: trouble as Trouble | undefined, questions: 0 }
    const app = await createApp({
      db: book.db,
      clock: book.clock,
      log: createLog({ level: 'silent' }),
      config: readTestConfig({}),
      secretKey: Buffer.alloc(32, 7),
      role: 'worker',
      health: {
        trouble: () => {
          state.questions += 1
          return state.trouble
        },
        skewMs: () => 0,
      },
    })
    onTestFinished(() => app.close())
    await expect.poll(() => state.questions).toBeGreaterThan(QUESTIONS)
    expect((await book.find(company, id)).status).toBe('queued')
    state.trouble = undefined
    await expect.poll(async () => (await book.find(company, id)).status).toBe('completed')
  },
)
