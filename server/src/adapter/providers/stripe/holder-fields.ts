// What Stripe needs to know of a holder beyond the e-mail address, and how an operator's entries are checked. Pure.
import type { HolderDetails, HolderField, Refused } from '../../provider.ts'
import type { Form } from './api.ts'

/** The characters of the name that Stripe prints on a card. */
const CARD_NAME_LENGTH_MAX = 24

const text = (lengthMax: number) => `^\\S(.{0,${lengthMax - 2}}\\S)?$`
/** Latin letters, periods, commas, hyphens, spaces and apostrophes: Stripe takes nothing else in a name. */
const name = (lengthMax: number) => `^[A-Za-zÀ-ÖØ-öø-ÿ]([A-Za-zÀ-ÖØ-öø-ÿ.,' -]{0,${lengthMax - 2}}[A-Za-zÀ-ÖØ-öø-ÿ.])?$`

/** Stripe issues cards in US dollars to holders in the United States only, so there is no country to enter. */
export const HOLDER_FIELDS: readonly HolderField[] = [
  { name: 'first_name', label: 'First name, without digits', isRequired: true, pattern: name(50) },
  { name: 'last_name', label: 'Last name, without digits', isRequired: true, pattern: name(50) },
  {
    name: 'card_name',
    label: `Name on the card, if first and last name have more than ${CARD_NAME_LENGTH_MAX} characters`,
    isRequired: false,
    pattern: name(CARD_NAME_LENGTH_MAX),
  },
  { name: 'line1', label: 'Street and number in the United States', isRequired: true, pattern: text(100) },
  { name: 'line2', label: 'Apartment or unit', isRequired: false, pattern: text(100) },
  { name: 'city', label: 'City', isRequired: true, pattern: text(50) },
  { name: 'state', label: 'State, two capital letters', isRequired: true, pattern: '^[A-Z]{2}$' },
  {
    name: 'postal_code',
    label: 'ZIP code (12345 or 12345-1234)',
    isRequired: true,
    pattern: '^\\d{5}(-\\d{4})?$',
  },
  {
    name: 'terms_accepted_at',
    label:
      "When the holder accepted the Authorized User Terms, such as 2026-01-31T12:00:00Z, if Stripe's programme asks",
    isRequired: false,
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  },
  {
    name: 'terms_accepted_ip',
    label: 'The IP address from which the holder accepted them',
    isRequired: false,
    pattern: '^[0-9A-Fa-f:.]{3,45}$',
  },
]

/** Returns why a holder cannot be enrolled with these details, or undefined. */
export function findDetailsProblem(details: HolderDetails | undefined): Refused | undefined {
  const wrong = HOLDER_FIELDS.filter(({ name: field, isRequired, pattern }) => {
    const value = details?.[field]
    return value === undefined ? isRequired : !new RegExp(pattern).test(value)
  }).map(({ name: field }) => field)
  const { terms_accepted_at: at, terms_accepted_ip: ip } = details ?? {}
  if (at !== undefined && Number.isNaN(Date.parse(at))) wrong.push('terms_accepted_at')
  if ((at === undefined) !== (ip === undefined)) wrong.push('terms_accepted_at with terms_accepted_ip')
  if (wrong.length === 0 && cardNameOf(details ?? {}).length > CARD_NAME_LENGTH_MAX) {
    wrong.push(`card_name with at most ${CARD_NAME_LENGTH_MAX} characters`)
  }
  if (wrong.length === 0) return undefined
  return {
    kind: 'refused',
    code: 'holder_details_missing',
    message: `Stripe needs details of the holder that are missing or not valid: ${[...new Set(wrong)].join(', ')}. Enter them on the holder's page in the console, then order again.`,
  }
}

/** Returns the details in Stripe's form. */
export function formOf(details: HolderDetails): Form {
  const { terms_accepted_at: at, terms_accepted_ip: ip } = details
  const terms = 'individual[card_issuing][user_terms_acceptance]'
  return {
    name: cardNameOf(details),
    'individual[first_name]': details['first_name'],
    'individual[last_name]': details['last_name'],
    'billing[address][line1]': details['line1'],
    'billing[address][line2]': details['line2'],
    'billing[address][city]': details['city'],
    'billing[address][state]': details['state'],
    'billing[address][postal_code]': details['postal_code'],
    'billing[address][country]': 'US',
    ...(at === undefined ? {} : { [`${terms}[date]`]: Math.floor(Date.parse(at) / 1000), [`${terms}[ip]`]: ip }),
  }
}

function cardNameOf({ card_name, first_name = '', last_name = '' }: HolderDetails): string {
  return card_name ?? `${first_name} ${last_name}`
}
