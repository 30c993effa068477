// The steps that enrol a holder with Lithic: look whether Lithic has the holder already, make one, and read whether it may have cards.
// Lithic takes no idempotency key here, so a holder is looked for by our id before one is made.
import { must } from '../../../lib/invariant.ts'
import type { Action, Done, Found, HolderDetails, ProviderObject, Reading } from '../../provider.ts'
import { pageOf } from '../../provider-kit/parse.ts'
import { type AccountHolder, parseHolder } from './answers.ts'
import { addressOf } from './holder-fields.ts'
import { done, toFound, toReading, toSent } from '../../provider-kit/outcomes.ts'
import type { Kit } from './kit.ts'

export interface HolderToEnrol {
  /** Ours, hld_…. */
  readonly id: string
  /** The UUID in it: Lithic looks holders up by UUIDs only. */
  readonly externalId: string
  readonly email: string
  readonly details: HolderDetails
}

const PATH = '/v1/account_holders'
export const ACCEPTED = 'ACCEPTED'
/** Holders at Lithic with the same external_id that are looked at. If there are more, a person has to look. */
const SEARCH_LIMIT = 50

/** Its fact `account` is null if Lithic does not have the holder. */
export function searchHolder({ api }: Kit, { id, externalId }: Omit<HolderToEnrol, 'details' | 'email'>): Reading {
  return {
    type: 'reading',
    name: 'holder_search',
    async read() {
      const found = await findHolder(api, id, externalId)
      return found.kind === 'absent' ? done({ account: null }) : found
    },
  }
}

export function enrolHolder({ api }: Kit, { id, externalId, email, details }: HolderToEnrol): Action {
  const lookUp = () => findHolder(api, id, externalId)
  return {
    type: 'action',
    name: 'holder',
    shows: { external_id: externalId, holder: id },
    isRepeatable: false,
    async send() {
      const changed = await api.change({
        method: 'POST',
        path: PATH,
        body: {
          workflow: 'KYC_EXEMPT',
          kyc_exemption_type: 'PREPAID_CARD_USER',
          external_id: externalId,
          first_name: details['first_name'],
          last_name: details['last_name'],
          email,
          phone_number: details['phone_number'],
          address: addressOf(details),
        },
        refusals: [400],
        parse: (answer) => {
          const holder = parseHolder(answer)
          return holder?.accountToken === undefined ? undefined : holder
        },
      })
      return toSent(changed, (holder) => enrolled(id, holder))
    },
    lookUp,
  }
}

/** Reads a holder that was enrolled before, or that an operator linked. */
export function readHolder({ api }: Kit, holder: ProviderObject): Reading {
  return {
    type: 'reading',
    name: 'holder_status',
    async read() {
      const read = await api.read(`${PATH}/${encodeURIComponent(holder.providerId)}`, parseHolder)
      if (read.kind === 'absent') {
        return { kind: 'refused', code: 'holder_unknown', message: 'Lithic does not know the holder that is linked.' }
      }
      return toReading(read, (found) =>
        found.accountToken === undefined
          ? { kind: 'unknown', reason: 'Lithic does not name the account of the holder' }
          : enrolled(holder.id, found),
      )
    },
  }
}

/** If there are several, they are the same person, and the first one is always taken. */
async function findHolder(api: Kit['api'], id: string, externalId: string): Promise<Found> {
  const read = await api.read(PATH, pageOf(parseHolder), { external_id: externalId, limit: SEARCH_LIMIT })
  return toFound(read, ({ items, hasMore }) => {
    if (hasMore) return { kind: 'unknown', reason: `Lithic has more than ${SEARCH_LIMIT} holders with one external_id` }
    const own = items.filter((holder) => holder.externalId === externalId && holder.accountToken !== undefined)
    const [first] = own.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    if (first === undefined) return { kind: 'absent', reason: 'Lithic has no holder with our id' }
    return enrolled(id, first)
  })
}

function orderOf({ created, token }: AccountHolder): string {
  return `${created} ${token}`
}

function enrolled(id: string, holder: AccountHolder): Done {
  const facts = { account: must(holder.accountToken), status: holder.status }
  return done({ ...facts, holder: holder.token }, [{ kind: 'holder', id, providerId: holder.token, facts }])
}
