// TRON addresses: a known address, near misses, and addresses made for the sandbox.
import { expect, test } from 'vitest'
import { findAccount, formatTronAddress, isTronAddress, makeUnownedAddress } from './address.ts'

// The contract of USDT on TRON, and its account as block explorers show it in hex.
const USDT_CONTRACT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const USDT_ACCOUNT = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'

test('a known address is valid and matches the encoding of its account', () => {
  expect(isTronAddress(USDT_CONTRACT)).toBe(true)
  expect(formatTronAddress(Buffer.from(USDT_ACCOUNT, 'hex'))).toBe(USDT_CONTRACT)
  expect(Buffer.from(findAccount(USDT_CONTRACT) ?? []).toString('hex')).toBe(USDT_ACCOUNT)
})

test.each([
  ['one character changed', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T'],
  ['a character left out', USDT_CONTRACT.slice(0, -1)],
  ['a Bitcoin address', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['not Base58', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj0O'],
  ['nothing', ''],
])('%s is not a TRON address', (_name, text) => expect(isTronAddress(text)).toBe(false))

test('unowned addresses are valid and differ by name', () => {
  const addresses = Array.from({ length: 100 }, (_, index) => makeUnownedAddress(`test ${index}`))
  expect(addresses.every(isTronAddress)).toBe(true)
  expect(new Set(addresses).size).toBe(100)
})
