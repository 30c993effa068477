// Hashes passwords with scrypt and verifies them. Each computation takes 128 MB and a third of a second, so only a few run at
// once and a bounded number waits: sign-ins must not starve the rest of the server.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { QueueFullError } from '../lib/batcher.ts'

/** 2^17 rounds and a block size of 8 are what OWASP recommends for scrypt. */
const COST_BITS = 17
const BLOCK_SIZE = 8
const PARALLELISM = 1
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Two of Node's four threads for such work, so that files and names are still served by the others. */
const RUNNING_MAX = 2
/** The last of them waits about five seconds. More than that is an attack, or a server that is too small. */
const WAITING_MAX = 30

export interface Passwords {
  hash(password: string): Promise<string>
  /** Reports whether this is the password. Without a stored hash it does the same work and reports false. */
  verify(password: string, stored: string | null): Promise<boolean>
}

interface Options {
  /** Two to this power is the number of rounds. */
  costBits?: number | undefined
  /** Called for each computation. */
  onComputed?: () => void
}

export function createPasswords({ costBits = COST_BITS, onComputed = () => {} }: Options = {}): Passwords {
  const inTurn = createTurns()
  const compute = (password: string, salt: Buffer, bits: number) =>
    inTurn(() => {
      onComputed()
      return derive(password, salt, bits)
    })
  const nobodysSalt = randomBytes(SALT_BYTES)
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      const hash = await compute(password, salt, costBits)
      return ['scrypt', costBits, salt.toString('base64url'), hash.toString('base64url')].join('$')
    },
    async verify(password, stored) {
      const [, bits, salt = '', hash = ''] = stored?.split('$') ?? []
      if (bits === undefined) {
        await compute(password, nobodysSalt, costBits)
        return false
      }
      const computed = await compute(password, Buffer.from(salt, 'base64url'), Number(bits))
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

function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= RUNNING_MAX) {
      if (waiting.length >= WAITING_MAX) throw new QueueFullError('too many passwords are being checked')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // The turn passes to the next in line.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
