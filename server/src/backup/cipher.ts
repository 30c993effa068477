// Encrypts a stream of any length with AES-256-GCM in chunks, after the STREAM construction that age and Tink use: the nonce of a
// chunk has its number and says whether it is the last one. So no chunk can be altered, moved, left out or added, and a file
// that was cut short is noticed. It must not yield a byte that it has not authenticated.
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupError } from './error.ts'

/** Large enough that tags and calls cost nothing, small enough that memory does not matter. */
const CHUNK_BYTES = 65_536
const TAG_BYTES = 16
const PREFIX_BYTES = 7
/** 2^32 chunks of 64 KiB are 256 TiB. */
const CHUNKS_MAX = 2 ** 32
const KEY_BYTES = 32

/** Half a second and 128 MiB for each guess of a passphrase. An archive names its own, so that later versions can ask for more. */
export const SCRYPT_COST_BITS = 17
/** A forged archive must not be able to use all memory: this is 1 GiB. */
export const SCRYPT_COST_BITS_MAX = 20
const SCRYPT_BLOCK_SIZE = 8

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)

export interface ChunkKey {
  readonly key: Buffer
  readonly prefix: Buffer
  /** Authenticated with every chunk. */
  readonly header: Buffer
}

export async function deriveChunkKey(
  passphrase: string,
  { salt, costBits, header }: { salt: Buffer; costBits: number; header: Buffer },
): Promise<ChunkKey> {
  const cost = 2 ** costBits
  // scrypt needs 128 bytes for each unit of its cost and block size, and a little more.
  const options = { N: cost, r: SCRYPT_BLOCK_SIZE, p: 1, maxmem: 256 * cost * SCRYPT_BLOCK_SIZE }
  const bytes = await derive(passphrase, salt, KEY_BYTES + PREFIX_BYTES, options)
  return { key: bytes.subarray(0, KEY_BYTES), prefix: bytes.subarray(KEY_BYTES), header }
}

export async function* encryptChunks(source: AsyncIterable<Buffer>, key: ChunkKey): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { bytes, isLast } of cut(source, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key.key, nonceOf(key, number, isLast)).setAAD(key.header)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    number += 1
  }
}

export async function* decryptChunks(source: AsyncIterable<Buffer>, key: ChunkKey): AsyncGenerator<Buffer> {
  let number = 0
  for await (const { bytes, isLast } of cut(source, CHUNK_BYTES + TAG_BYTES)) {
    yield decryptChunk(key, { bytes, isLast, number })
    number += 1
  }
}

function decryptChunk(key: ChunkKey, { bytes, isLast, number }: { bytes: Buffer; isLast: boolean; number: number }) {
  try {
    if (bytes.length < TAG_BYTES) throw new BackupError('too short')
    const nonce = nonceOf(key, number, isLast)
    const decipher = createDecipheriv('aes-256-gcm', key.key, nonce, { authTagLength: TAG_BYTES }).setAAD(key.header)
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES)), decipher.final()])
  } catch {
    throw new BackupError(
      number === 0
        ? 'The archive cannot be decrypted: the key file is another one, or the archive was altered or cut short. Nothing was changed.'
        : `The archive was altered or cut short, in or after its chunk ${number + 1}. Nothing was changed. Use another copy of it.`,
    )
  }
}

function nonceOf({ prefix }: ChunkKey, number: number, isLast: boolean): Buffer {
  if (number >= CHUNKS_MAX) throw new BackupError('The database is too large for one archive.')
  const end = Buffer.alloc(5)
  end.writeUInt32BE(number)
  end[4] = isLast ? 1 : 0
  return Buffer.concat([prefix, end])
}

/** Cuts a stream into pieces of one size; the last one may be shorter or empty. */
async function* cut(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let waiting: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    // A piece is yielded only when something follows it, because the last one is marked.
    while (waiting.length > size) {
      yield { bytes: waiting.subarray(0, size), isLast: false }
      waiting = waiting.subarray(size)
    }
  }
  yield { bytes: waiting, isLast: true }
}
