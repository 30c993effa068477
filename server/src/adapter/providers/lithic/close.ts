// Decides what comes next when a card is closed: pause it, so that nothing is spent meanwhile, read what is left, take that back, close it.
import { parseCents } from '../../../lib/money.ts'
import type { History, Next, ProviderObject } from '../../provider.ts'
import { readBalance, readCard, setState } from './cards.ts'
import { factsIn, refusalIn, step, textFact } from '../../provider-kit/outcomes.ts'
import { type Kit, modeOf, needsFundingAccount } from './kit.ts'
import { findLimitProblem, readRemaining } from './limits.ts'
import { transfer } from './transfers.ts'

interface Close {
  readonly token: string
  readonly card: ProviderObject
}

export function planClose(kit: Kit, request: Close, history: History): Next {
  const { card } = request
  const isLimited = modeOf(kit, card) === 'limit'
  const before = factsIn(history, 'card')
  if (before === undefined) return refusalIn(history, 'card') ?? step(readCard(kit, 'card', card))
  // With a limit that somebody else set, nobody can say what is left of ours.
  const problem = isLimited ? findLimitProblem(card, before) : undefined
  if (problem !== undefined) return problem
  if (!isLimited && kit.settings.fundingAccount === undefined) return needsFundingAccount()
  const isClosed = before['state'] === 'CLOSED'
  // A physical card that is on its way cannot pay, and cannot be paused.
  const canPay = before['state'] === 'OPEN' || before['state'] === 'PAUSED'
  if (canPay && factsIn(history, 'pause') === undefined) {
    return refusalIn(history, 'pause') ?? step(setState(kit, 'pause', card.providerId, 'PAUSED'))
  }
  const read = factsIn(history, 'balance')
  if (read === undefined) {
    return (
      refusalIn(history, 'balance') ??
      step(isLimited ? readRemaining(kit, card) : readBalance(kit, 'balance', card.providerId))
    )
  }
  const balance = textFact(read, 'available') ?? ''
  if (!isLimited && parseCents(balance) > 0n && factsIn(history, 'return') === undefined) {
    return planReturn(kit, request, history, balance)
  }
  if (!isClosed && factsIn(history, 'close') === undefined) {
    return refusalIn(history, 'close') ?? step(setState(kit, 'close', card.providerId, 'CLOSED'))
  }
  return { kind: 'done', receipt: card.providerId, balance }
}

/** If the money cannot be taken back, such as after a payment that came in between, the card becomes what it was. */
function planReturn(kit: Kit, { token, card }: Close, history: History, balance: string): Next {
  const refusal = refusalIn(history, 'return')
  const { fundingAccount: to = '' } = kit.settings
  if (refusal === undefined) {
    const amount = parseCents(balance)
    return step(transfer(kit, { requestToken: token, name: 'return', from: card.providerId, to, amount }))
  }
  const wasOpen = factsIn(history, 'card')?.['state'] === 'OPEN'
  if (wasOpen && history['resume'] === undefined) return step(setState(kit, 'resume', card.providerId, 'OPEN'))
  return refusal
}
