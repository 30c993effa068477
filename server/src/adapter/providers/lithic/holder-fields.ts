// What Lithic needs to know of a holder beyond name and e-mail, and how an operator's entries are checked. Pure.
import type { HolderDetails, HolderField, Refused } from '../../provider.ts'

const text = (lengthMax: number) => `^\\S(.{0,${lengthMax - 2}}\\S)?$`

/** Lithic enrols holders without identification in the United States and Canada only. */
export const HOLDER_FIELDS: readonly HolderField[] = [
  { name: 'first_name', label: 'First name', isRequired: true, pattern: text(50) },
  { name: 'last_name', label: 'Last name', isRequired: true, pattern: text(50) },
  {
    name: 'phone_number',
    label: 'Phone number with + and country code',
    isRequired: true,
    pattern: '^\\+[1-9]\\d{6,14}$',
  },
  { name: 'address1', label: 'Street and number (no PO box)', isRequired: true, pattern: text(100) },
  { name: 'address2', label: 'Apartment or unit', isRequired: false, pattern: text(40) },
  { name: 'city', label: 'City', isRequired: true, pattern: text(50) },
  { name: 'state', label: 'State or province, two capital letters', isRequired: true, pattern: '^[A-Z]{2}$' },
  {
    name: 'postal_code',
    label: 'ZIP code (12345 or 12345-1234) or Canadian postal code',
    isRequired: true,
    pattern: '^(\\d{5}(-\\d{4})?|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)$',
  },
  { name: 'country', label: 'Country: USA or CAN', isRequired: true, pattern: '^(USA|CAN)$' },
]

/** The longest that Lithic prints or ships, of each field of a physical card. */
const SHIPPING_LENGTH_MAX: Readonly<Record<string, number>> = {
  first_name: 24,
  last_name: 24,
  address1: 40,
  address2: 40,
  city: 30,
}
/** First and last name together, as they are printed on the card. */
const NAMES_LENGTH_MAX = 25

/** Returns why a holder cannot be enrolled with these details, or undefined. */
export function findDetailsProblem(details: HolderDetails | undefined): Refused | undefined {
  const wrong = HOLDER_FIELDS.filter(({ name, isRequired, pattern }) => {
    const value = details?.[name]
    return value === undefined ? isRequired : !new RegExp(pattern).test(value)
  })
  if (wrong.length === 0) return undefined
  return {
    kind: 'refused',
    code: 'holder_details_missing',
    message: `Lithic needs details of the holder that are missing or not valid: ${wrong.map(({ name }) => name).join(', ')}. Enter them on the holder's page in the console, then order again.`,
  }
}

/** Returns why a physical card cannot be sent to this address, or undefined. */
export function findShippingProblem(details: HolderDetails | undefined): Refused | undefined {
  const problem = findDetailsProblem(details)
  if (problem !== undefined || details === undefined) return problem
  const long = Object.entries(SHIPPING_LENGTH_MAX).filter(([name, max]) => (details[name] ?? '').length > max)
  const names = `${details['first_name'] ?? ''}${details['last_name'] ?? ''}`
  if (long.length === 0 && names.length <= NAMES_LENGTH_MAX) return undefined
  const limits = long.map(([name, max]) => `${name} has more than ${max} characters`)
  const printed =
    names.length > NAMES_LENGTH_MAX ? [`first_name and last_name have more than ${NAMES_LENGTH_MAX} together`] : []
  return {
    kind: 'refused',
    code: 'shipping_address_invalid',
    message: `Lithic cannot print or send the card: ${[...limits, ...printed].join('; ')}. Enter shorter ones on the holder's page in the console.`,
  }
}

/** Returns the address in the fields that Lithic has for it. */
export function addressOf(details: HolderDetails): Record<string, string> {
  const names = ['address1', 'address2', 'city', 'state', 'postal_code', 'country']
  return Object.fromEntries(names.flatMap((name) => (details[name] === undefined ? [] : [[name, details[name]]])))
}
