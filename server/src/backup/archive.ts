// An archive as a file: a line that names the format, the salt of the passphrase, and then the compressed and encrypted records.
// A new archive gets its final name only when it is complete.
import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import {
  type ChunkKey,
  decryptChunks,
  deriveChunkKey,
  encryptChunks,
  SCRYPT_COST_BITS,
  SCRYPT_COST_BITS_MAX,
} from './cipher.ts'
import { BackupError } from './error.ts'
import { type ArchiveRecord, readRecords } from './records.ts'

const MAGIC = 'cardstock backup 1\n'
const SALT_BYTES = 32
/** The format, the cost of scrypt, and the salt. */
const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES
/** As long as a good passphrase; a key file made by us has 64 hexadecimal digits. */
const PASSPHRASE_LENGTH_MIN = 16

/** The whole file without white space at its ends: a passphrase, or a random key in any form of text. */
export function readKeyFile(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new BackupError(`The key file ${path} cannot be read: ${(error as Error).message}.`)
  }
  if (text.length >= PASSPHRASE_LENGTH_MIN) return text
  throw new BackupError(
    `The key file ${path} has fewer than ${PASSPHRASE_LENGTH_MIN} characters. Make one with: ` +
      `node -p 'require("crypto").randomBytes(32).toString("hex")' > ${path}`,
  )
}

/** Returns the size of the file. */
export async function writeArchive(
  path: string,
  passphrase: string,
  records: AsyncIterable<Buffer>,
  { costBits = SCRYPT_COST_BITS }: { costBits?: number | undefined } = {},
): Promise<{ bytes: number }> {
  if (existsSync(path)) throw new BackupError(`${path} exists already. Choose another name.`)
  const header = Buffer.concat([Buffer.from(MAGIC), Buffer.of(costBits), randomBytes(SALT_BYTES)])
  const key = await keyOf(passphrase, header)
  const draft = `${path}.${process.pid}.partial`
  const file = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
  try {
    file.write(header)
    // objectMode would count records instead of bytes, and let megabytes wait.
    const source = Readable.from(records, { objectMode: false })
    await pipeline(source, createGzip(), (compressed: AsyncIterable<Buffer>) => encryptChunks(compressed, key), file)
    renameSync(draft, path)
    return { bytes: file.bytesWritten }
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Yields the records of an archive. Throws as soon as a part is found to be altered or missing. */
export async function* readArchive(path: string, passphrase: string): AsyncGenerator<ArchiveRecord> {
  const header = await readHeader(path)
  const key = await keyOf(passphrase, header)
  const file = createReadStream(path, { start: HEADER_BYTES })
  const plain = createGunzip()
  const decrypting = pipeline(file, (chunks: AsyncIterable<Buffer>) => decryptChunks(chunks, key), plain)
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
    throw cause instanceof BackupError ? cause : error
  } finally {
    file.destroy()
  }
}

function keyOf(passphrase: string, header: Buffer): Promise<ChunkKey> {
  const costBits = header[MAGIC.length] ?? 0
  if (costBits > SCRYPT_COST_BITS_MAX) throw new BackupError('The archive is not in the expected format.')
  return deriveChunkKey(passphrase, { salt: header.subarray(MAGIC.length + 1), costBits, header })
}

async function readHeader(path: string): Promise<Buffer> {
  let file
  try {
    file = await open(path)
  } catch (error) {
    throw new BackupError(`The archive ${path} cannot be read: ${(error as Error).message}.`)
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0)
    if (bytesRead === HEADER_BYTES && buffer.toString('latin1', 0, MAGIC.length) === MAGIC) return buffer
    throw new BackupError(`${path} is not a backup of this version of Cardstock. Nothing was changed.`)
  } finally {
    await file.close()
  }
}
