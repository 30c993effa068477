// The doctor's checks of the database: whether it can be reached, is new enough, has our schema, was set up with our secret
// key, and has the same time as this machine. They only read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { chooseAccount } from '../db/embedded/account.ts'
import { findBinaries, placesForCopy } from '../db/embedded/binaries.ts'
import { EmbeddedError } from '../db/embedded/error.ts'
import { SKEW_MAX_MS } from '../db/health.ts'
import { SKEW_WARN_MS } from '../db/health-log.ts'
import { createPool, type Db } from '../db/pool.ts'
import { type AppliedFile, compareSchema } from '../db/sql-files.ts'
import { deriveKey } from '../lib/digest.ts'
import { must } from '../lib/invariant.ts'
import { findFile } from '../setup/files.ts'
import { embeddedFolder, withDatabase } from './database.ts'
import { type Check, fail, ok, warn } from './doctor.ts'
import { describe, toFailure } from './failure.ts'
import { findInstallation, listSchemaFiles, readServer } from './queries.ts'

const OLDEST_SERVER = 150_000

export async function examineDatabase(config: Config, { isServerReady }: { isServerReady: boolean }): Promise<Check[]> {
  const isPrivate = config.secrets.databaseUrl === undefined
  if (isPrivate && !existsSync(join(embeddedFolder(config), 'cluster'))) return [await checkBinaries(config)]
  try {
    return await withDatabase(config, async (connection) => {
      const db = createPool(connection, { size: 1, onError: () => undefined })
      try {
        return await examineConnected(db, config)
      } finally {
        await db.close()
      }
    })
  } catch (error) {
    if (isPrivate && isServerReady && isInUse(error)) {
      return [ok('database', 'private, and in use by the running server, which checked schema and secret key')]
    }
    return [fail('database', (await toFailure(error)).message)]
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof EmbeddedError && /is in use by another server/.test(error.message)
}

async function checkBinaries(config: Config): Promise<Check> {
  const folder = embeddedFolder(config)
  const account = chooseAccount(folder, join(folder, 'cluster'))
  try {
    const { major } = await findBinaries({ account, copyTo: placesForCopy(account, folder) })
    return ok('database', `private, not made yet; PostgreSQL ${major} is there, and the first start makes it`)
  } catch (error) {
    return fail('database', describe(error))
  }
}

async function examineConnected(db: Db, config: Config): Promise<Check[]> {
  const before = Date.now()
  const { version, now, has_schema: hasSchema } = must(await readServer(db))
  const skewMs = Math.abs(now.getTime() - (before + Date.now()) / 2)
  const checks = [checkVersion(version), checkClock(skewMs)]
  if (!hasSchema)
    return [...checks, warn('schema', 'the database is empty. Run cardstock migrate, or start the server.')]
  checks.push(checkSchema(await listSchemaFiles(db)))
  checks.push(checkSecretKey((await findInstallation(db, 'secret_key_check'))?.value, config))
  return checks
}

function checkVersion(version: number): Check {
  const text = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`
  if (version >= OLDEST_SERVER) return ok('database', text)
  return fail('database', `${text} is older than 15. Upgrade it, or leave DATABASE_URL unset.`)
}

/** Judges as the running server does. */
function checkClock(skewMs: number): Check {
  const text = `${(skewMs / 1000).toFixed(1)} s from the database's`
  if (skewMs <= SKEW_WARN_MS) return ok('clock', text)
  if (skewMs <= SKEW_MAX_MS) return warn('clock', `${text}. Synchronise both clocks (NTP).`)
  return fail('clock', `${text}. The server accepts nothing until they agree. Synchronise both clocks (NTP).`)
}

function checkSchema(rows: readonly AppliedFile[]): Check {
  const { newer, changed, pendingMigrations, pendingFunctions, removedFunctions } = compareSchema(rows)
  if (newer.length > 0) {
    return fail('schema', `newer than this program (${newer.join(', ')}). Use the newer version of Cardstock.`)
  }
  if (changed.length > 0) {
    return fail('schema', `${changed.join(', ')} changed after it was applied. Restore it.`)
  }
  const pending = [...pendingMigrations, ...pendingFunctions].map((file) => file.name)
  if (pending.length + removedFunctions.length === 0) return ok('schema', `current (${rows.length} files)`)
  const names = [...pending, ...removedFunctions].join(', ')
  return warn('schema', `${names} not applied yet. Run cardstock migrate, or start the server.`)
}

/** The check value was stored when the database was set up. With another key, every token would be refused. */
function checkSecretKey(check: Buffer | undefined, { dataDir, secrets }: Config): Check {
  const name = 'secret key'
  if (check === undefined) return ok(name, 'not settled yet; the first start does it')
  const path = join(dataDir, 'secret.key')
  const hex = secrets.secretKey ?? findFile(path)?.trim()
  const advice = `Set SECRET_KEY to the one this database was set up with, or restore ${path}.`
  if (hex === undefined) return fail(name, `missing. ${advice}`)
  if (deriveKey(Buffer.from(hex, 'hex'), 'check').equals(check)) return ok(name, 'belongs to this database')
  return fail(name, `does not belong to this database. ${advice}`)
}
