// The npm package of the binaries: completes its library links, and copies it where PostgreSQL's account can read it.
// A copy is only ever put in, and used from, a folder that no other local user could have prepared.

import { randomBytes } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, readdir, readFile, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { canEnter, type Account } from './account.ts'
import { errorCode, messageOf } from './error.ts'

interface Link {
  source: string
  target: string
}

/** No copy takes this long; older drafts were left by a process that died. */
const DRAFT_AGE_MS_MAX = 60 * 60_000

/**
 * Does what the package's post-install script does, for installations without scripts. Two processes may run it at the same
 * time: each link is created in one step, and the second process finds it. Returns false if we may not write to the package.
 */
export async function completeLinks(packageDir: string): Promise<boolean> {
  for (const { source, target } of await readLinks(packageDir)) {
    const path = join(packageDir, target)
    try {
      await symlink(relative(dirname(path), join(packageDir, source)), path)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' && !(await exists(path))) return false
    }
  }
  return true
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function readLinks(packageDir: string): Promise<Link[]> {
  const text = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.filter(isLink) : []
}

function isLink(value: unknown): value is Link {
  return typeof value === 'object' && value !== null && 'source' in value && 'target' in value
}

/** Returns the copy in the first suitable folder, or the reason why none is suitable. */
export async function copyPackage(
  packageDir: string,
  places: string[],
  account: Account,
): Promise<{ copy: string } | { refused: string }> {
  const reasons: string[] = []
  for (const place of places) {
    try {
      await requireOwnFolder(place)
      if (canEnter(account, place)) return { copy: await copyOnce(packageDir, place) }
      reasons.push(`${place}: uid ${account?.uid} cannot enter it`)
    } catch (error) {
      reasons.push(`${place}: ${messageOf(error)}`)
    }
  }
  return { refused: `${packageDir}: no place for a copy that PostgreSQL could use (${reasons.join('; ')})` }
}

/** In a shared folder such as /tmp another user may have created the folder first, so that we run their programs. */
async function requireOwnFolder(place: string): Promise<void> {
  const made = await mkdir(place, { recursive: true, mode: 0o755 })
  if (made !== undefined) await chmod(place, 0o755)
  const stats = await lstat(place)
  if (!stats.isDirectory()) throw new Error('not a folder')
  if (stats.uid !== process.getuid?.()) throw new Error('belongs to another user')
  if ((stats.mode & 0o022) !== 0) throw new Error('others may write in it')
}

/** Copies to a draft and renames it, so that a copy is complete or absent. Its name contains the version, so it stays valid. */
async function copyOnce(packageDir: string, place: string): Promise<string> {
  const copy = join(place, await nameOfCopy(packageDir))
  if (await exists(copy)) return copy
  await removeOldDrafts(place)
  const draft = join(place, `draft-${randomBytes(8).toString('hex')}`)
  try {
    await mkdir(draft, { mode: 0o755 })
    await copyFolder(join(packageDir, 'native'), join(draft, 'native'))
    if (!(await completeLinks(draft))) throw new Error('cannot make the library links')
    await rename(draft, copy)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await exists(copy))) throw error
  }
  return copy
}

async function nameOfCopy(packageDir: string): Promise<string> {
  const value: unknown = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'))
  const version = typeof value === 'object' && value !== null && 'version' in value ? String(value.version) : ''
  if (!/^[\w.-]+$/.test(version)) throw new Error(`${packageDir}/package.json names no version`)
  return `postgres-${version}-${process.platform}-${process.arch}`
}

async function removeOldDrafts(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const path = join(place, name)
    const age = name.startsWith('draft-') ? Date.now() - (await stat(path)).mtimeMs : 0
    if (age > DRAFT_AGE_MS_MAX) await rm(path, { recursive: true, force: true })
  }
}

/** Makes the files readable by everyone, whatever the umask of the installation was. They are public. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to)
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else {
      await copyFile(source, target)
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}
