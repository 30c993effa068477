// Rotates the secret key: makes the new key the current one for all processes at once, then encrypts everything again. It may be
// interrupted at any point and run again.
import { auditRecord, programActor } from '../access/audit.ts'
import { type Config, ConfigError } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { countOld, createBoxes, reencryptAll, requireReadable } from './encrypted-values.ts'
import {
  findGivenKeys,
  type GivenKeys,
  lockKeyFiles,
  removePreviousKeyFile,
  replaceKeyFile,
  secretKeyPath,
} from './key-files.ts'
import { findSecretKeyState, switchSecretKey } from './queries.ts'
import { checkOf, KEY_WATCH_MS, loadSecretKeys, orderKeys, wrapLasting } from './secret-key.ts'

const ACTOR = programActor('secret-key rotate')

interface Options {
  db: Db
  clock: Clock
  config: Pick<Config, 'dataDir' | 'secrets'>
  /** How long to wait until every process has changed to the new key. */
  settleMs?: number
  /** Receives what happens, for people. */
  note(text: string): void
}

export interface Rotation {
  /** Whether this run made the new key the current one. Otherwise an earlier run did. */
  readonly switched: boolean
  readonly reencrypted: number
}

export async function rotateSecretKey(options: Options): Promise<Rotation> {
  if (options.config.secrets.secretKey !== undefined) return rotate(options)
  const lock = await lockKeyFiles(options.config)
  try {
    return await rotate(options)
  } finally {
    await lock.release()
  }
}

async function rotate(options: Options): Promise<Rotation> {
  const { db, config, note, settleMs = 2 * KEY_WATCH_MS } = options
  const state = await findSecretKeyState(db)
  if (state === undefined) throw new ConfigError('This database has no secret key yet. Start the server once.')
  const { check } = state
  const given = chooseKeys(config, check)
  // Reads the lasting keys with the key that is still the current one.
  const keys = await loadSecretKeys(db, config)
  const boxes = createBoxes(keys, config)
  await requireReadable(db, boxes)
  const switched = !checkOf(given.key).equals(check)
  if (switched) {
    const line = auditRecord(options.clock, ACTOR, { action: 'secret_key.rotated' })
    await switchSecretKey(
      db,
      { from: check, to: checkOf(given.key), lasting: wrapLasting(given.key, keys.lasting) },
      line,
    )
    note('The new key is the current one. Waiting until every process uses it …')
    await new Promise((resolve) => setTimeout(resolve, settleMs))
  }
  await keys.refresh()
  const total = await countOld(db, boxes)
  await reencryptAll(db, boxes, async () =>
    note(`${total - (await countOld(db, boxes))} of ${total} secrets encrypted`),
  )
  const left = await countOld(db, boxes)
  if (left > 0) {
    throw new ConfigError(
      `${left} secrets were written with the old key meanwhile. Restart the processes that do not have the new key, and run this again.`,
    )
  }
  if (config.secrets.secretKey === undefined) removePreviousKeyFile(config)
  return { switched, reencrypted: total }
}

/** Returns the new key and the old one. A key that is kept in a file is replaced by a new one. */
function chooseKeys(config: Options['config'], check: Buffer): GivenKeys {
  const given = findGivenKeys(config)
  const current = orderKeys(given, check)?.[0]
  if (given === undefined || current === undefined) {
    throw new ConfigError(
      `This database was set up with another secret key. Set SECRET_KEY_PREVIOUS to that one, or restore ${secretKeyPath(config)}.`,
    )
  }
  if (given.previous !== undefined && !given.previous.equals(given.key)) return given
  if (config.secrets.secretKey === undefined && config.secrets.databaseUrl === undefined) {
    return replaceKeyFile(config, given.key)
  }
  throw new ConfigError(
    'Set SECRET_KEY to a new key and SECRET_KEY_PREVIOUS to the present one for every process, restart them one after the ' +
      'other, and run this again with both. See docs/rotation.md.',
  )
}
