// What a price is for.
import type { OperationType } from '@cardstock/sdk'

export const TYPE_WORDS: Readonly<Record<OperationType, string>> = {
  issue: 'Issue',
  topup: 'Top-up',
  service: 'Order',
}
