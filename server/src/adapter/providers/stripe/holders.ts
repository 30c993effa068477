// The steps that enrol a holder with Stripe: look whether Stripe has the holder already, make a cardholder, and read whether its cards may pay.
import type { Action, Done, Found, HolderDetails, ProviderObject, Reading } from '../../provider.ts'
import { type Cardholder, parseCardholder } from './answers.ts'
import { formOf } from './holder-fields.ts'
import { confirmRefusal, done, toReading, toSent } from '../../provider-kit/outcomes.ts'
import { keyOf, type Kit } from './kit.ts'
import { readList } from './pages.ts'

export interface HolderToEnrol {
  readonly requestToken: string
  /** Ours, hld_…. Stripe keeps it as metadata. */
  readonly id: string
  readonly email: string
  readonly details: HolderDetails
}

const PATH = '/v1/issuing/cardholders'
/** Pages of Stripe's cardholders with one e-mail address that are searched. If there are more, a person has to look. */
const SEARCH_PAGES_MAX = 20

/** Its fact `cardholder` is null if Stripe does not have the holder. */
export function searchHolder({ api }: Kit, { id, email }: Pick<HolderToEnrol, 'id' | 'email'>): Reading {
  return {
    type: 'reading',
    name: 'holder_search',
    async read() {
      const found = await findHolder(api, id, email)
      return found.kind === 'absent' ? done({ cardholder: null }) : found
    },
  }
}

export function enrolHolder({ api }: Kit, { requestToken, id, email, details }: HolderToEnrol): Action {
  const lookUp = () => findHolder(api, id, email)
  return {
    type: 'action',
    name: 'holder',
    shows: { holder: id },
    isRepeatable: true,
    async send() {
      const changed = await api.change({
        path: PATH,
        form: { type: 'individual', email, ...formOf(details), 'metadata[holder]': id },
        idempotencyKey: keyOf(requestToken, 'holder'),
        parse: (answer) => {
          const cardholder = parseCardholder(answer)
          return cardholder?.holder === id ? cardholder : undefined
        },
      })
      return confirmRefusal(
        toSent(changed, (cardholder) => enrolled(id, cardholder)),
        lookUp,
      )
    },
    lookUp,
  }
}

/** Reads a cardholder that was enrolled before, or that an operator linked. */
export function readHolder({ api }: Kit, holder: ProviderObject): Reading {
  return {
    type: 'reading',
    name: 'holder_status',
    async read() {
      const read = await api.read(`${PATH}/${encodeURIComponent(holder.providerId)}`, parseCardholder)
      if (read.kind === 'absent') {
        return { kind: 'refused', code: 'holder_unknown', message: 'Stripe does not know the holder that is linked.' }
      }
      return toReading(read, (cardholder) => enrolled(holder.id, cardholder))
    },
  }
}

/** Stripe does not search metadata, so all cardholders with the e-mail address are looked at. If several are ours, the oldest is always taken. */
async function findHolder(api: Kit['api'], id: string, email: string): Promise<Found> {
  const query = { email }
  const read = await readList(api, { path: PATH, parse: parseCardholder, query, pagesMax: SEARCH_PAGES_MAX })
  if (read.kind !== 'read') return { kind: 'unknown', reason: read.reason }
  const own = read.value.filter(({ holder }) => holder === id)
  const [first] = own.toSorted((a, b) => a.created - b.created || (a.id < b.id ? -1 : 1))
  if (first === undefined) return { kind: 'absent', reason: 'Stripe has no cardholder with our id' }
  return enrolled(id, first)
}

function enrolled(id: string, cardholder: Cardholder): Done {
  const facts = {
    cardholder: cardholder.id,
    status: cardholder.status,
    disabled_reason: cardholder.disabledReason,
    past_due: cardholder.pastDue.join(', '),
  }
  return done(facts, [{ kind: 'holder', id, providerId: cardholder.id, facts: {} }])
}
