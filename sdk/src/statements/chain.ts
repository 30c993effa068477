// The texts that the ledger's hash chain covers (docs/statements.md). The chain begins with the SHA-256 of its first text. Each
// following value is the SHA-256 of the previous value and the text of the next entry.

/** An entry as the chain covers it. Amounts are in cents, `held` is the amount after the entry, and times are in milliseconds. */
export interface ChainedEntry {
  readonly number: number
  readonly kind: string
  /** The UUID of the object that caused the entry. */
  readonly reference: string
  readonly availableDelta: bigint | number
  readonly heldDelta: bigint | number
  readonly balance: bigint | number
  readonly held: bigint | number
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
