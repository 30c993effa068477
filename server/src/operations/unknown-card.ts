// Answers an event of the live issuer about a card that does not exist here. The issuer knows a card's id before the card exists here,
// because the id is part of the request that issues it.
import type { Taken } from '../issuer/http/events.ts'
import type { CardStatusChanged, CardTransaction } from '../issuer/http/event-schema.ts'
import { contradict, type ReportDeps } from '../issuer/requests/contradictions.ts'
import { findId, formatId } from '../lib/ids.ts'
import type { Scope } from '../lib/scope.ts'
import { issueIdOf } from '../cards/card-id.ts'
import { findOperation } from './queries.ts'

export async function takeUnknownCard(
  deps: ReportDeps,
  scope: Scope,
  event: CardTransaction | CardStatusChanged,
): Promise<Exclude<Taken, 'taken'>> {
  const cardId = findId('card', event.data.cardId)
  const issue = cardId && (await findOperation(deps.db, scope, issueIdOf(cardId)))
  if (!issue || issue.type !== 'issue') return 'not_found'
  switch (issue.status) {
    // The card's first payment may arrive before the answer that issued the card.
    case 'queued':
    case 'processing':
    case 'manual_review':
      return 'later'
    // It was completed after the card was looked for; or the card got another id in a review.
    case 'completed':
      return issue.card_id === cardId ? 'later' : 'not_found'
    case 'failed':
      return contradict(deps, scope, {
        object: formatId('op', issue.id),
        createdAt: issue.created_at,
        event,
        problem: 'the card is in use, and its issue failed here',
      })
  }
}
