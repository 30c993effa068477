// The steps of a card whose money is a limit on what may be spent: raise the limit, and read what is left of it. A limit of 0 means no limit at
// Lithic, so it is never sent.
import { cents, formatCents, parseCents } from '../../../lib/money.ts'
import type { Action, Done, Facts, ProviderObject, Reading, Refused } from '../../provider.ts'
import { type Card, parseCard, parseSpendLimits } from './answers.ts'
import { pathOf } from './cards.ts'
import { done, refuse, textFact, toFound, toReading, toSent } from '../../provider-kit/outcomes.ts'
import { type Kit, toInteger } from './kit.ts'

const REFUSALS = [400, 404, 422]

/** Returns why the limit that Lithic has is not the one that we set last, or undefined. */
export function findLimitProblem(card: ProviderObject, read: Facts): Refused | undefined {
  const ours = textFact(card.facts, 'limit')
  if (ours === undefined) {
    return refuse('limit_unknown', 'The adapter does not know the limit of the card, so it cannot change it.')
  }
  if (textFact(read, 'limit') === ours && textFact(read, 'limit_duration') === 'FOREVER') return undefined
  return refuse(
    'limit_changed',
    `The limit of the card was changed at Lithic: it is ${textFact(read, 'limit')} (${textFact(read, 'limit_duration')}) and should be ${ours} (FOREVER). Set it back, then try again.`,
  )
}

/** Sets a new limit. `from` is the one that was read before. */
export function raiseLimit({ api }: Kit, card: ProviderObject, { from, to }: { from: bigint; to: bigint }): Action {
  const path = pathOf(card.providerId)
  const asRaised = (): Done => {
    const facts = { ...card.facts, limit: formatCents(to) }
    return done({ limit: formatCents(to) }, [{ ...card, facts }])
  }
  const isRaised = (read: Card) => read.limit === to && read.limitDuration === 'FOREVER'
  return {
    type: 'action',
    name: 'raise',
    shows: { card: card.providerId, from: formatCents(from), to: formatCents(to) },
    isRepeatable: false,
    async send() {
      const changed = await api.change({
        method: 'PATCH',
        path,
        body: { spend_limit: toInteger(to), spend_limit_duration: 'FOREVER' },
        refusals: REFUSALS,
        parse: (answer) => {
          const read = parseCard(answer)
          return read?.token === card.providerId && isRaised(read) ? read : undefined
        },
      })
      return toSent(changed, asRaised)
    },
    async lookUp() {
      return toFound(await api.read(path, parseCard), (read) => {
        if (isRaised(read)) return asRaised()
        if (read.limit === from) return { kind: 'absent', reason: `the limit is still ${formatCents(from)}` }
        return { kind: 'unknown', reason: `the limit is ${formatCents(read.limit)}, which nobody here asked for` }
      })
    },
  }
}

/**
 * Reads what is left of the limit that we set. Lithic's available limit is without approved authorisations, so what is pending is not in it.
 * A force-post can exceed a limit: then nothing is left.
 */
export function readRemaining({ api }: Kit, card: ProviderObject): Reading {
  return {
    type: 'reading',
    name: 'balance',
    async read() {
      const ours = parseCents(textFact(card.facts, 'limit') ?? '0')
      const read = await api.read(`${pathOf(card.providerId)}/spend_limits`, parseSpendLimits)
      return toReading(read, ({ limit, available }) => {
        const spent = limit - available
        const left = ours - spent
        return done({ available: formatCents(cents(left < 0n ? 0n : left > ours ? ours : left)) })
      })
    },
  }
}
