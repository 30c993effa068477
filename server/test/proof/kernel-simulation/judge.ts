// Judges a run of the kernel from outside: what the bank saw, what the server was told, and the books at the end.
import { reconcileCards } from '../../../src/adapter/kernel/operator/reconcile.ts'
import type { CardProvider } from '../../../src/adapter/provider.ts'
import type { Db } from '../../../src/db/pool.ts'
import { sql } from '../../../src/db/sql.ts'
import type { FenceAnswer, RequestAnswer } from '../../../src/issuer/http/protocol.ts'
import type { Bank } from '../../adapter/kernel/bank.ts'
import { formatCents, parseCents } from '../../../src/lib/money.ts'
import type { Network } from './network.ts'
import type { Seen, Server } from './people.ts'

export interface Evidence {
  readonly db: Db
  readonly bank: Bank
  readonly provider: CardProvider
  readonly network: Network
  readonly server: Server
}

export async function findViolations(evidence: Evidence): Promise<string[]> {
  const { server } = evidence
  const requests = [...server.requests]
  return [
    ...judgeCalls(evidence),
    ...requests.flatMap(([token, seen]) => judgeAnswers(token, seen)),
    ...requests.flatMap(([token, seen]) => judgeEffect(evidence, token, seen)),
    ...(await judgeEvents(evidence)),
    ...(await judgeBooks(evidence)),
  ]
}

/** Whoever may have been heard is not asked again, unless a person said so, and nothing is sent after a fence. */
function judgeCalls({ network, server }: Evidence): string[] {
  const byStep = groupBy(network.calls, ({ token, step }) => `${token} ${step}`)
  const again = [...byStep].flatMap(([id, calls]) => {
    const allowed = 1 + calls.filter(({ isKnownUnsent }) => isKnownUnsent).length + (network.repeats.get(id) ?? 0)
    return calls.length > allowed ? [`${id} was sent ${calls.length} times, and ${allowed} were allowed`] : []
  })
  const twice = [...network.effects].flatMap(([id, count]) =>
    count > 1 && !network.repeats.has(id) ? [`${id} took effect ${count} times`] : [],
  )
  const fenced = network.calls.flatMap(({ token, step, order, isKnownUnsent }) => {
    const fencedAt = server.requests.get(token)?.fencedAt
    if (fencedAt === undefined) return []
    if (order > fencedAt) return [`${token} ${step} was sent after the fence`]
    return isKnownUnsent ? [] : [`${token} ${step} may have been carried out, and the token was fenced`]
  })
  return [...again, ...twice, ...fenced]
}

function judgeAnswers(token: string, { answers }: Seen): string[] {
  const kinds = new Set(answers.map((answer) => verdictOf(answer)))
  return kinds.size > 1 ? [`${token} was answered in different ways: ${[...kinds].join(', ')}`] : []
}

function verdictOf(answer: RequestAnswer | FenceAnswer): 'done' | 'refused' | 'absent' {
  return answer.outcome === 'refused' && answer.code === 'fenced' ? 'absent' : answer.outcome
}

/** What the server was told is what the bank has. */
function judgeEffect({ network, bank, server }: Evidence, token: string, { body, answers }: Seen): string[] {
  const [first] = answers
  if (first === undefined) return [`${token} has no outcome`]
  const isDone = first.outcome === 'done'
  const has = (step: string) => network.effects.has(`${token} ${step}`)
  const wrong = (what: string) => [`${token} (${body.kind}) is ${verdictOf(first)}, and ${what}`]
  switch (body.kind) {
    case 'issue': {
      const card = [...bank.cards.values()].find(({ reference }) => reference === token)
      if (isDone) return card !== undefined && has('transfer') ? [] : wrong('the bank has no card with money')
      if (card === undefined || (card.status === 'closed' && card.balance === 0n)) return []
      // What could not be closed again is for the person who decided so.
      return has('transfer') ? wrong('the bank has the card with its money') : []
    }
    case 'topup':
      return isDone === has('transfer') ? [] : wrong(`the transfer was${isDone ? ' not' : ''} made`)
    case 'card_status': {
      if (!isDone)
        return has(body.status === 'closed' ? 'close' : 'status') ? wrong('the bank has changed the card') : []
      // A card that has the status already needs no change. Only a close lasts, so only it can be seen at the end.
      const card = [...bank.cards.values()].find(({ reference }) => reference === issueOf(server, body.cardId))
      return body.status !== 'closed' || card?.status === 'closed' ? [] : wrong('the card is open')
    }
    // The customers of this world order no others.
    case 'service':
    case 'invoice':
      return []
  }
}

