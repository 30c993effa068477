// Addresses from an xpub: known vectors, a second derivation with Node's own cryptography, and what is refused.
import { createECDH, createHmac, pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect, test } from 'vitest'
import { formatTronAddress } from '../../tron/address.ts'
import { firstAddresses, parseXpub, XpubError } from './xpub.ts'

// The test phrase of BIP-39, whose addresses wallets and libraries publish.
const PHRASE = `${'abandon '.repeat(11)}about`
const SEED = pbkdf2Sync(PHRASE, 'mnemonic', 2048, 64, 'sha512')
const ACCOUNT = HDKey.fromMasterSeed(SEED).derive("m/44'/195'/0'")
const XPUB = ACCOUNT.publicExtendedKey
const KNOWN = [
  'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK',
  'TYJPRrdB5APNeRs4R7fYZSwW3TcrTKw2gx',
]

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const HARDENED = 0x80000000

/** BIP-32 with private keys, written with Node's own functions: another way to the same addresses. */
function deriveIndependently(seed: Buffer, path: readonly number[]): string {
  let digest = createHmac('sha512', 'Bitcoin seed').update(seed).digest()
  let key = digest.subarray(0, 32)
  for (const step of path) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(step)
    const parent = step >= HARDENED ? Buffer.concat([Buffer.alloc(1), key]) : publicKey(key, 'compressed')
    digest = createHmac('sha512', digest.subarray(32)).update(parent).update(number).digest()
    const sum = (BigInt(`0x${digest.toString('hex', 0, 32)}`) + BigInt(`0x${key.toString('hex')}`)) % ORDER
    key = Buffer.from(sum.toString(16).padStart(64, '0'), 'hex')
  }
  return formatTronAddress(keccak_256(publicKey(key, 'uncompressed').subarray(1)).subarray(12))
}

function publicKey(key: Buffer, format: 'compressed' | 'uncompressed'): Buffer {
  const ecdh = createECDH('secp256k1')
  ecdh.setPrivateKey(key)
  return Buffer.from(ecdh.getPublicKey('hex', format), 'hex')
}

test('the first addresses of the test phrase are the published ones', () => {
  const wallet = parseXpub(XPUB)
  expect([0, 1, 2].map((index) => wallet.addressAt(index))).toEqual(KNOWN)
  expect(firstAddresses(wallet)).toEqual(KNOWN.slice(0, 2))
})

test('derivation from the public key meets derivation from the private keys', () => {
  const wallet = parseXpub(XPUB)
  for (const index of [0, 1, 19, 20, 999, 4_999]) {
    const path = [44 + HARDENED, 195 + HARDENED, HARDENED, 0, index]
    expect(wallet.addressAt(index)).toBe(deriveIndependently(SEED, path))
  }
})

test('spaces and line ends around the xpub are ignored', () => {
  expect(parseXpub(` ${XPUB}\n`).addressAt(0)).toBe(KNOWN[0])
})

const root = HDKey.fromMasterSeed(SEED)
const otherVersion = new HDKey({
  privateKey: ACCOUNT.privateKey as Uint8Array<ArrayBuffer>,
  chainCode: ACCOUNT.chainCode as Uint8Array<ArrayBuffer>,
  depth: 3,
  index: HARDENED,
  parentFingerprint: 1,
  // Written as "Ltpv…": nothing but the key itself tells that it is private.
  versions: { private: 0x019d9cfe, public: 0x019da462 },
})

test.each([
  ['an xprv', ACCOUNT.privateExtendedKey, /Never give it/],
  ['an xprv with a wrong character', `${ACCOUNT.privateExtendedKey.slice(0, -1)}z`, /Never give it/],
  ['a private key of another version', otherVersion.privateExtendedKey, /Never give it/],
  ['a recovery phrase', PHRASE, /Never give it/],
  ['the xpub of the root', root.publicExtendedKey, /depth is 0/],
  ['the xpub of the purpose and coin', root.derive("m/44'/195'").publicExtendedKey, /depth is 2/],
  ['the xpub of one chain of addresses', ACCOUNT.deriveChild(0).publicExtendedKey, /depth is 4/],
  ['the xpub of an account without hardening', root.derive("m/44'/195'/0").publicExtendedKey, /not that of an account/],
  [
    'an xpub with a wrong character',
    `${XPUB.slice(0, 40)}${XPUB[40] === 'a' ? 'b' : 'a'}${XPUB.slice(41)}`,
    /not valid/,
  ],
  ['an xpub that is cut', XPUB.slice(0, -3), /not valid/],
  ['a public key of another version', otherVersion.publicExtendedKey, /not an xpub/],
  ['an address', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', /not valid/],
  ['nothing', '', /not valid/],
])('%s is refused, and the message does not repeat it', (_name, text, message) => {
  let error: unknown
  try {
    parseXpub(text)
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(XpubError)
  const shown = (error as XpubError).message
  expect(shown).toMatch(message)
  if (text !== '') expect(shown).not.toContain(text.slice(0, 20))
  expect((error as XpubError).cause).toBeUndefined()
})
