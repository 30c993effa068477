// TRON addresses: Base58Check over one byte 0x41 and twenty bytes of the account. No network, no keys.
import { createHash } from 'node:crypto'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'

const MAINNET = 0x41
const ACCOUNT_BYTES = 20
const base58check = createBase58check(sha256)

export function isTronAddress(text: string): boolean {
  return findAccount(text) !== undefined
}

/** Returns the twenty bytes of the account, or undefined if the text is not a TRON address. */
export function findAccount(text: string): Uint8Array | undefined {
  try {
    const bytes = base58check.decode(text)
    return bytes.length === ACCOUNT_BYTES + 1 && bytes[0] === MAINNET ? bytes.subarray(1) : undefined
  } catch {
    return undefined
  }
}

export function formatTronAddress(account: Uint8Array): string {
  return base58check.encode(Uint8Array.of(MAINNET, ...account.subarray(0, ACCOUNT_BYTES)))
}

/** A well-formed address to which nobody holds a key: for sandboxes and tests only. */
export function makeUnownedAddress(name: string): string {
  return formatTronAddress(createHash('sha256').update(name).digest())
}
