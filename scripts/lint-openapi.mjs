// Lints the OpenAPI documents with Redocly's recommended rules. A warning fails like an error.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'

const DOCUMENTS = ['openapi.json', 'openapi-admin.json', 'openapi-console.json', 'issuer-openapi.json']

const require = createRequire(import.meta.url)
const cli = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js')
const { stdout, stderr } = spawnSync(process.execPath, [cli, 'lint', ...DOCUMENTS, '--format=json'], {
  encoding: 'utf8',
  // The linter works offline: it reports no usage and looks for no update.
  env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  maxBuffer: 64 * 1024 * 1024,
})
const reports = [...stdout.matchAll(/"totals":\s*(\{[^}]*\})/g)].map(([, totals]) => JSON.parse(totals))
const count = reports.reduce((sum, { errors, warnings }) => sum + errors + warnings, 0)
if (reports.length === DOCUMENTS.length && count === 0) process.exit(0)
console.error(`${stdout}\n${stderr}\nThe OpenAPI documents have ${count} problems, in ${reports.length} reports.`)
process.exit(1)
