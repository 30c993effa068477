// The texts that the ledger's hash chain covers (docs/statements.md). The chain begins with the SHA-256 of its first text. Each
// following value is the SHA-256 of the previous value and the text of the next entry.

/** An entry as the chain covers it. Amounts are in cents, `held` is the amount after the entry, and times are in milliseconds. */
export interface ChainedEntry {
  /** The position in the account, from 1. */
  readonly number: number
  /** What kind of movement it is. */
  readonly kind: string
  /** The UUID of the object that caused the entry. */
  readonly reference: string
  /** By how many cents the available funds changed. */
  readonly availableDelta: bigint | number
  /** By how many cents the held funds changed. */
  readonly heldDelta: bigint | number
  /** The cents on the account after the entry. */
  readonly balance: bigint | number
  /** The cents that are held after the entry. */
  readonly held: bigint | number
  /** When it was booked, in Unix milliseconds. */
  readonly createdAt: number
}

/** Returns the text that an account's chain begins with. The company is its UUID. */
export function chainStartText(company: string, environment: string): string {
  return `cardstock ledger ${company} ${environment}`
}

export function chainText(entry: ChainedEntry): string {
  const { number, kind, reference, availableDelta, heldDelta, balance, held, createdAt } = entry
  return [number, kind, reference, availableDelta, heldDelta, balance, held, createdAt].join('|')
}
