// The password of the private database. It is created once and stored in its folder, readable only by the server's user.
// It is never logged and never given on a command line.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PrivatePostgresError, errorCode } from './error.ts'

/** 256 bits: beyond guessing. */
const PASSWORD_BYTES = 32

/** The caller holds the folder's lock. */
export async function readOrMakePassword(folder: string, cluster: string): Promise<string> {
  const path = join(folder, 'password')
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  if (existsSync(cluster)) {
    throw new PrivatePostgresError(
      `The database in ${cluster} is there, but the file with its password, ${path}, is not. ` +
        'Put that file back from your backup of the folder.',
    )
  }
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  await writePrivate(path, password)
  return password
}

/** Syncs the file before renaming it, because a password lost in a power cut would lock us out of the data. */
async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
