// Judges what the live issuer says about one request, whether it answers or reports by an event: whether it matches what was
// asked, and what outcome it proves. Pure; the signature and the schema have been checked before.
import { type Cents, parseCents } from '../../lib/money.ts'
import type { IssuerOutcome } from '../port.ts'
import type { FenceAnswer, RequestAnswer, RequestKind } from './protocol.ts'

/** What was asked. An answer has to repeat it. */
export interface Expected {
  readonly token: string
  readonly kinds: readonly RequestKind[]
  /** Undefined for a card change. */
  readonly amount: Cents | undefined
}

/** Returns why the answer does not match what was asked, or undefined if it does. */
export function findMismatch(answer: FenceAnswer, { token, kinds, amount }: Expected): string | undefined {
  if (answer.token !== token) return 'the answer is about something else'
  if ('kind' in answer && !kinds.includes(answer.kind)) return 'the answer is about something else'
  if (amount !== undefined && 'amount' in answer && parseCents(answer.amount) !== amount) {
    return 'the answer is about another amount'
  }
  return undefined
}

/** Returns the outcome that a matching answer proves, for everything but invoices. */
export function outcomeOf(answer: RequestAnswer): IssuerOutcome {
  const received = answer
  if (answer.outcome === 'refused') return { kind: 'declined', code: answer.code, message: answer.message, received }
  switch (answer.kind) {
    case 'issue':
    case 'topup':
    case 'service': {
      const { receipt, last4 } = answer
      return { kind: 'confirmed', receipt, ...(last4 === undefined ? {} : { last4 }), received }
    }
    case 'card_status': {
      const { receipt, balance } = answer
      return {
        kind: 'confirmed',
        receipt,
        ...(balance === undefined ? {} : { balance: parseCents(balance) }),
        received,
      }
    }
    case 'invoice':
      return { kind: 'unknown', reason: 'the answer is about an invoice', received }
  }
}
