// A database that goes away fails everything that is under way: one line, not one stack trace for each.
import { expect, it } from 'vitest'
import { createLog } from '../lib/log.ts'
import { createFailureLog } from './failure-log.ts'

function collect() {
  const lines: string[] = []
  const time = { ms: 0 }
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  return { lines, time, logFailure: createFailureLog(log, 'It failed.', () => time.ms) }
}

it('logs one line a second for any number of failures, without a stack trace if the database is away', () => {
  const { lines, time, logFailure } = collect()
  for (; time.ms < 2_000; time.ms += 1) logFailure(new Error('Connection terminated unexpectedly'))
  expect(lines).toEqual(Array.from({ length: 2 }, () => expect.stringContaining('"reason":"Connection terminated')))
  expect(lines.join('')).not.toContain('stack')
})

it('logs what the work was about, and another error with its stack trace', () => {
  const { lines, logFailure } = collect()
  logFailure(new Error('broken'), { operationId: 'one' })
  expect(lines).toEqual([expect.stringMatching(/"operationId":"one".*stack/)])
})
