// The caller of a request, from a look-up of its key or session. Callers are read-only; those of keys are shared between
// requests.
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Scope } from '../lib/scope.ts'
import type { Capability, Permission } from './permissions.ts'
import type { CallerRow } from './queries.ts'
import type { Session } from './session.ts'

/** SPEC: "Individual card issuance: 500 cards per UTC calendar month, counting pending requests". */
export const ISSUANCE_QUOTA_INDIVIDUAL = 500

export interface Caller {
  /** The API key, or the person whose session this is. */
  readonly by: { readonly keyId: string; readonly name: string } | Session
  readonly scope: Scope
  readonly permissions: ReadonlySet<Permission>
  readonly verified: boolean
  /** The company may read, and stop its cards, but write nothing else. */
  readonly suspended: boolean
  readonly capabilities: ReadonlySet<Capability>
  /** Issue operations allowed per month; null without a quota. */
  readonly issuanceQuota: number | null
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  /** Null when the key may be used from anywhere. */
  readonly allowedAddresses: BlockList | null
}

/** Returns the part of a caller that depends on the company alone. */
export function companyFacts(
  company: Pick<CallerRow, 'kind' | 'verification' | 'live_services' | 'direct_invoices' | 'suspended'>,
): Pick<Caller, 'verified' | 'suspended' | 'capabilities' | 'issuanceQuota'> {
  const capabilities: Capability[] = []
  if (company.live_services) capabilities.push('liveServices')
  if (company.direct_invoices) capabilities.push('directInvoices')
  return {
    verified: company.verification === 'approved',
    suspended: company.suspended,
    capabilities: new Set(capabilities),
    issuanceQuota: company.kind === 'individual' ? ISSUANCE_QUOTA_INDIVIDUAL : null,
  }
}

export function toCaller(row: CallerRow): Caller {
  return {
    by: { keyId: row.key_id, name: row.key_name },
    scope: { companyId: row.company_id, environment: row.environment },
    permissions: new Set(row.scopes),
    ...companyFacts(row),
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    allowedAddresses: row.allowed_cidrs.length === 0 ? null : toBlockList(row.allowed_cidrs),
  }
}

export function isAllowedFrom(caller: Caller, address: string): boolean {
  if (caller.allowedAddresses === null) return true
  // A BlockList compares IPv4 addresses in IPv6 notation (::ffff:203.0.113.7) with IPv4 networks by itself.
  if (isIPv4(address)) return caller.allowedAddresses.check(address, 'ipv4')
  return isIPv6(address) && caller.allowedAddresses.check(address, 'ipv6')
}

function toBlockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) addCidr(list, cidr)
  return list
}

/** Throws when the text is not a CIDR block. */
export function addCidr(list: BlockList, cidr: string): void {
  const [network = '', bits = '', ...rest] = cidr.split('/')
  const family = isIPv4(network) ? 'ipv4' : isIPv6(network) ? 'ipv6' : undefined
  if (family === undefined || rest.length > 0 || !/^\d{1,3}$/.test(bits)) throw new TypeError('not a CIDR block')
  list.addSubnet(network, Number(bits), family)
}
