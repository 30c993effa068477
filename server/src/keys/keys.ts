// What operators and people of a company do with its API keys. This is the only place where a key exists in plain text.
import * as queries from './queries.ts'
import { BlockList } from 'node:net'
import type { Db } from '../db/pool.ts'
import { ApiError, notFound, requireFound } from '../errors.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Environment } from '../lib/scope.ts'
import { type Actor, auditRecord } from '../access/audit.ts'
import { addCidr } from '../access/caller.ts'
import type { KeyPermission } from '../access/permissions.ts'
import { type Right, rightLost } from '../access/right.ts'
import { makeToken, tokenEnds } from '../access/tokens.ts'
import type { AccessDeps } from '../access/deps.ts'
import { getCompany } from '../companies/companies.ts'

/** Keys of a company that work at a time in one environment. Requests are limited by key, so a company has so many times that limit. */
const KEYS_MAX = 100
/** A key that was rotated works beside its successor for a while. */
const ROTATED_KEYS_MAX = 2 * KEYS_MAX

export interface NewKey {
  environment: Environment
  name: string
  scopes: readonly KeyPermission[]
  expiresAt?: string
  allowedCidrs?: readonly string[]
}

/** The answer contains the key in plain text, which is stored nowhere. */
export async function createKey(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  companyId: string,
  wanted: NewKey,
): Promise<{ key: string; row: queries.KeyRow }> {
  const createdAt = clock.now()
  const expiresAt = wanted.expiresAt === undefined ? null : new Date(wanted.expiresAt)
  if (expiresAt !== null && expiresAt <= createdAt) {
    throw new ApiError('validation_failed', 'body.expiresAt is in the past; give a later time or leave it out.', {
      param: 'expiresAt',
    })
  }
  const allowedCidrs = [...(wanted.allowedCidrs ?? [])]
  requireCidrs(allowedCidrs)
  const key = makeToken(wanted.environment)
  const id = newId(createdAt)
  const details = { environment: wanted.environment, name: wanted.name, scopes: wanted.scopes, allowedCidrs, expiresAt }
  const { right = null } = actor
  const row = await queries.createKey(
    db,
    {
      company_id: companyId,
      id,
      environment: wanted.environment,
      name: wanted.name,
      digest: keyring.digest(key),
      ...tokenEnds(key),
      scopes: [...new Set(wanted.scopes)],
      allowed_cidrs: allowedCidrs,
      created_at: createdAt,
      expires_at: expiresAt,
    },
    KEYS_MAX,
    right,
    auditRecord(clock, actor, { action: 'key.created', object: formatId('key', id), details }),
  )
  if (row !== undefined) return { key, row }
  await getCompany(db, companyId)
  throw await refuseMore(db, right, wanted.environment, KEYS_MAX)
}

/** Why nothing was made, if the company and the key exist and work. A count of the keys could differ again by now. */
async function refuseMore(db: Db, right: Right, environment: Environment, limit: number): Promise<ApiError> {
  if (!must(await queries.findHeld(db, right)).is_held) return rightLost(right)
  return new ApiError(
    'api_key_limit',
    `This company already has ${limit} keys that work in ${environment}, which is the maximum. Revoke one that is no longer used.`,
    { details: { limit } },
  )
}

export function requireCidrs(cidrs: readonly string[]): void {
  const list = new BlockList()
  for (const cidr of cidrs) {
    try {
      // Node reads fe80::1%eth0 without its zone, so that the list would allow more than it says.
      if (cidr.includes('%')) throw new TypeError('a zone')
      addCidr(list, cidr)
    } catch {
      throw new ApiError(
        'validation_failed',
        `body.allowedCidrs: "${cidr}" is not a CIDR block such as 203.0.113.0/24.`,
        { param: 'allowedCidrs' },
      )
    }
  }
}

export async function rotateKey(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  old: { companyId: string; keyId: string; overlapSeconds: number },
): Promise<{ key: string; row: queries.KeyRow }> {
  const previous = requireFound(await queries.findKey(db, old.companyId, old.keyId))
  const createdAt = clock.now()
  const key = makeToken(previous.environment)
  const id = newId(createdAt)
  const { right = null } = actor
  const row = await queries.rotateKey(
    db,
    {
      companyId: old.companyId,
      id: old.keyId,
      endsAt: new Date(createdAt.getTime() + old.overlapSeconds * 1000),
      limit: ROTATED_KEYS_MAX,
    },
    { id, digest: keyring.digest(key), ...tokenEnds(key), createdAt },
    right,
    auditRecord(clock, actor, {
      action: 'key.rotated',
      object: formatId('key', old.keyId),
      details: { successor: formatId('key', id) },
    }),
  )
  if (row === undefined) {
    const found = requireFound(await queries.findKey(db, old.companyId, old.keyId))
    throw refuseRotation(found, createdAt) ?? (await refuseMore(db, right, found.environment, ROTATED_KEYS_MAX))
  }
  keyring.forget()
  return { key, row }
}

/** A key is rotated at most once, so that concurrent rotations do not leave a successor that nobody knows of. */
function refuseRotation(
  {
    successor_id,
    revoked_at,
    expires_at,
  }: Pick<queries.KeyRow, 'revoked_at' | 'expires_at'> & { successor_id: string | null },
  now: Date,
): ApiError | undefined {
  if (successor_id === null) {
    if (revoked_at === null && (expires_at === null || expires_at > now)) return undefined
    return new ApiError('validation_failed', 'This key has ended and cannot be rotated. Create a new key instead.')
  }
  const successorId = formatId('key', successor_id)
  return new ApiError(
    'key_already_rotated',
    `This key was rotated before; its successor is ${successorId}. Use that key, or rotate it if its secret is lost.`,
    { details: { successorId } },
  )
}

export async function revokeKey(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  companyId: string,
  keyId: string,
): Promise<void> {
  if ((await queries.findKey(db, companyId, keyId)) === undefined) throw notFound()
  const record = auditRecord(clock, actor, { action: 'key.revoked', object: formatId('key', keyId) })
  await queries.revokeKey(db, companyId, keyId, clock.now(), record)
  keyring.forget()
}
