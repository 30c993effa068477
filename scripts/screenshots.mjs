// `npm run screenshots`: opens every page of the console on a real server in every size and theme, checks that it is
// accessible, and keeps pictures in docs/screenshots. With a folder, keeps them there instead, of both themes at both widths.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './ensure-browser.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const named = process.argv[2]
const folder = named === undefined ? join(root, 'docs/screenshots') : resolve(named)

if (ensureBrowser() === undefined) {
  console.error('This machine has no Chromium. Install one, or set CHROMIUM_PATH to its path.')
  process.exit(1)
}
const run = (command, env = {}) => {
  const { status } = spawnSync(command, { shell: true, cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}
run('node scripts/build.mjs')
// A folder that somebody named may hold other things.
if (named === undefined) rmSync(folder, { recursive: true, force: true })
run('vitest run server/test/browser/console/pages.test.ts', {
  PAGE_SHOTS: folder,
  ALL_LOOKS: 'true',
  ...(named !== undefined && { SHOT_LOOKS: 'four' }),
})
