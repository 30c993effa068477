// Decides what comes next for a top-up: a transfer to the card, or a higher limit.
import { parseCents } from '../../../lib/money.ts'
import type { CardRequest, History, Next, ProviderObject } from '../../provider.ts'
import { readCard } from './cards.ts'
import { factsIn, refusalIn, refuse, step, textFact } from '../../provider-kit/outcomes.ts'
import { type Kit, modeOf, needsFundingAccount } from './kit.ts'
import { findLimitProblem, raiseLimit } from './limits.ts'
import { transfer } from './transfers.ts'

interface TopUp {
  readonly token: string
  readonly card: ProviderObject
  readonly body: Extract<CardRequest['body'], { kind: 'topup' }>
}

export function planTopUp(kit: Kit, request: TopUp, history: History): Next {
  const { token, card, body } = request
  const amount = parseCents(body.amount)
  if (amount <= 0n) return refuse('amount_zero', 'A top-up needs an amount above zero.')
  if (modeOf(kit, card) === 'limit') return planRaise(kit, card, amount, history)
  const transferred = factsIn(history, 'transfer')
  if (transferred !== undefined) return { kind: 'done', receipt: textFact(transferred, 'transfer') ?? token }
  const refusal = refusalIn(history, 'transfer')
  if (refusal !== undefined) return refusal
  const { fundingAccount: from } = kit.settings
  if (from === undefined) return needsFundingAccount()
  return step(transfer(kit, { requestToken: token, name: 'transfer', from, to: card.providerId, amount }))
}

/** The limit that was read is the base of the new one, so the same history always asks for the same limit. */
function planRaise(kit: Kit, card: ProviderObject, amount: bigint, history: History): Next {
  const refusal = refusalIn(history, 'limit') ?? refusalIn(history, 'raise')
  if (refusal !== undefined) return refusal
  if (factsIn(history, 'raise') !== undefined) return { kind: 'done', receipt: card.providerId }
  const read = factsIn(history, 'limit')
  if (read === undefined) return step(readCard(kit, 'limit', card))
  const problem = findLimitProblem(card, read)
  if (problem !== undefined) return problem
  if (read['state'] === 'CLOSED') return refuse('card_closed', 'The card is closed at Lithic.')
  const from = parseCents(textFact(read, 'limit') ?? '')
  return step(raiseLimit(kit, card, { from, to: from + amount }))
}
