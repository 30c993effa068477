// The encryption of a backup: what was altered, moved, left out or added is noticed, and nothing of it is yielded.
import { randomBytes } from 'node:crypto'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { decrypt, encrypt } from './age.ts'

/** What age encrypts at a time, and with its code. */
const CHUNK_BYTES = 65_536
const CODED_BYTES = CHUNK_BYTES + 16

const identity = await generateX25519Identity()
const recipient = await identityToRecipient(identity)
const plain = randomBytes(3 * CHUNK_BYTES + 100)

async function* cut(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
async function collect(source: AsyncIterable<Uint8Array>, pieces: Uint8Array[] = []) {
  for await (const piece of source) pieces.push(piece)
  return Buffer.concat(pieces)
}

const encrypted = await collect(encrypt(cut(plain, 10_000), [recipient]))
/** Where the chunks begin: after the header and a nonce. */
const start = encrypted.length - (3 * CODED_BYTES + 100 + 16)
const chunkAt = (index: number) => encrypted.subarray(start + index * CODED_BYTES, start + (index + 1) * CODED_BYTES)

it.each([61, 777, CODED_BYTES, 1_000_000])('is undone in pieces of %i bytes', async (size) => {
  expect((await collect(decrypt(cut(encrypted, size), [identity]))).equals(plain)).toBe(true)
})

it('is for every recipient, and an identity among several is enough', async () => {
  const other = await generateX25519Identity()
  const both = await collect(encrypt(cut(plain, 10_000), [recipient, await identityToRecipient(other)]))
  for (const one of [identity, other]) expect((await collect(decrypt(cut(both, 999), [one]))).equals(plain)).toBe(true)
  expect((await collect(decrypt(cut(encrypted, 999), [other, identity]))).equals(plain)).toBe(true)
})

describe('notices', () => {
  const head = encrypted.subarray(0, start)
  it.each([
    ['a chunk that was left out', [chunkAt(0), chunkAt(2), chunkAt(3)], 2],
    ['chunks that were exchanged', [chunkAt(1), chunkAt(0), chunkAt(2), chunkAt(3)], 1],
    ['a chunk that was repeated', [chunkAt(0), chunkAt(0), chunkAt(1), chunkAt(2), chunkAt(3)], 2],
    ['an end between two chunks', [chunkAt(0), chunkAt(1)], 2],
    ['an end within a chunk', [chunkAt(0), chunkAt(1).subarray(0, 100)], 2],
    ['bytes after the end', [chunkAt(0), chunkAt(1), chunkAt(2), chunkAt(3), Buffer.alloc(1)], 4],
    ['a file without chunks', [], 1],
  ])('%s', async (_name, chunks, place) => {
    const pieces: Uint8Array[] = []
    const decrypting = collect(decrypt(cut(Buffer.concat([head, ...chunks]), 5_000), [identity]), pieces)
    await expect(decrypting).rejects.toThrow(`altered or cut short, in or after its chunk ${place}.`)
    const yielded = Buffer.concat(pieces)
    expect(yielded.equals(plain.subarray(0, (place - 1) * CHUNK_BYTES))).toBe(true)
  })

  it('an identity that is none of a recipient', async () => {
    const decrypting = collect(decrypt(cut(encrypted, 5_000), [await generateX25519Identity()]))
    await expect(decrypting).rejects.toThrow(/identity file is of another recipient/)
  })

  it('a file that cannot be read, and says so', async () => {
    const source = async function* () {
      yield encrypted.subarray(0, 100_000)
      throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    }
    await expect(collect(decrypt(source(), [identity]))).rejects.toThrow('i/o error')
    await expect(collect(encrypt(source(), [recipient]))).rejects.toThrow('i/o error')
  })
})
