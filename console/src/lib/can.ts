// Whether the state of an object allows an action. The tables are those of the server.
import type { Card, Operation } from '@cardstock/sdk'
import { CARD_ACTIONS, OPERATION_ACTIONS } from '@cardstock/sdk/actions'

/** While a change of the card is open, the server refuses any other. */
export function cardCan(card: Card, action: keyof typeof CARD_ACTIONS): boolean {
  const allowed: readonly string[] = CARD_ACTIONS[action]
  return card.pendingStatus === undefined && allowed.includes(card.status)
}

export function operationCan(operation: Operation, action: keyof typeof OPERATION_ACTIONS): boolean {
  const allowed: readonly string[] = OPERATION_ACTIONS[action]
  return allowed.includes(operation.status)
}
