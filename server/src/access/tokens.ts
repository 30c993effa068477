// The format of bearer tokens, and of the tokens of sessions and one-time links: `cstk_<kind>_` + 256 random bits in Base62
// + a CRC-32, so that a mistyped token is refused without a look-up. Only keyed digests of tokens are stored.
import { randomBytes } from 'node:crypto'
import { crc32, encodeBase62 } from './base62.ts'
import { ENVIRONMENTS } from '../lib/scope.ts'

export const TOKEN_KINDS = [...ENVIRONMENTS, 'operator', 'session', 'invitation', 'reset', 'signin'] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

/** 62^43 is just above 2^256, and 62^6 above 2^32. */
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6
const TOKEN = new RegExp(
  `^cstk_(${TOKEN_KINDS.join('|')})_([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`,
)
const PREFIX_RANDOM_LENGTH = 4

export function makeToken(kind: TokenKind): string {
  const random = encodeBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH)
  return `cstk_${kind}_${random}${checksum(kind, random)}`
}

/** Returns the kind of a well-formed token, or undefined if the format or the checksum is wrong. */
export function findTokenKind(text: string): TokenKind | undefined {
  const [, kind, random, sum] = TOKEN.exec(text) ?? []
  if (kind === undefined || random === undefined || checksum(kind, random) !== sum) return undefined
  return kind as TokenKind
}

function checksum(kind: string, random: string): string {
  return encodeBase62(BigInt(crc32(`cstk_${kind}_${random}`)), CHECKSUM_LENGTH)
}

/** Returns the part of a token that may be shown after its creation. */
export function tokenEnds(token: string): { prefix: string; last4: string } {
  const random = token.lastIndexOf('_') + 1
  return { prefix: token.slice(0, random + PREFIX_RANDOM_LENGTH), last4: token.slice(-4) }
}
