// What each published package consists of: the files of its workspace, the packages that it brings along, and the manifest that npm reads.
// The manifests of the workspaces are private, so that nobody publishes one without what is added here.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeLicences } from './licences.mjs'
import { listPinned } from './pinned.mjs'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * `brings` are packages that the archive contains, so that it installs without a registry that has them. `joins` are packages whose code is a
 * part of the program, so that nothing installs them. `adds` are folders of the
 * checkout by their place in the package. `isProgram`: nobody imports it, so it needs no types, and it names the version of
 * everything that it installs.
 */
export const PACKAGES = {
  sdk: { brings: [], joins: [], adds: {}, isProgram: false },
  // With everything that it needs, it installs without any registry.
  cli: { brings: ['@cardstock/sdk', 'commander', 'uqr'], joins: [], adds: {}, isProgram: false },
  server: {
    brings: ['@cardstock/sdk'],
    // The last one has 373 files, and the program needs a part of them.
    joins: ['@cardstock/cli', '@cardstock/private-postgres', 'typebox'],
    adds: { 'console/dist': 'console/dist' },
    isProgram: true,
  },
}

/** Marks of the build and notes of the bundler. */
const LEFT_OUT = /(?:^|\/)(?:\.built|\.vite\/.*)$/
const TYPES = /\.d\.[cm]?ts$/

/** Returns the files of a package by their path in it. `version` replaces ours, for trials of an upgrade. */
export function listContents(workspace, { version } = {}) {
  const { brings, joins, adds, isProgram } = PACKAGES[workspace]
  const manifest = readManifest(workspace)
  const wanted = isProgram ? pin(manifest, workspace, { brings, joins }) : manifest
  const published = publish(wanted, { brings, version })
  const files = listOwn(workspace, manifest)
  for (const [from, to] of Object.entries(adds)) addFolder(files, join(root, from), to)
  for (const name of brings) addBrought(files, name, version)
  if (isProgram) for (const path of files.keys()) if (TYPES.test(path)) files.delete(path)
  files.set('LICENSE', { bytes: readFileSync(join(root, 'LICENSE')) })
  // The console's bundle has code of others in it.
  if (isProgram) files.set('THIRD-PARTY-LICENCES.txt', { bytes: Buffer.from(makeLicences(root)) })
  files.set('README.md', { bytes: Buffer.from(absoluteLinks(workspace, published)) })
  files.set('package.json', toJson(published))
  return files
}

const readManifest = (workspace = '') => JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
const toJson = (value) => ({ bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) })

/** Returns the manifest as npm gets it. Where the project is at home is written once, in the manifest of the root. */
function publish(manifest, { brings, version }) {
  const { private: _private, ...rest } = manifest
  const { homepage, repository, bugs } = readManifest()
  const dependencies = Object.entries(rest.dependencies ?? {}).map(([name, wanted]) => [
    name,
    name.startsWith('@cardstock/') && version !== undefined ? version : wanted,
  ])
  return {
    ...rest,
    ...(version === undefined ? {} : { version }),
    homepage,
    repository,
    bugs,
    publishConfig: { access: 'public' },
    ...(dependencies.length === 0 ? {} : { dependencies: Object.fromEntries(dependencies) }),
    ...(brings.length === 0 ? {} : { bundleDependencies: brings }),
  }
}

/**
 * Returns the manifest with the version of every package that it needs, directly or not. A manifest cannot name a second version of a
 * package; the few that exist stay ranges of the packages that need them.
 */
function pin(manifest, workspace, { brings, joins }) {
  const pinned = listPinned(root, workspace, [...brings, ...joins]).filter(
    ({ place, name }) => place === `node_modules/${name}`,
  )
  const select = (isOptional) =>
    Object.fromEntries(
      pinned.filter((each) => each.isOptional === isOptional).map(({ name, version }) => [name, version]),
    )
  const own = Object.fromEntries(Object.entries(manifest.dependencies).filter(([name]) => brings.includes(name)))
  return { ...manifest, dependencies: { ...own, ...select(false) }, optionalDependencies: select(true) }
}

/** Returns what `files` of the manifest names. */
function listOwn(workspace, { files: patterns }) {
  const files = new Map()
  for (const pattern of patterns.filter((each) => !each.startsWith('!'))) {
    const path = join(root, workspace, pattern)
    if (!existsSync(path)) throw new Error(`${workspace}/${pattern} is missing. Run npm run build.`)
    if (statSync(path).isDirectory()) addFolder(files, path, pattern)
    else files.set(pattern, { bytes: readFileSync(path) })
  }
  return files
}

function addFolder(files, folder, target) {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  for (const name of names) {
    const path = posix.join(target, name.replaceAll(sep, '/'))
    if (LEFT_OUT.test(path)) continue
    const isExecutable = target === 'bin' && readFileSync(join(folder, name)).subarray(0, 2).toString() === '#!'
    files.set(path, { bytes: readFileSync(join(folder, name)), isExecutable })
  }
}

/** Adds a package to node_modules of another: one of ours with the files that we publish, or an installed one as it is. */
function addBrought(files, name, version) {
  const target = `node_modules/${name}`
  if (!name.startsWith('@cardstock/')) {
    addFolder(files, join(root, 'node_modules', name), target)
    return
  }
  const workspace = name.slice('@cardstock/'.length)
  const manifest = readManifest(workspace)
  for (const [path, file] of listOwn(workspace, manifest)) files.set(`${target}/${path}`, file)
  files.set(`${target}/package.json`, toJson(publish(manifest, { brings: [], version })))
}

/** Returns the README with links that work outside of a checkout: to the file in the repository, at the tag of the version. */
function absoluteLinks(workspace, { version, repository }) {
  const base = `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/v${version}`
  const text = readFileSync(join(root, workspace, 'README.md'), 'utf8')
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, target) => {
    const path = posix.normalize(posix.join(workspace, target))
    return `](${base}/${path})`
  })
}
