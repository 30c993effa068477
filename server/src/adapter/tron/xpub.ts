// Derives receiving addresses from the xpub of an account (m/44'/195'/0'). It never sees a private key: one that is given by
// mistake is refused, and no message repeats what was given.
import { ECDH } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { invariant, must } from '../../lib/invariant.ts'
import { formatTronAddress } from '../../tron/address.ts'

const base58check = createBase58check(sha256)
/** m/44'/195'/0' has three steps. The xpub of another depth would give addresses that no wallet shows. */
const ACCOUNT_DEPTH = 3
/** The first number with the highest bit: m/44'/195'/0' ends with a hardened step. */
const HARDENED = 0x80000000
/** BIP-32: version 4, depth 1, parent 4, number 4, chain code 32, key 33. */
const EXTENDED_KEY_BYTES = 78
const KEY_AT = 45
/** A private key has a zero byte in front of it; a public one never begins with zero. */
const PRIVATE_MARK = 0
/** The chain of addresses that are given to others; wallets use 1 for change. */
const RECEIVING = 0
/** A recovery phrase has 12 to 24 words. */
const PHRASE = /^[a-z]+(\s+[a-z]+){11,23}$/i

/** The text is not an xpub of an account. The message says what to do and does not repeat the text. */
export class XpubError extends Error {
  override name = 'XpubError'
}

/** The addresses of one account. It can receive and not spend. */
export interface Wallet {
  addressAt(index: number): string
}

export function parseXpub(text: string): Wallet {
  const trimmed = text.trim()
  if (PHRASE.test(trimmed) || /^[a-z]?prv/i.test(trimmed)) throw secretGiven()
  const bytes = decode(trimmed)
  if (bytes[KEY_AT] === PRIVATE_MARK) throw secretGiven()
  const account = parseKey(trimmed)
  if (account.depth !== ACCOUNT_DEPTH || account.index < HARDENED) {
    throw new XpubError(
      `The xpub is not that of an account: its depth is ${account.depth}. Export the extended public key of m/44'/195'/0' from the wallet.`,
    )
  }
  const receiving = account.deriveChild(RECEIVING)
  const known = new Map<number, string>()
  return {
    addressAt(index) {
      invariant(Number.isInteger(index) && index >= 0 && index < HARDENED, 'an index of an address')
      // Deriving takes milliseconds, and many requests at once need the same next addresses. There are at most ADDRESSES_MAX.
      const address = known.get(index) ?? toAddress(must(receiving.deriveChild(index).publicKey ?? undefined))
      known.set(index, address)
      return address
    },
  }
}

/** Returns the first two addresses. Whoever sets the adapter up compares them with the wallet: both, because the older way of
 * deriving (m/44'/195'/i'/0/0) gives the same first address. */
export function firstAddresses(wallet: Wallet): readonly [string, string] {
  return [wallet.addressAt(0), wallet.addressAt(1)]
}

function decode(text: string): Uint8Array {
  const explain = 'The xpub is not valid: a character is wrong or missing. Copy it from the wallet again.'
  try {
    const bytes = base58check.decode(text)
    if (bytes.length === EXTENDED_KEY_BYTES) return bytes
  } catch {
    // The error of the decoder quotes the text.
  }
  throw new XpubError(explain)
}

function parseKey(text: string): HDKey {
  try {
    return HDKey.fromExtendedKey(text)
  } catch {
    throw new XpubError(
      "The text is not an xpub. Export the extended public key (\"xpub…\") of m/44'/195'/0' from the wallet.",
    )
  }
}

function secretGiven(): XpubError {
  return new XpubError(
    "This is a private key or a recovery phrase. Never give it to the adapter, nor to anybody: whoever has it can take the money. Give the extended public key (\"xpub…\") of m/44'/195'/0'. If the secret was stored in a file or a setting, move the money to a new wallet.",
  )
}

function toAddress(publicKey: Uint8Array): string {
  const full = ECDH.convertKey(publicKey, 'secp256k1', undefined, undefined, 'uncompressed') as Buffer
  // Without the byte that says how the point is written. An account is the last twenty bytes of the digest.
  return formatTronAddress(keccak_256(full.subarray(1)).subarray(12))
}
