// Adds a cardholder, once per idempotency key.
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { payloadDigest } from '../lib/digest.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Scope } from '../lib/scope.ts'
import { holderErased } from './erase.ts'
import { findHolderByKey, type HolderRow, insertHolder } from './queries.ts'
import type { NewHolder } from './schema.ts'

export async function createHolder(
  { db, clock }: { db: Db; clock: Clock },
  scope: Scope,
  idempotencyKey: string,
  body: NewHolder,
): Promise<{ holder: HolderRow; replayed: boolean }> {
  const createdAt = clock.now()
  const digest = Buffer.from(payloadDigest(body), 'hex')
  const wanted = {
    id: newId(createdAt),
    name: body.name,
    email: body.email,
    kind: body.kind,
    // A new sandbox holder is active immediately. A live holder waits for the operator.
    status: statusOfNew(scope),
    external_id: body.externalId ?? null,
    idempotency_key: idempotencyKey,
    request_digest: digest,
    created_at: createdAt,
  }
  const holder = await insertHolder(db, scope, wanted)
  if (holder !== undefined) return { holder, replayed: false }
  const original = must(await findHolderByKey(db, scope, idempotencyKey))
  if (original.erasure !== null) throw holderErased(original.id)
  if (original.request_digest?.equals(digest) !== true) {
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used with another body. Use a new key for a new holder.',
      {
        param: 'Idempotency-Key',
        details: { originalId: formatId('hld', original.id) },
      },
    )
  }
  // This is the first answer, byte for byte, whatever was changed since: the same body made it.
  return { holder: { ...wanted, id: original.id, erasure: null }, replayed: true }
}

function statusOfNew(scope: Scope): HolderRow['status'] {
  return scope.environment === 'sandbox' ? 'active' : 'pending'
}
