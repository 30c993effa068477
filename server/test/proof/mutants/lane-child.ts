// A child process of a lane: keeps vitest and the transformed sources between mutants, and runs the given tests on one mutant at
// a time until a test fails. Each run has a new worker process, so no mutant leaves anything behind in memory.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProvidedContext } from 'vitest'
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from 'vitest/node'
import { serveTasks } from '../support/processes.ts'
import { applyMutant, type Mutant } from './mutant.ts'

/** Most tests take less than a second. What waits for longer waits for something that the mutant prevents. */
const TEST_MS_MAX = 120_000
const WAIT_MS_MAX = 30_000
const ERROR_LENGTH_MAX = 200

const SERVER = fileURLToPath(new URL('../../../', import.meta.url))
const ROOT = fileURLToPath(new URL('../', new URL('../../../', import.meta.url)))

export interface Setup {
  readonly connection: ProvidedContext['connection']
  readonly template: ProvidedContext['template']
  /** Where the functions that each test file reaches are written. Undefined: they are not recorded. */
  readonly reachFile: string | undefined
}

export interface Task {
  readonly mutant: Mutant | undefined
  /** Test files, relative to the repository, in the order in which they run. */
  readonly tests: readonly string[]
}

export interface Result {
  /** The test file that failed first. */
  readonly failed: string | undefined
  /** The first line of its error. It shows whether the mutant was noticed, or the machine was too busy. */
  readonly error: string
  /** How long each test file took that passed, or that this machine can only skip. */
  readonly seconds: ReadonlyMap<string, number>
}

let mutant: Mutant | undefined
let order: readonly string[] = []

class GivenOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => order.indexOf(relative(ROOT, moduleId))
    return files.toSorted((a, b) => rank(a) - rank(b))
  }
}

const mutate = {
  name: 'mutate',
  enforce: 'pre',
  transform: (code: string, id: string) =>
    mutant !== undefined && id === SERVER + mutant.file ? { code: applyMutant(code, mutant), map: null } : undefined,
} as const

function errorOf(module: TestModule): string {
  const tests = [...module.children.allTests('failed')]
  const errors = [...tests.flatMap((test) => test.result().errors ?? []), ...module.errors()]
  return shorten(messageOf(errors[0] ?? ''))
}

/** An error of a worker process arrives as an object without a class. */
function messageOf(error: unknown): string {
  return String((error as { message?: unknown }).message ?? error)
}

function shorten(message: string): string {
  return message.split('\n')[0]?.slice(0, ERROR_LENGTH_MAX) ?? ''
}

/** On a machine that is very busy, a worker process does not start or answer in time. That says nothing about the mutant. */
const OURS = /\[vitest-(?:pool|pool-runner|worker)\]: (?:Timeout|Failed|Cannot)/

/** A module without tests was not run: the run was cancelled before it. */
function hasRun(module: TestModule): boolean {
  return module.state() === 'passed' || module.children.allTests().next().done === false
}

// Its worker process would outlive it, because nothing tells a worker process that its parent has ended. The lane has made this
// process the leader of a group, to which the worker process belongs.
process.once('disconnect', () => process.kill(-process.pid, 'SIGKILL'))

serveTasks(async ({ connection, template, reachFile }: Setup) => {
  const vitest = await createVitest(
    'test',
    {
      root: ROOT,
      config: false,
      watch: false,
      provide: { connection, workers: [], template, ownedTemplate: null },
      setupFiles: reachFile === undefined ? [] : [fileURLToPath(new URL('reach-recorder.ts', import.meta.url))],
      env: { WAIT_MS_MAX: String(WAIT_MS_MAX), ...(reachFile === undefined ? {} : { MUTANT_REACH: reachFile }) },
      testTimeout: TEST_MS_MAX,
      hookTimeout: TEST_MS_MAX,
      expect: { poll: { timeout: WAIT_MS_MAX, interval: 20 } },
      maxWorkers: 1,
      sequence: { sequencer: GivenOrder },
      isolate: false,
      bail: 1,
      reporters: [{}],
    },
    { plugins: [mutate] },
  )
  const project = vitest.getRootProject()
  return async (task: Task): Promise<Result> => {
    const changed = [mutant?.file, task.mutant?.file].filter((file) => file !== undefined)
    for (const file of changed) vitest.invalidateFile(SERVER + file)
    mutant = task.mutant
    order = task.tests
    // Otherwise a failure in the last run would end this one.
    vitest.state.idMap.clear()
    vitest.state.filesMap.clear()
    const specifications = task.tests.map((path) => project.createSpecification(ROOT + path))
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    const nameOf = ({ moduleId }: { moduleId: string }) => relative(ROOT, moduleId)
    const strays = unhandledErrors.map((error) => shorten(messageOf(error)))
    const ours = strays.find((message) => OURS.test(message))
    if (ours !== undefined) throw new Error(`The tests did not run. ${ours}`)
    const [stray] = strays
    const failed = testModules.find((module) => module.state() === 'failed')
    // After a failure the tests of the files that follow are skipped, and look like tests that this machine can only skip.
    const isCut = failed !== undefined || stray !== undefined
    const ended = testModules.filter((module) => (isCut ? module.state() === 'passed' : hasRun(module)))
    if (!isCut && testModules.filter(hasRun).length < task.tests.length)
      throw new Error('Some of the tests did not run, and none failed.')
    return {
      failed: failed === undefined ? stray && 'an error outside of the tests' : nameOf(failed),
      error: failed === undefined ? (stray ?? '') : errorOf(failed),
      seconds: new Map(ended.map((module) => [nameOf(module), module.diagnostic().duration / 1000])),
    }
  }
})
