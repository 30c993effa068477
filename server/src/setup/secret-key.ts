// The key of all digests. From the configuration, or made once and kept in DATA_DIR; never in the database,
// which holds only a check value, so that a wrong key is noticed at the start and not as 401 for everyone.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { settleInstallation } from '../access/queries.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Db } from '../db/pool.ts'
import { deriveKey } from '../lib/digest.ts'
import { must } from '../lib/invariant.ts'
import { findFile, writePrivateFile } from './files.ts'

export async function loadSecretKey(db: Db, config: Pick<Config, 'dataDir' | 'secrets'>): Promise<Buffer> {
  const path = join(config.dataDir, 'secret.key')
  let hex = config.secrets.secretKey ?? findFile(path)?.trim()
  if (hex === undefined) {
    hex = randomBytes(32).toString('hex')
    writePrivateFile(path, `${hex}\n`)
  }
  const key = Buffer.from(hex, 'hex')
  const check = deriveKey(key, 'check')
  const { value } = must(await settleInstallation(db, 'secret_key_check', check))
  if (!value.equals(check)) {
    throw new ConfigError(
      `This database was set up with another secret key. Set SECRET_KEY to that one, or restore ${path} (see docs/operating.md).`,
    )
  }
  return key
}
