// Finds a Chromium for the browser tests: CHROMIUM_PATH, then one that is installed, then `apt-get install
// chromium-headless-shell` when run as root. When there is none it prints a warning; with CI=true it fails. The headless
// shell comes first, because it opens a page in half the time: a full Chromium also starts renderers for its own windows.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './lib/is-executable.mjs'

const CANDIDATES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** A package mirror that does not answer must not block the tests for longer. */
const INSTALL_TIMEOUT_MS = 300_000

/** Returns the path of an installed browser, or undefined. */
export function findBrowser(environ = process.env) {
  const wanted = environ['CHROMIUM_PATH']
  return (wanted ? [wanted] : CANDIDATES).find(isExecutable)
}

function install() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  const options = { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_TIMEOUT_MS }
  const environ = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update'],
    ['install', '-y', '--no-install-recommends', 'chromium-headless-shell', 'fonts-dejavu-core'],
  ]) {
    // Another installation on this machine may be under way.
    if (spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...args], { ...options, env: environ }).status !== 0)
      return
  }
}

/** Returns the path of a browser, and installs one first if necessary and possible. */
export function ensureBrowser(environ = process.env) {
  const found = findBrowser(environ)
  if (found !== undefined || environ['CHROMIUM_PATH']) return found
  install()
  return findBrowser(environ)
}

if (process.argv[1] === fileURLToPath(import.meta.url) && ensureBrowser() === undefined) {
  const lines = [
    'THE BROWSER TESTS WILL NOT RUN: this machine has no Chromium, and installing one failed.',
    'Install Chromium, or set CHROMIUM_PATH to its path, and run the tests again.',
  ]
  const rule = '!'.repeat(100)
  process.stderr.write(`\n${rule}\n${lines.join('\n')}\n${rule}\n\n`)
  if (process.env['CI'] === 'true') process.exitCode = 1
}
