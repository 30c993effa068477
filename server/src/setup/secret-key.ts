// The key of all digests. It comes from the configuration, or is made once and kept in DATA_DIR. It is never in the
// database, which holds only a check value: a wrong key is noticed at the start, and not as 401 for everyone.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { settleInstallation } from '../access/queries.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { deriveKey } from '../lib/digest.ts'
import { must } from '../lib/invariant.ts'
import { findFile, writePrivateFile } from './files.ts'

const SECRET_KEY = /^[0-9a-f]{64}$/i

export async function loadSecretKey(db: Db, config: Pick<Config, 'dataDir' | 'secrets'>): Promise<Buffer> {
  const path = join(config.dataDir, 'secret.key')
  const key = Buffer.from(config.secrets.secretKey ?? findSecretKey(path) ?? makeSecretKey(path), 'hex')
  const check = deriveKey(key, 'check')
  const { value } = must(await settleInstallation(db, 'secret_key_check', check))
  if (!value.equals(check)) {
    throw new ConfigError(
      `This database was set up with another secret key. Set SECRET_KEY to that one, or restore ${path} (see docs/operating.md).`,
    )
  }
  return key
}

/** Undefined when there is no such file. Half a key would be accepted silently and make every token invalid later. */
function findSecretKey(path: string): string | undefined {
  const text = findFile(path)?.trim()
  if (text !== undefined && !SECRET_KEY.test(text)) {
    throw new ConfigError(
      `${path} does not hold a secret key (64 hexadecimal digits). Restore it from your backup, or set SECRET_KEY to the ` +
        'key that this database was set up with. Delete the file only if the database is new.',
    )
  }
  return text
}

function makeSecretKey(path: string): string {
  const hex = randomBytes(32).toString('hex')
  writePrivateFile(path, `${hex}\n`)
  return hex
}
