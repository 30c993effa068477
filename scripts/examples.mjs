// `npm run examples`: runs the calls of the examples on a real server, writes server/openapi-examples.json, and then the
// documents that show them.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'

const run = (command, env = {}) => {
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}
run('node scripts/build.mjs')
run('vitest run server/test/api/examples', { UPDATE_EXAMPLES: '1' })
run('npm run generate')
