// Where keys come from: the company's own calls, or the operator's calls for a company. Both look the same to the page.
import type { ApiKey, CreatedApiKey, NewApiKey, Scope } from '@cardstock/sdk'
import type { Batch } from '~/api/client.ts'

export interface KeySource {
  /** Names the list in the cache. */
  readonly name: string
  /** Whether whoever is signed in may give a key this scope. The server decides; this only hides what it would refuse. */
  mayGive(scope: Scope): boolean
  list(query: { cursor?: string | undefined; limit: number }, options: { signal: AbortSignal }): Promise<Batch<ApiKey>>
  create(key: NewApiKey): Promise<CreatedApiKey>
  rotate(keyId: string, rotation: { overlapSeconds: number }): Promise<CreatedApiKey>
  revoke(keyId: string): Promise<void>
}

/** A key that cannot be used any more. */
export function endOf(key: ApiKey, nowMs: number): 'revoked' | 'expired' | undefined {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs ? 'expired' : undefined
}
