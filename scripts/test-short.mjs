// `npm test` runs every test but the long ones, and says at the end what it left out. Arguments go to vitest; if they name files, nothing
// is left out.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { isLong, listTestFiles, SHORT_VARIABLE } from './suite/long-tests.mjs'

const args = process.argv.slice(2)
const namesFiles = args.some((arg) => !arg.startsWith('-'))
const env = namesFiles ? process.env : { ...process.env, [SHORT_VARIABLE]: 'true' }
const { status } = spawnSync('vitest', ['run', ...args], { stdio: 'inherit', env, shell: process.platform === 'win32' })
if (!namesFiles) {
  const count = listTestFiles().filter(isLong).length
  console.log(
    `Left out: ${count} files of long tests (proofs, chaos, large data, clusters, packages; scripts/suite/long-tests.mjs lists them). \`npm run test:all\` runs every test, as \`npm run check\` does.`,
  )
}
process.exitCode = status ?? 1
