// A backup as a file: the records, compressed and then encrypted in the format of age. A new one gets its final name only when it
// is complete.
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { decrypt, encrypt } from './age.ts'
import { BackupError } from './error.ts'
import { type BackupRecord, readRecords } from './records.ts'

/** The first line of every file of age. */
const AGE_LINE = 'age-encryption.org/v1\n'
/** What the last line of age's header begins with. */
const HEADER_END = '\n--- '
/** A header has 100 to 2,000 bytes for each recipient. The package would read a forged one into memory, however long it is. */
const HEADER_BYTES_MAX = 65_536
/** The first line of our own format, before backups used age. */
const FORMER_LINE = 'cardstock backup 1\n'

/** Returns the size of the file. */
export async function writeBackup(
  path: string,
  recipients: readonly string[],
  records: AsyncIterable<Buffer>,
): Promise<{ bytes: number }> {
  if (existsSync(path)) throw new BackupError(`${path} exists already. Choose another name.`)
  const draft = `${path}.${process.pid}.partial`
  const file = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
  try {
    // objectMode would count records instead of bytes, and let megabytes wait.
    const source = Readable.from(records, { objectMode: false })
    await pipeline(source, createGzip(), (compressed: AsyncIterable<Buffer>) => encrypt(compressed, recipients), file)
    renameSync(draft, path)
    return { bytes: file.bytesWritten }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Yields the records of a backup. Throws as soon as a part is found to be altered or missing. */
export async function* readBackup(path: string, identities: readonly string[]): AsyncGenerator<BackupRecord> {
  await requireBackup(path)
  const file = createReadStream(path)
  const plain = createGunzip()
  const decrypting = pipeline(file, (chunks: AsyncIterable<Buffer>) => decrypt(chunks, identities), plain)
  // A reader that stops early does not wait for it.
  decrypting.catch(() => undefined)
  try {
    yield* readRecords(plain)
    await decrypting
  } catch (error) {
    // What could not be decrypted explains what could not be read.
    const cause = await decrypting.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    if (cause instanceof BackupError) throw cause
    if (!isOfZlib(error)) throw error
    throw new BackupError(`${path} can be decrypted, but it is not a backup of Cardstock. Nothing was changed.`)
  } finally {
    file.destroy()
  }
}

const isOfZlib = (error: unknown) => (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true

/** Reads the beginning of the file, and throws if it cannot be a backup. */
async function requireBackup(path: string): Promise<void> {
  const head = await readHead(path)
  if (head.startsWith(FORMER_LINE)) {
    throw new BackupError(
      `${path} was made with a key file, by a checkout of Cardstock from before version 0.2.0, which wrote a format of its own. ` +
        'Restore it with that checkout, and make a new backup with this version. Nothing was changed.',
    )
  }
  if (!head.startsWith(AGE_LINE))
    throw new BackupError(`${path} is not a backup of this version of Cardstock. Nothing was changed.`)
  if (!head.includes(HEADER_END))
    throw new BackupError('The backup was altered or cut short, in its header. Nothing was changed.')
}

async function readHead(path: string): Promise<string> {
  let file
  try {
    file = await open(path)
  } catch (error) {
    throw new BackupError(`The backup ${path} cannot be read: ${(error as Error).message}.`)
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}
