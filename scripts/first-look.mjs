// `npm run first-look`: loads the overview of the console often with the processor slowed four times, and prints when its largest part was painted.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ensureBrowser } from './ensure-browser.mjs'

/** The machine has other work, so the best of several counts. */
const RUNS = '10'

if (ensureBrowser() === undefined) {
  console.error('This machine has no Chromium. Install one, or set CHROMIUM_PATH to its path.')
  process.exit(1)
}
for (const command of [
  'node scripts/build.mjs',
  'vitest run server/test/browser/console/first-look.test.ts --disable-console-intercept=true',
]) {
  const { status } = spawnSync(command, {
    shell: true,
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, FIRST_LOOK_RUNS: RUNS },
  })
  if (status !== 0) process.exit(status ?? 1)
}
