// `npm run test:citus [-- FILE…]`: runs the tests of the contract, of the flows, of the ledger and of e-mail and every job on a Citus cluster that it
// starts itself: a coordinator and two workers. Where Citus is not installed, it says so in one line.
import '../server/bin/require-node.mjs'
import { spawn } from 'node:child_process'
import { findCitus, startCluster } from './citus/cluster.ts'
import { SHORT_VARIABLE } from './suite/long-tests.mjs'

/**
 * The first file has Citus plan every statement of the sources, the second one upgrades a distributed database, and the last one runs every job. The audit is among the tests of the
 * ledger. The long tests are left out, as `npm test` leaves them out. `npm run check` waits for all of it.
 */
const TESTS = [
  'server/test/database/every-statement.test.ts',
  'server/test/database/later-migrations.test.ts',
  'server/test/api',
  'server/test/flows',
  'server/test/ledger',
  'server/test/mail',
  'server/test/operations/jobs.test.ts',
]

const programs = findCitus()
if (programs === undefined) {
  console.log('Citus is not installed here: the tests did not run on a cluster. Install it, or set PG_CONFIG.')
} else {
  const { url, stop } = await startCluster(programs)
  try {
    const chosen = process.argv.slice(2)
    process.exitCode = await (chosen.length > 0
      ? run(chosen, { TEST_CITUS_URL: url })
      : run(TESTS, { TEST_CITUS_URL: url, [SHORT_VARIABLE]: 'true' }))
  } finally {
    await stop()
  }
}

function run(files: readonly string[], more: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...more }
    const child = spawn('vitest', ['run', ...files], { stdio: 'inherit', env })
    // The tests end by themselves, and then the cluster is stopped.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal as NodeJS.Signals))
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
