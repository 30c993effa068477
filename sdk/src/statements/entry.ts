// What follows from the facts of an entry, and is therefore checked: its id, its description, and how its kind moves money.
import { toHex } from '../bytes.ts'
import { sha256 } from './sha256.ts'

export const ENTRY_NUMBER_DIGITS = 16

/** Returns the part that the ids of all entries of an account begin with. */
export function entryIdStart(companyId: string, environment: string): string {
  return `ent_${toHex(sha256(`${companyId} ${environment}`)).slice(0, 16)}`
}

/** Returns a function from an entry's number to its id. Ids are unique everywhere and sort in the order of the entries. */
export function entryIds(companyId: string, environment: string): (number: number) => string {
  const start = entryIdStart(companyId, environment)
  return (number) => start + number.toString(16).padStart(ENTRY_NUMBER_DIGITS, '0')
}

/** By kind and prefix of the reference. The description follows from the entry, so that an altered one is noticed. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  'deposit fund': 'Sandbox funding',
  'deposit inv': 'Deposit by invoice',
  'deposit rev': 'Payment after its invoice was closed',
  'fee op': 'Fee of an operation',
  'fee inv': 'Fee of a deposit',
  'fee rev': 'Fee of a deposit',
  'fee fund': 'Fee of a deposit',
  'reservation op': 'Reserved for an operation',
  'capture op': 'Paid for an operation',
  'release op': 'Released, the operation did not take place',
  'adjustment card': 'Balance of a closed card',
  'adjustment txn': 'Later credit of a closed card',
  'adjustment op': 'Top-up of a closed card, returned',
}

/** Returns the description, or undefined if entries of this kind have no reference with this prefix. */
export function describeEntry(kind: string, prefix: string): string | undefined {
  return DESCRIPTIONS[`${kind} ${prefix}`]
}

/** Reports whether entries of this kind change the available and the held amount in these directions. */
export function fitsKind(kind: string, available: bigint, held: bigint): boolean {
  switch (kind) {
    case 'deposit':
      return available > 0n && held === 0n
    case 'fee':
      return (available < 0n && held === 0n) || (available === 0n && held < 0n)
    case 'reservation':
      return held > 0n && available === -held
    case 'capture':
      return held < 0n && available === 0n
    case 'release':
      return held < 0n && available === -held
    default:
      return available !== 0n && held === 0n
  }
}
