// The doctor's checks of the database: whether it can be reached, is new enough, has our schema, was set up with our secret
// key, and has the same time as this machine. They only read.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, toFailure } from '@cardstock/cli'
import { chooseBinaries } from '@cardstock/private-postgres'
import type { Config } from '../../../config/config.ts'
import { SKEW_MAX_MS } from '../../../db/health.ts'
import { SKEW_WARN_MS } from '../../../db/health-log.ts'
import type { Db } from '../../../db/pool.ts'
import { PROGRAM } from '../../../db/private-postgres.ts'
import { findPreRelease, PRE_RELEASE_REFUSALS } from '../../../db/pre-release.ts'
import { type AppliedFile, compareSchema, readSchemaFiles } from '../../../db/sql-files.ts'
import { must } from '../../../lib/invariant.ts'
import { countOld, createBoxes, requireReadable } from '../../../setup/encrypted-values.ts'
import { findGivenKeys, secretKeyPath } from '../../../setup/key-files.ts'
import { findSecretKeyState } from '../../../setup/queries.ts'
import { loadSecretKeys, orderKeys } from '../../../setup/secret-key.ts'
import { privateFolder, withPool } from '../database.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { examineSessions } from './sessions.ts'
import { examineWork } from './work.ts'
import { explainError } from '../../explain-error.ts'
import { listSchemaFiles, readServer } from './queries.ts'

const OLDEST_SERVER = 150_000

export async function examineDatabase(config: Config): Promise<Check[]> {
  const isPrivate = config.secrets.databaseUrl === undefined
  if (isPrivate && !existsSync(join(privateFolder(config), 'cluster'))) return [await checkBinaries(config)]
  try {
    return await withPool(config, (db) => examineConnected(db, config))
  } catch (error) {
    return [fail('database', toFailure(error, { explainError, startAdvice: undefined }).message)]
  }
}

async function checkBinaries(config: Config): Promise<Check> {
  try {
    const { binaries } = await chooseBinaries(privateFolder(config), PROGRAM)
    return ok('database', `private, not made yet; PostgreSQL ${binaries.major} is there, and the first start makes it`)
  } catch (error) {
    return fail('database', describeError(error))
  }
}

async function examineConnected(db: Db, config: Config): Promise<Check[]> {
  const before = Date.now()
  const { version, now, has_schema: hasSchema } = must(await readServer(db))
  const skewMs = Math.abs(now.getTime() - (before + Date.now()) / 2)
  const checks = [checkVersion(version), checkClock(skewMs)]
  if (!hasSchema)
    return [...checks, warn('schema', 'the database is empty. Run cardstock migrate, or start the server.')]
  const schema = checkSchema(await listSchemaFiles(db))
  const isSchemaCurrent = schema.status === 'ok'
  const secretKey = await checkSecretKey(db, config, { isSchemaCurrent })
  // An older schema may lack what these read.
  return [
    ...checks,
    schema,
    secretKey,
    ...(isSchemaCurrent ? [...(await examineSessions(db)), ...(await examineWork(db, now))] : []),
  ]
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
  const preRelease = findPreRelease(rows)
  if (preRelease === 'last') {
    return warn('schema', 'of the last version before 1.0. Run cardstock migrate, or start the server.')
  }
  if (preRelease !== undefined) return fail('schema', PRE_RELEASE_REFUSALS[preRelease])
  const { newer, changed, pendingMigrations, pendingFunctions, removedFunctions } = compareSchema(
    rows,
    readSchemaFiles(),
  )
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
async function checkSecretKey(
  db: Db,
  config: Config,
  { isSchemaCurrent }: { isSchemaCurrent: boolean },
): Promise<Check> {
  const name = 'secret key'
  const state = await findSecretKeyState(db)
  if (state === undefined) return ok(name, 'not settled yet; the first start does it')
  const advice = `Set SECRET_KEY to the one this database was set up with, or restore ${secretKeyPath(config)}.`
  const given = findGivenKeys(config)
  if (given === undefined) return fail(name, `missing. ${advice}`)
  const keys = orderKeys(given, state.check)
  if (keys === undefined) return fail(name, `does not belong to this database. ${advice}`)
  // An older schema lacks the columns that the other questions are about.
  if (!isSchemaCurrent) return ok(name, 'belongs to this database')
  return checkRotation(db, config, { isCurrent: keys[0] === given.key, hasPrevious: given.previous !== undefined })
}

async function checkRotation(
  db: Db,
  config: Config,
  { isCurrent, hasPrevious }: { isCurrent: boolean; hasPrevious: boolean },
): Promise<Check> {
  const name = 'secret key'
  if (!isCurrent) {
    return warn(name, 'the previous one is still in use. Restart every process, then run cardstock secret-key rotate.')
  }
  const boxes = createBoxes(await loadSecretKeys(db, config), config)
  try {
    await requireReadable(db, boxes)
  } catch (error) {
    return fail(name, describeError(error))
  }
  const old = await countOld(db, boxes)
  if (old > 0) return warn(name, `${old} secrets are encrypted with an older key. Run cardstock secret-key rotate.`)
  return hasPrevious
    ? warn(name, 'nothing is encrypted with the previous key any more. Remove SECRET_KEY_PREVIOUS.')
    : ok(name, 'belongs to this database')
}
