// What a caller may be allowed to do, what the role of a person includes, and what a company must have been activated for.
import type { Environment } from '../lib/scope.ts'

/** The scopes of API keys: the seven of the specification, and three additive ones. */
export const PERMISSIONS = [
  'funding:write',
  'cards:write',
  'services:write',
  'cards:read',
  'holders:read',
  'operations:read',
  'balance:read',
  'holders:write',
  'webhooks:read',
  'webhooks:write',
] as const
/** What only people may do. A key that could make keys or invite people would outlive its own revocation. */
export const PEOPLE_PERMISSIONS = ['keys:read', 'keys:write', 'people:read', 'people:write'] as const
export type KeyPermission = (typeof PERMISSIONS)[number]
export type Permission = KeyPermission | (typeof PEOPLE_PERMISSIONS)[number]

export const CAPABILITIES = ['liveServices', 'directInvoices'] as const
export type Capability = (typeof CAPABILITIES)[number]

export const COMPANY_ROLES = ['owner', 'developer', 'finance', 'viewer'] as const
export type CompanyRole = (typeof COMPANY_ROLES)[number]
/** The roles in the programme: an operator may make every call under /admin/v1, support only those that read. */
export const PROGRAMME_ROLES = ['operator', 'support'] as const
export type ProgrammeRole = (typeof PROGRAMME_ROLES)[number]
export type Role = CompanyRole | ProgrammeRole

const ALL: readonly Permission[] = [...PERMISSIONS, ...PEOPLE_PERMISSIONS]
const READS: readonly Permission[] = ['cards:read', 'holders:read', 'operations:read', 'balance:read', 'people:read']
const MONEY: readonly Permission[] = ['funding:write', 'cards:write', 'services:write', 'holders:write']
const DEVELOPMENT: readonly Permission[] = ['webhooks:read', 'webhooks:write', 'keys:read', 'keys:write']

/** What each role includes. docs/people.md has the same table. */
export const ROLE_PERMISSIONS: Readonly<Record<CompanyRole, Readonly<Record<Environment, readonly Permission[]>>>> = {
  owner: { sandbox: ALL, live: ALL },
  developer: { sandbox: [...READS, ...MONEY, ...DEVELOPMENT], live: [...READS, ...DEVELOPMENT] },
  finance: { sandbox: [...READS, ...MONEY], live: [...READS, ...MONEY] },
  viewer: { sandbox: READS, live: READS },
}
