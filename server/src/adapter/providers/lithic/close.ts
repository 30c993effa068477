// Decides what comes next when a card is closed: pause it, so that nothing is spent meanwhile, read what is left, take that back, close it. What was done
// is undone if a later step is refused, because the server then keeps the card and its balance as they were.
import { parseCents } from '../../../lib/money.ts'
import type { Action, Found, History, Next, ProviderObject, Refused, Sent } from '../../provider.ts'
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
  // An account that is gone after the money was taken back is not needed any more.
  const isReturned = factsIn(history, 'return') !== undefined
  if (!isLimited && !isReturned && kit.settings.fundingAccount === undefined) {
    return planResume(kit, card, history, needsFundingAccount())
  }
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
  if (!isLimited && parseCents(balance) > 0n && !isReturned) {
    return planReturn(kit, request, history, balance)
  }
  const isOver =
    isClosed || factsIn(history, 'close') !== undefined || factsIn(history, 'recheck')?.['state'] === 'CLOSED'
  if (isOver) return { kind: 'done', receipt: card.providerId, balance }
  const refusal = refusalIn(history, 'close')
  if (refusal === undefined) return step(setState(kit, 'close', card.providerId, 'CLOSED'))
  return planUndo(kit, request, history, { balance, refusal })
}

/** If the money cannot be taken back, such as after a payment that came in between, the card becomes what it was. */
function planReturn(kit: Kit, { token, card }: Close, history: History, balance: string): Next {
  const refusal = refusalIn(history, 'return')
  const { fundingAccount: to = '' } = kit.settings
  if (refusal === undefined) {
    const amount = parseCents(balance)
    return step(transfer(kit, { requestToken: token, name: 'return', from: card.providerId, to, amount }))
  }
  return planResume(kit, card, history, refusal)
}

/** The card stays open: it gets its money back, and becomes what it was. */
function planUndo(
  kit: Kit,
  request: Close,
  history: History,
  { balance, refusal }: { balance: string; refusal: Refused },
): Next {
  const { card } = request
  // The refusal may be a person's word, and Lithic may have closed the card since.
  if (history['recheck'] === undefined) return step(readCard(kit, 'recheck', card))
  const isReturned = factsIn(history, 'return') !== undefined
  if (isReturned && history['restore'] === undefined) return step(restore(kit, request, balance))
  return planResume(kit, card, history, refusal)
}

/** Puts the money back on the card. If Lithic refuses that, the request waits for a person: the server would take the money to be on the card. */
function restore(kit: Kit, { token, card }: Close, balance: string): Action {
  const { fundingAccount: from = '' } = kit.settings
  const amount = parseCents(balance)
  const { send, lookUp, ...rest } = transfer(kit, {
    requestToken: token,
    name: 'restore',
    from,
    to: card.providerId,
    amount,
  })
  return { ...rest, send: async () => leaveToPerson(await send()), lookUp: async () => leaveToPerson(await lookUp()) }
}

function leaveToPerson<Outcome extends Sent | Found>(outcome: Outcome) {
  return outcome.kind === 'refused' ? ({ kind: 'unknown', reason: outcome.message } as const) : outcome
}

/** The card is open again if it was open before and was paused. */
function planResume(kit: Kit, card: ProviderObject, history: History, refusal: Refused): Next {
  const wasOpen = factsIn(history, 'card')?.['state'] === 'OPEN' && factsIn(history, 'pause') !== undefined
  if (wasOpen && history['resume'] === undefined) return step(setState(kit, 'resume', card.providerId, 'OPEN'))
  return refusal
}
