// Hashes passwords with scrypt and verifies them. Each computation takes 128 MB and a third of a second, so only a few run at
// once and a bounded number waits: sign-ins must not starve the rest of the server.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { createPasswordQueue, type Place } from './password-queue.ts'

/** 2^17 rounds and a block size of 8 are what OWASP recommends for scrypt. */
const COST_BITS = 17
const BLOCK_SIZE = 8
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32

export interface Passwords {
  hash(password: string, place: Place): Promise<string>
  /** Reports whether this is the password. Without a stored hash it does the same work and reports false. */
  verify(password: string, stored: string | null, place: Place): Promise<boolean>
}

interface Options {
  /** Two to this power is the number of rounds. */
  costBits?: number | undefined
  /** Called for each computation. */
  onComputed?: () => void
}

export function createPasswords({ costBits = COST_BITS, onComputed = () => {} }: Options = {}): Passwords {
  const inTurn = createPasswordQueue()
  const compute = (place: Place, password: string, salt: Buffer, bits: number) =>
    inTurn(place, () => {
      onComputed()
      return derive(password, salt, bits)
    })
  const nobodysSalt = randomBytes(SALT_BYTES)
  return {
    async hash(password, place) {
      const salt = randomBytes(SALT_BYTES)
      const hash = await compute(place, password, salt, costBits)
      return ['scrypt', costBits, salt.toString('base64url'), hash.toString('base64url')].join('$')
    },
    async verify(password, stored, place) {
      const [, bits, salt = '', hash = ''] = stored?.split('$') ?? []
      if (bits === undefined) {
        await compute(place, password, nobodysSalt, costBits)
        return false
      }
      const computed = await compute(place, password, Buffer.from(salt, 'base64url'), Number(bits))
      return timingSafeEqual(computed, Buffer.from(hash, 'base64url'))
    },
  }
}

/** The same password typed on two systems may differ in how its accents are encoded. */
function derive(password: string, salt: Buffer, bits: number): Promise<Buffer> {
  const cost = 2 ** bits
  const options = { N: cost, r: BLOCK_SIZE, p: PARALLELISM, maxmem: 256 * cost * BLOCK_SIZE }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
      error === null ? resolve(hash) : reject(error),
    )
  })
}
