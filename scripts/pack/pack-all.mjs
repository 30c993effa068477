// Writes the archives of all packages, and their checksums.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listContents, PACKAGES } from './package-contents.mjs'
import { makeArchive } from './tar.mjs'

/** Returns the paths of the archives. */
export function packAll(folder, { version } = {}) {
  return Object.keys(PACKAGES).map((workspace) => {
    const { bytes, fileName } = pack(workspace, { version })
    const path = join(folder, fileName)
    writeFileSync(path, bytes)
    return path
  })
}

/** Returns the archive of a package, under the name that `npm pack` would give it. */
export function pack(workspace, { version } = {}) {
  const contents = listContents(workspace, { version })
  const { name, version: own } = JSON.parse(contents.get('package.json').bytes.toString())
  const inPackage = new Map([...contents].map(([path, file]) => [`package/${path}`, file]))
  return { bytes: makeArchive(inPackage), fileName: `${name.replace('@', '').replace('/', '-')}-${own}.tgz` }
}

/** Returns the lines that `sha256sum --check` reads. */
export function listChecksums(files) {
  return [...files]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`)
    .join('')
}
