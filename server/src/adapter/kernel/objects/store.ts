// Stores what exists at the provider, and sends on the events that waited for it.
import type { Db } from '../../../db/pool.ts'
import type { CardTransaction } from '../../../issuer/http/event-schema.ts'
import { formatId } from '../../../lib/ids.ts'
import { insertEvent } from '../../outbox/queries.ts'
import type { ProviderObject } from '../../provider.ts'
import { deleteStrays, type StrayBody, upsertObject } from './queries.ts'

export async function storeObjects(
  tx: Db,
  { company_id: companyId }: { company_id: string },
  objects: readonly ProviderObject[],
  now: Date,
): Promise<void> {
  for (const object of objects) {
    await upsertObject(tx, object, companyId, now)
    if (object.kind !== 'card') continue
    for (const stray of await deleteStrays(tx, object.providerId)) {
      await insertTransaction(tx, { id: stray.id, card: { id: object.id, company_id: companyId }, ...stray.body }, now)
    }
  }
}

/** The same state of the same payment has the same id, so it is sent once. */
export async function insertTransaction(
  tx: Db,
  { id, card, transaction, createdAt }: StrayBody & { id: string; card: { id: string; company_id: string } },
  now: Date,
): Promise<void> {
  const event: CardTransaction = {
    id,
    type: 'card.transaction',
    createdAt,
    companyId: formatId('co', card.company_id),
    data: { cardId: card.id, ...transaction },
  }
  await insertEvent(tx, { id, body: JSON.stringify(event), at: now })
}
