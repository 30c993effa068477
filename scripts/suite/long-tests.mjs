// The tests that `npm test` leaves out, because they take long and prove something about the whole rather than test a feature.
// `npm run check` runs every test. A path that ends with a slash stands for everything in that folder.
import { readdirSync } from 'node:fs'

export const LONG_TESTS = [
  // Whole proofs: simulation, crash points, pairs, bad input, mutants, properties.
  'server/test/proof/',
  'server/test/properties/',
  // Processes that are killed, suspended and cut off; an issuer that is out of service for ten minutes under load.
  'server/test/chaos/',
  'server/test/operations/outage.test.ts',
  'server/test/archive/archive.test.ts',
  // Clusters of PostgreSQL that are made, moved and damaged.
  'private-postgres/test/',
  'server/test/cli/private-database.test.ts',
  // Large data.
  'server/test/browser/console/a-month.test.ts',
  'server/test/browser/console/long-lists.test.ts',
  'server/test/database/list-plans.test.ts',
  // Packages and images, as somebody would install them.
  'sdk/test/package.test.ts',
  'server/test/deploy/image.test.ts',
  'server/test/deploy/package.test.ts',
  'server/test/deploy/release.test.ts',
  'server/test/deploy/strangers.test.ts',
  'server/test/documents/you-have-a-key.test.ts',
]

/** The variable that lets vitest.config.ts leave the long tests out. */
export const SHORT_VARIABLE = 'TEST_SHORT'

/** @param {string} path relative to the root */
export const isLong = (path) => LONG_TESTS.some((long) => (long.endsWith('/') ? path.startsWith(long) : path === long))

/** Returns the paths of all test files below the folders, relative to the root. */
export function listTestFiles(folders = ['server/test', 'sdk/test', 'cli/test', 'private-postgres/test']) {
  const root = new URL('../../', import.meta.url)
  return folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  )
}
