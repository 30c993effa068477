// The fields of an entry, in the order in which a statement has them.
import type { StatementEntry } from '../generated/types.ts'

export const ENTRY_FIELDS = [
  'id',
  'reference',
  'kind',
  'description',
  'amount',
  'balance',
  'availableDelta',
  'heldDelta',
  'createdAt',
] as const satisfies readonly (keyof StatementEntry)[]
