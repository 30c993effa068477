// What the state of a card at Lithic is to the server. Pure.
import type { ProviderCard } from '../../provider.ts'
import type { Card } from './answers.ts'

/** Returns undefined for a physical card that is on its way: the server has it as active since it was issued. */
export function findStatus({
  state,
  substatus,
}: Pick<Card, 'state' | 'substatus'>): ProviderCard['status'] | undefined {
  switch (state) {
    case 'OPEN':
      return 'active'
    case 'PAUSED':
      return 'frozen'
    case 'CLOSED':
      return substatus === 'EXPIRED' ? 'expired' : 'closed'
    case 'PENDING_ACTIVATION':
    case 'PENDING_FULFILLMENT':
      return undefined
  }
}
