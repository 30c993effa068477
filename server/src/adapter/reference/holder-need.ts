// What the reference issuer pretends to need of a holder, so that the way of such details can be tried without a provider.
import type { Db } from '../../db/pool.ts'
import type { RequestBody } from '../../issuer/http/protocol.ts'
import { findDetails } from '../holder-details/queries.ts'
import type { HolderField } from '../provider.ts'
import type { Behaviour, Rule } from './behaviour.ts'
import { DECLINED, type Refusal } from './perform.ts'

const TEXT = '^\\S(.{0,98}\\S)?$'

export function holderFieldsOf({ needsHolderDetails: isRequired }: Behaviour): readonly HolderField[] {
  return [
    { name: 'street', label: 'Street and number', isRequired, pattern: TEXT },
    { name: 'postal_code', label: 'Postal code, five digits', isRequired, pattern: '^\\d{5}$' },
    { name: 'city', label: 'City', isRequired, pattern: TEXT },
  ]
}

/** Returns why it does not carry the request out. */
export async function refusalFor(
  { db, behaviour }: { readonly db: Db; readonly behaviour: Behaviour },
  rule: Rule,
  body: RequestBody,
): Promise<Refusal | undefined> {
  if (rule.mode === 'refuse' || !behaviour.kinds.includes(body.kind)) return DECLINED
  if (body.kind !== 'issue' || !behaviour.needsHolderDetails) return undefined
  if ((await findDetails(db, body.holderId)) !== undefined) return undefined
  return {
    code: 'holder_details_missing',
    message: "The issuer needs the address of the holder. Enter it on the holder's page, then order again.",
  }
}
