// The id of the card that an issue makes. It is known before the issue is sent, and after a crash, with nothing to store: it is the
// operation's id with its last digits inverted. The same step leads back from a card to its operation.

const KEPT_LENGTH = 24
const INVERTED_DIGITS = 0xffff_ffff_ffff

/** Returns the id of the card that this operation issues. Also issued_card in SQL. */
export function cardIdOf(operationId: string): string {
  return invert(operationId)
}

/** Returns the id of the operation that issues a card with this id. */
export function issueIdOf(cardId: string): string {
  return invert(cardId)
}

/** The time in the id and its version stay as they are, so the result is a UUIDv7 too. */
function invert(id: string): string {
  const digits = INVERTED_DIGITS - Number.parseInt(id.slice(KEPT_LENGTH), 16)
  return id.slice(0, KEPT_LENGTH) + digits.toString(16).padStart(12, '0')
}
