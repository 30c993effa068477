// `npm run dev`: compiles and starts the server, and does so again whenever a source file changes.
import '../server/bin/require-node.mjs'
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Editors write several files at once; wait until they are done. */
const SETTLE_MS = 200

let server
let timer

function start() {
  try {
    ensureBuilt()
  } catch (error) {
    console.error(error.message)
    return
  }
  server = spawn(process.execPath, [join(root, 'server/bin/cardstock.mjs'), 'serve'], { stdio: 'inherit' })
}

function restart() {
  if (server === undefined || server.exitCode !== null) return start()
  // The data folder belongs to one server at a time, so start the next one only after this one has ended.
  server.once('exit', start)
  return server.kill('SIGTERM')
}

const WATCHED = [
  'server/src',
  'server/sql',
  'sdk/src',
  'cli/src',
  'private-postgres/src',
  'docs-site/src',
  'docs-site/assets',
  'docs',
  'console/src',
]
for (const folder of WATCHED) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(restart, SETTLE_MS)
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (server === undefined || server.exitCode !== null) process.exit(0)
    server.once('exit', (code) => process.exit(code ?? 0))
    server.kill(signal)
  })
}
start()
