// How the tests run on a mutant: on a database that is given, with the mutant in place of its file, until one test fails.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { applyMutant, type Mutant } from './mutant.ts'

/** Most tests take less than a second. What waits for longer waits for something that the mutant prevents. */
const TEST_MS_MAX = 120_000
const WAIT_MS_MAX = 40_000

const SERVER = fileURLToPath(new URL('../../../', import.meta.url))
const mutant = JSON.parse(process.env['MUTANT'] ?? 'null') as Mutant | null
/** Files that noticed many mutants before come first. */
const order = JSON.parse(process.env['MUTANT_TESTS'] ?? '[]') as string[]

class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => order.findIndex((path) => moduleId.includes(path))
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  root: fileURLToPath(new URL('../', new URL('../../../', import.meta.url))),
  plugins: [
    {
      name: 'mutate',
      enforce: 'pre',
      transform: (code, id) =>
        mutant !== null && id === SERVER + mutant.file ? { code: applyMutant(code, mutant), map: null } : undefined,
    },
  ],
  test: {
    include: order.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path)),
    globalSetup: [fileURLToPath(new URL('connect.ts', import.meta.url))],
    testTimeout: TEST_MS_MAX,
    hookTimeout: TEST_MS_MAX,
    expect: { poll: { timeout: WAIT_MS_MAX, interval: 20 } },
    env: { WAIT_MS_MAX: String(WAIT_MS_MAX) },
    maxWorkers: 1,
    sequence: { sequencer: GivenOrder },
    isolate: false,
    bail: 1,
    reporters: ['json'],
  },
})
