// Makes the files of a release: `npm run release [-- [--tag] [<folder>]]`. Two runs on the same commit write the same bytes, wherever they run
// with the same Node. With --tag it tags the commit, too. It publishes nothing: it prints the commands that do.
import '../server/bin/require-node.mjs'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { makeLicences } from './pack/licences.mjs'
import { listChecksums, packAll } from './pack/pack-all.mjs'
import { PACKAGES } from './pack/package-contents.mjs'
import { findNotes } from './release/notes.mjs'
import { makeSbom } from './release/sbom.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const read = (path) => readFileSync(join(root, path), 'utf8')
const manifestOf = (workspace) => JSON.parse(read(join(workspace, 'package.json')))

function refuse(message) {
  console.error(message)
  process.exit(1)
}

/** Returns the one version of all workspaces. */
function requireVersion() {
  const { workspaces } = manifestOf('.')
  const versions = workspaces.map((workspace) => ({ workspace, ...manifestOf(workspace) })).filter((one) => one.version)
  const [{ version }] = versions
  for (const { workspace, version: other, dependencies = {} } of versions) {
    if (other !== version) refuse(`${workspace}/package.json has the version ${other}, but others have ${version}.`)
    for (const [name, wanted] of Object.entries(dependencies))
      if (name.startsWith('@cardstock/') && wanted !== version)
        refuse(`${workspace}/package.json wants ${name} ${wanted}, but its version is ${version}.`)
  }
  if (!read('sdk/src/options.ts').includes(`VERSION = '${version}'`))
    refuse(`sdk/src/options.ts has another version than ${version}.`)
  return version
}

function requireCleanTree() {
  const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trim()
  if (changed !== '')
    refuse(`These files are not committed. Commit them, or put them away, and run it again:\n${changed}`)
}

function release(folder, { isTagged }) {
  const version = requireVersion()
  const { repository, license } = manifestOf('.')
  const notes = findNotes(read('CHANGELOG.md'), version, repository.url)
  if (notes === undefined)
    refuse(`CHANGELOG.md has no section "## ${version}". Write one: it becomes the notes of the release.`)
  requireCleanTree()
  if (isTagged) requireFreeTag(version)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    refuse(`${folder} is not empty. Remove it, or name another folder.`)
  ensureBuilt({ isForced: true })
  mkdirSync(folder, { recursive: true })
  packAll(folder)
  const names = Object.keys(PACKAGES).map((workspace) => manifestOf(workspace).name)
  writeFileSync(
    join(folder, 'sbom.cdx.json'),
    `${JSON.stringify(makeSbom(root, { version, license, names }), null, 2)}\n`,
  )
  writeFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), makeLicences(root))
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), notes)
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])
  writeFileSync(join(folder, 'SHA256SUMS'), listChecksums(new Map(files)))
  console.log(
    `${readdirSync(folder).toSorted().join('\n')}\n\nThese files of version ${version} are in ${folder}. To publish them:\n`,
  )
  if (isTagged) tag(version)
  else console.log(`  git tag --sign v${version} --message 'Cardstock ${version}'`)
  console.log(`  git push origin v${version}`)
}

/** Tags the commit, signed where git has a key to sign with. */
function tag(version) {
  const hasKey = spawnSync('git', ['config', 'user.signingkey'], { cwd: root }).status === 0
  const kind = hasKey ? '--sign' : '--annotate'
  execFileSync('git', ['tag', kind, `v${version}`, '--message', `Cardstock ${version}`], { cwd: root })
}

function requireFreeTag(version) {
  const name = `refs/tags/v${version}`
  if (spawnSync('git', ['show-ref', '--verify', '--quiet', name], { cwd: root }).status !== 0) return
  refuse(`The tag v${version} is there already. A released version never changes: set another one, or leave --tag out.`)
}

const words = process.argv.slice(2)
release(resolve(words.find((word) => !word.startsWith('--')) ?? 'release'), { isTagged: words.includes('--tag') })
