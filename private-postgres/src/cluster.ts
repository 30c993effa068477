// Creates the data folder with initdb if there is none, and checks an existing one. An incomplete cluster never gets the
// final name, and an existing cluster is never removed.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lchown, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { openDataFolder } from './data-folder.ts'
import { PrivatePostgresError } from './error.ts'
import type { Program } from './program.ts'
import { run } from './run.ts'

/** It takes a second on a common machine, but a slow disk must sync about a thousand files. */
const INITDB_MS_MAX = 180_000

const DRAFT = 'cluster.draft-'

/** An initdb orphaned by a killed server may still be writing into the draft that is being removed. */
const REMOVE_RETRIES_MAX = 5

export interface ClusterOptions {
  program: Program
  folder: string
  cluster: string
  binaries: Binaries
  account: Account
  durable: boolean
  password: string
  /** a folder that only PostgreSQL's account can read, for handing over the password */
  privateFolder: string
  log: (message: string) => void
}

/** The caller holds the folder's lock. */
export async function ensureCluster(options: ClusterOptions): Promise<void> {
  await removeDrafts(options)
  if (existsSync(options.cluster)) {
    await requireVersion(options)
    return
  }
  options.log(`Making a new database in ${options.cluster}`)
  const draft = join(options.folder, `${DRAFT}${randomBytes(6).toString('hex')}`)
  try {
    await initialise(draft, options)
    await rename(draft, options.cluster)
    if (options.durable) await syncFolder(options.folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: REMOVE_RETRIES_MAX })
    throw error
  }
}

async function removeDrafts({ folder, log }: ClusterOptions): Promise<void> {
  for (const name of (await readdir(folder)).filter((entry) => entry.startsWith(DRAFT))) {
    log(`Removing ${name}, left by a first start that was interrupted`)
    const options = { recursive: true, force: true, maxRetries: REMOVE_RETRIES_MAX }
    await rm(join(folder, name), options).catch(() => log(`Could not remove ${name}; the next start tries again`))
  }
}

async function requireVersion({ cluster, binaries, program }: ClusterOptions): Promise<void> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text === undefined) {
    throw new PrivatePostgresError(
      `${cluster} is not a PostgreSQL data folder (it has no readable PG_VERSION). It was left untouched: ` +
        `restore it from a backup, move it away to begin with an empty database, or choose another ${program.folderSetting}.`,
    )
  }
  const made = text.trim()
  if (made === String(binaries.major)) return
  throw new PrivatePostgresError(
    `The data in ${cluster} was made by PostgreSQL ${made}, but the one at hand (${binaries.postgres}) is ` +
      `${binaries.major}. It was left untouched. Convert it with pg_upgrade, or run PostgreSQL ${made} on it yourself ` +
      `and ${program.useYourOwn}.`,
  )
}

async function initialise(draft: string, options: ClusterOptions): Promise<void> {
  const { account, binaries, durable, password, privateFolder, program } = options
  await mkdir(draft, { mode: 0o700 })
  const passwordFile = join(privateFolder, 'initdb-password')
  await writeFile(passwordFile, password, { mode: 0o600, flag: 'wx' })
  if (account) {
    await lchown(draft, account.uid, account.gid)
    await lchown(passwordFile, account.uid, account.gid)
  }
  const data = openDataFolder(account, draft, program)
  const args = ['-D', data.argument, '--username', program.name, '--pwfile', passwordFile, '--auth=scram-sha-256']
  args.push('--encoding=UTF8', '--locale=C', '--data-checksums')
  // Until the log has reached its usual size, PostgreSQL fills each new segment with zeros when it gets there, and every commit waits. That was
  // 35 ms for the usual 16 MB.
  args.push('--wal-segsize=4')
  if (!durable) args.push('--no-sync')
  const { code, output } = await run(binaries.initdb, args, {
    account,
    timeoutMs: INITDB_MS_MAX,
    inherited: data.inherited,
  })
  data.close()
  await rm(passwordFile, { force: true })
  if (code !== 0) throw initdbFailed(options, output)
}

/** initdb asks the system for the name of its account: a container's arbitrary user (`--user 1234`) may have none. */
function initdbFailed({ folder, program }: ClusterOptions, output: string): PrivatePostgresError {
  const nameless = output.includes('could not look up effective user ID')
  const advice = nameless ? `\nGive that user a line in /etc/passwd, run as one who has, or ${program.useYourOwn}.` : ''
  return new PrivatePostgresError(`PostgreSQL could not make a new database in ${folder}:\n${output.trim()}${advice}`)
}

/** Windows cannot sync folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
