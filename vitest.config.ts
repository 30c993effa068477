import { configDefaults, defineConfig } from 'vitest/config'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { LONG_TESTS, SHORT_VARIABLE } from './scripts/suite/long-tests.mjs'

/** `npm test` sets the variable. Whoever runs vitest itself leaves nothing out. */
const LEFT_OUT = process.env[SHORT_VARIABLE] === 'true' ? LONG_TESTS : []

/** Long files first, so that no worker begins one when the other has nothing left to do. */
const LONG = ['browser', 'proof', 'chaos', 'documents', 'cli', 'live', 'flows'].map((name) => `/server/test/${name}/`)

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((folder) => moduleId.includes(folder))
      return found === -1 ? LONG.length : found
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- this is the sort of the sequencer, which returns a new array
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  // As in the console's own configuration.
  resolve: {
    alias: {
      '~': fileURLToPath(new URL('console/src', import.meta.url)),
      '@cardstock/sdk/actions': fileURLToPath(new URL('sdk/src/generated/actions.ts', import.meta.url)),
    },
  },
  test: {
    include: ['server/src', 'server/test', 'sdk', 'cli', 'console/src', 'private-postgres', 'scripts'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    exclude: [...configDefaults.exclude, ...LEFT_OUT.map((path) => (path.endsWith('/') ? `${path}**` : path))],
    globalSetup: ['server/test/support/global-setup.ts'],
    // These only end a test that hangs. The slowest takes about twenty seconds on an idle machine with two cores, and a
    // busy one may be ten times slower.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As in server/test/support/wait.ts: shorter than a test's limit, so that the error names the condition.
    expect: { poll: { timeout: 240_000, interval: 20 } },
    // Most files wait for a browser, a process or the database a quarter of the time, so two workers leave two cores idle. Four
    // leave none, but need more CPU time for the same work.
    maxWorkers: 3,
    sequence: { sequencer: LongFilesFirst },
    // Test files keep no state in modules, so they can share them. Loading the server again takes two seconds per file.
    isolate: false,
  },
})
