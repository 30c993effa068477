// The answer of the protocol to a request that a provider has carried out or refused.
import type { RequestAnswer } from '../../issuer/http/protocol.ts'
import type { Next } from '../provider.ts'
import type { RequestState } from './queries.ts'

export function toAnswer({ token, content }: RequestState, next: Exclude<Next, { kind: 'step' }>): RequestAnswer {
  if (next.kind === 'refused') {
    return { token, kind: content.kind, outcome: 'refused', code: next.code, message: next.message }
  }
  const { receipt, last4, balance } = next
  switch (content.kind) {
    case 'issue':
      if (last4 === undefined) throw new Error('A card that was issued has its last four digits.')
      return { token, kind: 'issue', outcome: 'done', amount: content.amount, receipt, last4 }
    case 'topup':
      return { token, kind: 'topup', outcome: 'done', amount: content.amount, receipt }
    case 'card_status':
      return { token, kind: 'card_status', outcome: 'done', receipt, ...(balance === undefined ? {} : { balance }) }
    case 'service':
    case 'invoice':
      throw new Error(`A provider has no ${content.kind}.`)
  }
}
