// The format of tokens: a mistyped token is recognised without a look-up.
import { describe, expect, it } from 'vitest'
import { findTokenKind, makeToken, TOKEN_KINDS, tokenEnds } from './tokens.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe.each(TOKEN_KINDS)('a token of kind %s', (kind) => {
  const token = makeToken(kind)

  it('has 43 random and 6 check characters', () => {
    expect(token).toMatch(new RegExp(`^cstk_${kind}_[0-9A-Za-z]{49}$`))
    expect(findTokenKind(token)).toBe(kind)
  })

  it('is refused if any character is changed, swapped, added or missing', () => {
    const start = token.lastIndexOf('_') + 1
    for (let at = start; at < token.length; at += 1) {
      const other = ALPHABET[(ALPHABET.indexOf(token[at] ?? '') + 1) % ALPHABET.length]
      expect(findTokenKind(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined()
      expect(findTokenKind(token.slice(0, at) + token.slice(at + 1))).toBeUndefined()
      const swapped = token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2)
      if (swapped !== token) expect(findTokenKind(swapped)).toBeUndefined()
    }
    expect(findTokenKind(`${token}0`)).toBeUndefined()
    expect(findTokenKind(`${token}\n`)).toBeUndefined()
  })

  it('cannot be turned into another kind', () => {
    for (const other of TOKEN_KINDS.filter((each) => each !== kind)) {
      expect(findTokenKind(token.replace(`_${kind}_`, `_${other}_`))).toBeUndefined()
    }
  })

  it('is later shown by its kind, its first four and its last four characters', () => {
    const { prefix, last4 } = tokenEnds(token)
    expect(prefix).toBe(token.slice(0, `cstk_${kind}_`.length + 4))
    expect(token.endsWith(last4)).toBe(true)
  })
})

it('no two tokens are the same', () => {
  expect(new Set(Array.from({ length: 1000 }, () => makeToken('sandbox'))).size).toBe(1000)
})
