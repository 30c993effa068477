// Finds promtool, with which the tests check the alert rules and the dashboard: PROMTOOL_PATH, then one that is installed,
// then the one in Debian's package `prometheus`, which is unpacked into a cache folder without installing its service. When
// there is none it prints a warning; with CI=true it fails.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isExecutable } from './lib/is-executable.mjs'

/** A package mirror that does not answer must not block the tests for longer. */
const INSTALL_TIMEOUT_MS = 120_000

const cacheOf = (environ) => join(environ['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'cardstock')
const unpackedIn = (folder) => join(folder, 'prometheus/usr/bin/promtool')

/** Returns the path of promtool, or undefined. */
export function findPromtool(environ = process.env) {
  const wanted = environ['PROMTOOL_PATH']
  const candidates = ['/usr/bin/promtool', '/usr/local/bin/promtool', unpackedIn(cacheOf(environ))]
  return (wanted ? [wanted] : candidates).find(isExecutable)
}

/** Unpacks beside its place and renames, so that an interrupted download leaves nothing that looks complete. */
function unpack(environ) {
  if (process.platform !== 'linux' || !isExecutable('/usr/bin/dpkg')) return
  const cache = cacheOf(environ)
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'download-'))
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_TIMEOUT_MS }
  const run = (command, args) => spawnSync(command, args, options).status === 0
  const download = () => run('apt-get', ['-qq', '-o', 'APT::Sandbox::User=root', 'download', 'prometheus'])
  try {
    if (!download() && !(process.getuid?.() === 0 && run('apt-get', ['-qq', 'update']) && download())) return
    const archive = readdirSync(folder).find((name) => name.endsWith('.deb'))
    if (archive === undefined || !run('dpkg', ['-x', archive, 'prometheus'])) return
    rmSync(join(cache, 'prometheus'), { recursive: true, force: true })
    renameSync(join(folder, 'prometheus'), join(cache, 'prometheus'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the path of promtool, and fetches it first if necessary and possible. */
export function ensurePromtool(environ = process.env) {
  const found = findPromtool(environ)
  if (found !== undefined || environ['PROMTOOL_PATH']) return found
  unpack(environ)
  return findPromtool(environ)
}

if (process.argv[1] === fileURLToPath(import.meta.url) && ensurePromtool() === undefined) {
  process.stderr.write(
    '\nTHE ALERT RULES AND THE DASHBOARD WILL NOT BE CHECKED: this machine has no promtool, and fetching it failed.\n' +
      'Install it (Debian: apt-get install prometheus), or set PROMTOOL_PATH to its path, and run the tests again.\n\n',
  )
  if (process.env['CI'] === 'true') process.exitCode = 1
}
