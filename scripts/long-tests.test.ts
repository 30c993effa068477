// Tests that the list of long tests names files that are there, and that `npm run check` runs every test.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isLong, listTestFiles, LONG_TESTS } from './suite/long-tests.mjs'

const files = listTestFiles()

it.each(LONG_TESTS)('%s is there', (path) => {
  expect(files.filter((file) => (path.endsWith('/') ? file.startsWith(path) : file === path))).not.toEqual([])
})

it('every test of a contract is short, whatever else is left out', () => {
  expect(files.filter((file) => file.startsWith('server/test/api/') && isLong(file))).toEqual([])
})

it('npm run check runs every test', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(scripts['check']).toMatch(/&& npm run test:all && npm run --silent test:citus$/)
  expect(scripts['test:all']).toMatch(/&& vitest run$/)
})
