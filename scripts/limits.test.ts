// What the table of limits reads from a source file.
import { expect, it } from 'vitest'
import { limitsIn } from './limits.ts'

const read = (text: string) => limitsIn('server/src/a.ts', text).map(({ name, value, about }) => [name, value, about])

it('has numbers, sums and products of constants, lists and objects, with their units', () => {
  const text = `
/** Long enough. */
const MINUTE_MS = 60_000
/** A while. */
export const WAIT_MAX_MS = 90 * MINUTE_MS
const PAUSES_MS: readonly number[] = [0, 500, 2_000]
/** Bodies are small. */
const BODY_BYTES_MAX = 64 * 1024
/** Of each company. */
const READ_LIMITS: Limits = { pages: 3, idleMs: 15_000 }
const HEADING_SIZE = 16
`
  expect(read(text)).toEqual([
    ['WAIT_MAX_MS', '90 min', 'A while.'],
    ['PAUSES_MS', '0 ms, 500 ms, 2 s', 'A while.'],
    ['BODY_BYTES_MAX', '64 KiB', 'Bodies are small.'],
    ['READ_LIMITS', 'pages 3, idleMs 15 s', 'Of each company.'],
  ])
})

it('refuses a limit without a reason', () => {
  expect(() => read('\nconst QUEUE_MAX = 8_192\n')).toThrow(
    'QUEUE_MAX is a limit. Say in a comment before it why it is 8,192.',
  )
})
