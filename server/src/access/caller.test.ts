// What a caller may do, from the rows of its key and company, and from which addresses.
import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addCidr, type Caller, companyFacts, isAllowedFrom, ISSUANCE_QUOTA_INDIVIDUAL, toCaller } from './caller.ts'
import type { CallerRow } from './queries.ts'

const row: CallerRow = {
  key_id: 'key',
  key_name: 'Nightly',
  company_id: 'company',
  environment: 'sandbox',
  scopes: ['holders:read'],
  allowed_cidrs: [],
  expires_at: null,
  revoked_at: null,
  kind: 'corporate',
  verification: 'approved',
  live_services: false,
  direct_invoices: false,
  suspended: false,
}

describe('a company', () => {
  it.each([
    [false, false, []],
    [true, false, ['liveServices']],
    [false, true, ['directInvoices']],
    [true, true, ['liveServices', 'directInvoices']],
  ])('with live services %s and direct invoices %s has the capabilities %j', (live, direct, expected) => {
    const { capabilities } = companyFacts({ ...row, live_services: live, direct_invoices: direct })
    expect([...capabilities]).toEqual(expected)
  })
  it.each([
    ['approved', true],
    ['pending', false],
    ['rejected', false],
  ] as const)('that is %s is verified: %s', (verification, verified) => {
    expect(companyFacts({ ...row, verification }).verified).toBe(verified)
  })
  it('has a quota of cards if it is an individual', () => {
    expect(companyFacts({ ...row, kind: 'individual' }).issuanceQuota).toBe(ISSUANCE_QUOTA_INDIVIDUAL)
    expect(companyFacts(row).issuanceQuota).toBeNull()
  })
  it('is suspended if its row says so', () => {
    expect([true, false].map((suspended) => companyFacts({ ...row, suspended }).suspended)).toEqual([true, false])
  })
})

it('a caller has everything of its key and its company', () => {
  const [expiresAt, revokedAt] = [new Date(1), new Date(2)]
  expect(toCaller({ ...row, expires_at: expiresAt, revoked_at: revokedAt })).toEqual({
    by: { keyId: 'key', name: 'Nightly' },
    scope: { companyId: 'company', environment: 'sandbox' },
    permissions: new Set(['holders:read']),
    verified: true,
    suspended: false,
    capabilities: new Set(),
    issuanceQuota: null,
    expiresAt,
    revokedAt,
    allowedAddresses: null,
  })
})

describe('addresses', () => {
  const callerOf = (...cidrs: string[]): Caller => toCaller({ ...row, allowed_cidrs: cidrs })
  it('are all allowed without a list', () => {
    for (const address of ['203.0.113.7', '2001:db8::1', 'nonsense'])
      expect(isAllowedFrom(callerOf(), address)).toBe(true)
  })
  it.each([
    ['203.0.113.7', true],
    ['203.0.114.7', false],
    ['::ffff:203.0.113.7', true],
    ['::ffff:203.0.114.7', false],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['nonsense', false],
    ['', false],
  ])('%s is allowed by a list of two blocks: %s', (address, isAllowed) => {
    expect(isAllowedFrom(callerOf('2001:db8::/32', '203.0.113.0/24'), address)).toBe(isAllowed)
  })
  it.each([
    '',
    'nonsense/24',
    '203.0.113.0',
    '203.0.113.0/',
    '203.0.113.0/24/1',
    '203.0.113.0/2a',
    '203.0.113.0/0024',
    '203.0.113.0/33',
    '2001:db8::/129',
  ])('"%s" is not a block', (cidr) => {
    expect(() => addCidr(new BlockList(), cidr)).toThrow(Error)
  })
})
