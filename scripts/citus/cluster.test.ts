// `npm run test:citus` where Citus is not installed: it says so in one line and fails nothing.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const script = fileURLToPath(new URL('../test-citus.ts', import.meta.url))

test('without Citus, it says in one line that no cluster was tested', () => {
  const env = { ...process.env, PG_CONFIG: '/nonexistent/pg_config' }
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], { env, encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([
    0,
    'Citus is not installed here: the tests did not run on a cluster. Install it, or set PG_CONFIG.\n',
    '',
  ])
})
