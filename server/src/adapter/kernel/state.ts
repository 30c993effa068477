// What a provider decides from: a request with its card and holder, and the steps that have ended.
import type { CardRequest, History } from '../provider.ts'
import type { RequestState, StepRow } from './queries.ts'

export function toRequest(state: RequestState): CardRequest {
  const { token, content, card, holder, holder_details } = state
  if (content.kind === 'invoice' || content.kind === 'service') throw new Error(`A provider has no ${content.kind}.`)
  const toObject = (kind: 'card' | 'holder', row: RequestState['card']) =>
    row === null ? undefined : { kind, id: row.id, providerId: row.provider_id, facts: row.facts }
  return {
    token,
    body: content,
    card: toObject('card', card),
    holder: toObject('holder', holder),
    holderDetails: holder_details ?? undefined,
  }
}

export function historyOf(steps: readonly StepRow[]): History {
  const ended: Record<string, History[string]> = {}
  for (const { name, state, facts, code, message } of steps) {
    if (state === 'done') ended[name] = { outcome: 'done', facts: facts ?? {} }
    if (state === 'refused') ended[name] = { outcome: 'refused', code: code ?? '', message: message ?? '' }
  }
  return ended
}
