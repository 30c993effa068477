// Tests the search for what Citus leaves out of the tests, and that nothing is left out without a reason.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findLeftOut, hasUnexplained } from './on-citus.ts'

const TESTS = new URL('../../server/test/', import.meta.url)

it('finds the tests that name a reason, with their titles', () => {
  const text = `
it.skipIf(onCitus('archive'))('one', () => {})
describe.skipIf(onCitus('plans')).each([['a', 1]])(
  'many of %s',
  () => {},
)
const ways = onCitus('one company') ? [] : [1]`
  expect(findLeftOut(text)).toEqual([
    { line: 2, reason: 'archive', title: 'one' },
    { line: 3, reason: 'plans', title: 'many of %s' },
    { line: 7, reason: 'one company', title: undefined },
  ])
  expect(() => findLeftOut(`it.skipIf(onCitus('no idea'))('one', () => {})`)).toThrow('"no idea" is not a reason')
})

it('no test is left out on Citus without a reason', () => {
  expect(hasUnexplained(`it.skipIf(isDistributed())('one', () => {})`)).toBe(true)
  const files = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((path) => hasUnexplained(readFileSync(new URL(path, TESTS), 'utf8')))).toEqual([])
})
