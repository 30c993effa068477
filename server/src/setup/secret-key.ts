// The secret key at the start of a process, and while the process runs. The key is never in the database, which holds a check
// value of the current one: a wrong key is noticed at the start, and not as 401 for everyone. The database decides which of
// the given keys is the current one, so that all processes change to a new key at the same moment.
import { settleInstallation } from './queries.ts'
import { type Config, ConfigError } from '../config/config.ts'
import { createFailureLog } from '../db/failure-log.ts'
import type { Db } from '../db/pool.ts'
import { deriveKey } from '../lib/digest.ts'
import { must } from '../lib/invariant.ts'
import type { Log } from '../lib/log.ts'
import { decryptBytes, encryptSecret } from '../lib/secret-box.ts'
import { type LastingKeys, lastingKeysOf, type SecretKeys } from '../lib/secret-keys.ts'
import { findGivenKeys, type GivenKeys, readOrMakeKeys, secretKeyPath } from './key-files.ts'
import { findSecretKeyState } from './queries.ts'

export const SECRET_KEY_CHECK = 'secret_key_check'
const LASTING_PLACE = 'lasting keys'
const LASTING_BYTES = 32

/** How often a process looks whether the key was rotated. `secret-key rotate` waits for twice as long. */
export const KEY_WATCH_MS = 1_000

type KeyConfig = Pick<Config, 'dataDir' | 'secrets'>
type Keys = readonly [Buffer, ...Buffer[]]

export interface LoadedKeys extends SecretKeys {
  /** Changes to the key that the database names. Throws when this process does not have it. */
  refresh(): Promise<void>
}

export async function loadSecretKeys(db: Db, config: KeyConfig): Promise<LoadedKeys> {
  const given = readOrMakeKeys(config)
  must(await settleInstallation(db, SECRET_KEY_CHECK, checkOf(given.key)))
  const { check, lasting } = must(await findSecretKeyState(db))
  const first = orderKeys(given, check)
  if (first === undefined) {
    throw new ConfigError(
      `This database was set up with another secret key. Set SECRET_KEY to that one, or restore ${secretKeyPath(config)} (see docs/operating.md).`,
    )
  }
  let keys = first
  return {
    all: () => keys,
    lasting: lasting === null ? lastingKeysOf(keys[0]) : unwrapLasting(keys[0], lasting),
    async refresh() {
      const { check: now } = must(await findSecretKeyState(db))
      if (now.equals(checkOf(keys[0]))) return
      // The key in a file is replaced while the server runs.
      const next = orderKeys({ key: keys[0], previous: keys[1] }, now) ?? orderKeys(findGivenKeys(config), now)
      if (next === undefined) {
        throw new Error(
          'Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old one, and restart this process.',
        )
      }
      keys = next
    },
  }
}

/** Follows a rotation until `stop` is called. */
export function watchSecretKeys(keys: LoadedKeys, log: Log): () => void {
  const failures = createFailureLog(log, 'This process could not change to the current secret key.')
  const timer = setInterval(() => void failures.run(() => keys.refresh()), KEY_WATCH_MS)
  return () => clearInterval(timer)
}

export const checkOf = (key: Buffer) => deriveKey(key, 'check')

/** Returns the keys with the current one first; undefined when the current one is not among them. */
export function orderKeys(given: GivenKeys | undefined, check: Buffer): Keys | undefined {
  if (given === undefined) return undefined
  const { key, previous } = given
  if (checkOf(key).equals(check)) return previous === undefined ? [key] : [key, previous]
  return previous !== undefined && checkOf(previous).equals(check) ? [previous, key] : undefined
}

export function wrapLasting(key: Buffer, { tokens, payLinks }: LastingKeys): Buffer {
  return encryptSecret(deriveKey(key, LASTING_PLACE), LASTING_PLACE, Buffer.concat([tokens, payLinks]))
}

function unwrapLasting(key: Buffer, wrapped: Buffer): LastingKeys {
  const bytes = decryptBytes(deriveKey(key, LASTING_PLACE), LASTING_PLACE, wrapped)
  return { tokens: bytes.subarray(0, LASTING_BYTES), payLinks: bytes.subarray(LASTING_BYTES) }
}