/** Returns the token with which the card was ordered. */
function issueOf(server: Server, cardId: string): string | undefined {
  return [...server.requests].find(([, { body }]) => body.kind === 'issue' && body.cardId === cardId)?.[0]
}

/** Each outcome and each payment is told, under one id, with one content. */
async function judgeEvents({ db, bank, server }: Evidence): Promise<string[]> {
  const changed = [...server.events].flatMap(([id, events]) =>
    new Set(events.map((event) => JSON.stringify(event))).size > 1
      ? [`the event ${id} came with different contents`]
      : [],
  )
  const answered = await db.many<{ token: string; outcome: string }>(
    sql`select token, answer ->> 'outcome' as outcome from issuer_adapter.request where answer is not null`,
  )
  const outcomes = answered.flatMap(({ token, outcome }) => {
    const event = server.events.get(`outcome_${token.replaceAll('-', '')}`)?.[0]
    if (outcome === 'absent') return event === undefined ? [] : [`${token} was fenced, and an outcome was told`]
    if (event === undefined) return [`the outcome of ${token} was never told`]
    const isFailure = event.type === 'operation.failed' || 'failure' in event.data
    return isFailure === (outcome === 'refused') ? [] : [`the event about ${token} does not say that it was ${outcome}`]
  })
  const known = await db.many<{ provider_id: string }>(
    sql`select provider_id from issuer_adapter.object where kind = 'card'`,
  )
  const cards = new Set(known.map(({ provider_id }) => provider_id))
  const payments = bank.events.flatMap(({ id, kind, providerCardId, amount }) => {
    if (kind !== 'payment' || !cards.has(providerCardId)) return []
    const event = server.events.get(id)?.[0]
    const told = event?.type === 'card.transaction' ? event.data.amount : 'nothing'
    return told === formatCents(-amount) ? [] : [`the payment ${id} of ${formatCents(amount)} was told as ${told}`]
  })
  return [...changed, ...outcomes, ...payments]
}

/** The books of the adapter, of the bank and of whoever ordered are the same. */
async function judgeBooks({ db, bank, provider, network, server }: Evidence): Promise<string[]> {
  const { differences } = await reconcileCards(db, provider)
  const cents = [...server.requests.values()].map(({ body, answers }): bigint => {
    if (answers[0]?.outcome !== 'done' || body.kind === 'card_status') return 0n
    return parseCents(body.amount)
  })
  const ordered = cents.reduce((sum, each) => sum + each, 0n)
  const moved = [...bank.transfers].reduce((sum, [, { amount }]) => sum + (amount > 0n ? amount : 0n), 0n)
  const sums =
    ordered === moved ? [] : [`orders for ${formatCents(ordered)} were done, and the bank moved ${formatCents(moved)}`]
  const holders = [...groupBy([...bank.holders.values()], (reference) => reference)].flatMap(([reference, all]) =>
    all.length > 1 ? [`the bank has the holder ${reference} ${all.length} times`] : [],
  )
  const left = network.isFaulty ? ['the faults did not stop'] : []
  return [...differences.map((each) => `the books differ: ${JSON.stringify(each)}`), ...sums, ...holders, ...left]
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value])
  return groups
}
