// Rules about card changes, without a database.
import { nextStep } from '../issuer/evidence.ts'
import type { IssuerOutcome, LookUpOutcome } from '../issuer/port.ts'
import type { DecisionContext } from '../issuer/requests/kind.ts'
import { InvariantError } from '../lib/invariant.ts'
import type { CardChangeSettlement } from './queries.ts'

/** Returns what follows from the issuer's answer. The issuer is never asked again; evidence.ts has the table. */
export function settlementOf(
  change: { readonly look_up_count: number },
  outcome: IssuerOutcome | LookUpOutcome,
  { now, since, purpose, lookUpDelaysMs }: DecisionContext,
): CardChangeSettlement {
  const settlement = { returned: null, failure: null, dueAt: null, lookUps: null }
  const lookUps = { done: change.look_up_count, delaysMs: lookUpDelaysMs }
  const step = nextStep(outcome, { now, since, purpose, lookUps })
  switch (step.kind) {
    case 'complete':
      return { ...settlement, status: 'completed', returned: balanceIn(outcome) }
    case 'fail':
      return { ...settlement, status: 'failed', failure: step.failure }
    case 'look_up':
      return { ...settlement, status: 'processing', dueAt: step.at, lookUps: step.lookUps }
    case 'review':
      return { ...settlement, status: 'manual_review' }
    case 'send_again':
      throw new InvariantError('a card change is never asked for again')
  }
}

function balanceIn(outcome: IssuerOutcome | LookUpOutcome): bigint | null {
  return outcome.kind === 'confirmed' ? (outcome.balance ?? null) : null
}
