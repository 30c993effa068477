// Tries one mutant at a time on a database of its own.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Connection } from '../../../src/db/pool.ts'
import { prepareTemplate, TEMPLATE } from '../../support/global-setup.ts'
import { withCluster } from '../support/cluster.ts'
import { readSource, SERVER } from './find.ts'
import { applyMutant, type Mutant } from './mutant.ts'

/** A mutant is invalid if the database refuses its function. */
export type Verdict =
  { readonly kind: 'noticed'; readonly by: string } | { readonly kind: 'survived' } | { readonly kind: 'invalid' }

export interface Lane {
  /** Runs the tests in this order until one fails or the time is over. Without a mutant they should pass. */
  run(mutant: Mutant | undefined, tests: readonly string[], limitMs: number): Promise<Verdict>
}

const ROOT = fileURLToPath(new URL('../', SERVER))
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', SERVER))

export function withLane(use: (lane: Lane) => Promise<void>): Promise<void> {
  return withCluster(async (superuser) => {
    await query(superuser, `create database ${TEMPLATE}`)
    const template = { ...superuser, database: TEMPLATE }
    await prepareTemplate(template)
    await use({
      run: async (mutant, tests, limitMs) => {
        const isFunction = mutant?.file.endsWith('.sql') === true
        if (isFunction && !(await isAccepted(template, applyMutant(readSource(mutant.file), mutant))))
          return { kind: 'invalid' }
        try {
          return await runTests(superuser, isFunction ? undefined : mutant, tests, limitMs)
        } finally {
          if (isFunction) await query(template, readSource(mutant.file))
          await dropCopies(superuser)
        }
      },
    })
  })
}

async function runTests(
  superuser: Connection,
  mutant: Mutant | undefined,
  tests: readonly string[],
  limitMs: number,
): Promise<Verdict> {
  const env = {
    ...process.env,
    MUTANT: JSON.stringify(mutant ?? null),
    MUTANT_TESTS: JSON.stringify(tests),
    MUTANT_CONNECTION: JSON.stringify(superuser),
  }
  // A process group of its own, so that a test that runs in circles can be ended with all that it started.
  const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG], {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endGroup(child.pid)
  }, limitMs)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  endGroup(child.pid)
  if (isLate) return { kind: 'noticed', by: 'time limit' }
  return code === 0 ? { kind: 'survived' } : { kind: 'noticed', by: firstFailed(output) }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function firstFailed(output: string): string {
  try {
    const { testResults } = JSON.parse(output.slice(output.indexOf('{"'))) as {
      testResults: { name: string; status: string }[]
    }
    const failed = testResults.find(({ status }) => status === 'failed')
    return failed === undefined ? 'an error outside of the tests' : failed.name.slice(ROOT.length)
  } catch {
    return 'an error outside of the tests'
  }
}

async function isAccepted(template: Connection, text: string): Promise<boolean> {
  return query(template, text).then(
    () => true,
    () => false,
  )
}

/** Tests that were ended leave their databases behind. */
async function dropCopies(superuser: Connection): Promise<void> {
  const rows = await query(superuser, "select datname from pg_database where datname like 'test\\_%'")
  for (const { datname } of rows) await query(superuser, `drop database if exists ${datname} with (force)`)
}

async function query(connection: Connection, text: string): Promise<{ datname: string }[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const { rows } = await client.query<{ datname: string }>(text)
    return rows
  } finally {
    await client.end()
  }
}
