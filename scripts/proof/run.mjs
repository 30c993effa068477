// Runs the test files of one proof with settings from the command line.
import '../../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Builds, then runs the test files with these variables, and ends the process as they end. */
export function runTests(files, env) {
  for (const args of [['scripts/build.mjs'], ['node_modules/vitest/vitest.mjs', 'run', ...files]]) {
    const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }
    const { status } = spawnSync(process.execPath, args, options)
    if (status !== 0) process.exit(status ?? 1)
  }
}
