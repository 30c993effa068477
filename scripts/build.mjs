// Compiles the workspaces into their dist folders when a source file is newer than the last build.
// Plain JavaScript, because it runs before anything is compiled.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const WORKSPACES = ['sdk', 'server']

/** Builds what is stale; throws with the compiler's output when it does not compile. */
export function ensureBuilt() {
  for (const workspace of WORKSPACES) {
    const folder = join(root, workspace)
    const stamp = join(folder, 'dist', '.built')
    if (existsSync(stamp) && statSync(stamp).mtimeMs > newestSource(folder)) continue
    rmSync(join(folder, 'dist'), { recursive: true, force: true })
    compile(folder)
    writeFileSync(stamp, '')
  }
}

function compile(folder) {
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  const result = spawnSync(process.execPath, [join(dirname(compiler), 'lib', 'tsc.js'), '-p', folder], {
    encoding: 'utf8',
  })
  if (result.status !== 0) throw new Error(`${folder} does not compile:\n${result.stdout}${result.stderr}`)
}

function newestSource(folder) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const files = [
    ...sources,
    join(folder, 'tsconfig.json'),
    join(folder, 'package.json'),
    join(root, 'tsconfig.base.json'),
  ]
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureBuilt()
