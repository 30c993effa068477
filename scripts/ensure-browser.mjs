// Finds a Chromium for the browser tests, or installs one where that is allowed: CHROMIUM_PATH, then the system's, then
// `apt-get install chromium` as root. Where there is none it says so loudly; with CI=true that is a failure.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** A mirror that hangs must not hang the tests. */
const INSTALL_TIMEOUT_MS = 300_000

/** The path of a browser; undefined when there is none. */
export function findBrowser(environ = process.env) {
  const wanted = environ['CHROMIUM_PATH']
  return (wanted ? [wanted] : CANDIDATES).find(isExecutable)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function install() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return
  const options = { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_TIMEOUT_MS }
  const environ = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']]) {
    if (spawnSync('apt-get', args, { ...options, env: environ }).status !== 0) return
  }
}

export function ensureBrowser(environ = process.env) {
  const found = findBrowser(environ)
  if (found !== undefined || environ['CHROMIUM_PATH']) return found
  install()
  return findBrowser(environ)
}

if (process.argv[1] === fileURLToPath(import.meta.url) && ensureBrowser() === undefined) {
  const lines = [
    'THE BROWSER TESTS WILL NOT RUN: there is no Chromium on this machine and none could be installed.',
    'Install Chromium, or set CHROMIUM_PATH to one, and run the tests again.',
  ]
  const rule = '!'.repeat(100)
  process.stderr.write(`\n${rule}\n${lines.join('\n')}\n${rule}\n\n`)
  if (process.env['CI'] === 'true') process.exitCode = 1
}
