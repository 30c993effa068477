// The secret keys that this process is given: SECRET_KEY and SECRET_KEY_PREVIOUS, or the files in DATA_DIR. The first start
// makes a key and keeps it in a file.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findFile, writePrivateFile } from '@cardstock/cli/files'
import { FolderInUseError, type FolderLock, lockFolder } from '@cardstock/private-postgres'
import { type Config, ConfigError } from '../config/config.ts'
import { PROGRAM } from '../db/private-postgres.ts'

const SECRET_KEY = /^[0-9a-f]{64}$/i

type KeyConfig = Pick<Config, 'dataDir' | 'secrets'>

export interface GivenKeys {
  readonly key: Buffer
  /** During a rotation. */
  readonly previous: Buffer | undefined
}

export const secretKeyPath = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'secret.key')
export const previousKeyPath = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'secret.key.previous')

/** Returns undefined if there is no key yet. */
export function findGivenKeys(config: KeyConfig): GivenKeys | undefined {
  const { secretKey, secretKeyPrevious } = config.secrets
  const key = secretKey ?? findKeyFile(secretKeyPath(config))
  const previous = secretKey === undefined ? findKeyFile(previousKeyPath(config)) : secretKeyPrevious
  if (key === undefined) return undefined
  return { key: Buffer.from(key, 'hex'), previous: previous === undefined ? undefined : Buffer.from(previous, 'hex') }
}

export function readOrMakeKeys(config: KeyConfig): GivenKeys {
  return findGivenKeys(config) ?? { key: writeNewKey(config), previous: undefined }
}

/** Keeps the present key as the previous one and makes a new one. If the process dies in between, both files hold the same key. */
export function replaceKeyFile(config: KeyConfig, present: Buffer): GivenKeys {
  writePrivateFile(previousKeyPath(config), `${present.toString('hex')}\n`)
  return { key: writeNewKey(config), previous: present }
}

/** Two rotations at once would each write a key of their own, and the one that the database then names could be lost. */
export async function lockKeyFiles({ dataDir }: Pick<Config, 'dataDir'>): Promise<FolderLock> {
  const folder = join(dataDir, 'key-rotation')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return await lockFolder(folder, PROGRAM)
  } catch (error) {
    if (!(error instanceof FolderInUseError)) throw error
    throw new ConfigError('Another cardstock secret-key rotate runs in this folder. Wait until it has ended.')
  }
}

export function removePreviousKeyFile(config: KeyConfig): void {
  rmSync(previousKeyPath(config), { force: true })
}

/** Undefined when there is no such file. Half a key would be accepted silently and make every token invalid later. */
function findKeyFile(path: string): string | undefined {
  const text = findFile(path)?.trim()
  if (text !== undefined && !SECRET_KEY.test(text)) {
    throw new ConfigError(
      `${path} does not hold a secret key (64 hexadecimal digits). Restore it from your backup, or set SECRET_KEY to the ` +
        'key that this database was set up with. Delete the file only if the database is new.',
    )
  }
  return text
}

function writeNewKey(config: KeyConfig): Buffer {
  const key = randomBytes(32)
  writePrivateFile(secretKeyPath(config), `${key.toString('hex')}\n`)
  return key
}
