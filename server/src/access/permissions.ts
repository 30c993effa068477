// What a key may be allowed to do, and what a company must have been activated for.

/** The seven scopes of the specification, and three additive ones. */
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
export type Permission = (typeof PERMISSIONS)[number]

export const CAPABILITIES = ['liveServices', 'directInvoices'] as const
export type Capability = (typeof CAPABILITIES)[number]
