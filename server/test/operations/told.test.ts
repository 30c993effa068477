// What is told about an operation in each of its statuses, and decisions that do not fit the operation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programActor } from '../../src/access/audit.ts'
import { recordExchange } from '../../src/issuer/exchanges.ts'
import { formatId, newId } from '../../src/lib/ids.ts'
import { askedOf } from '../../src/operations/request-kind.ts'
import { operationReviewKind } from '../../src/operations/review.ts'
import { readTimeline } from '../../src/operations/timeline.ts'
import type { ReviewDecision } from '../../src/reviews/review.ts'
import { resolveReview } from '../../src/reviews/source.ts'
import { Book, type BookCompany, completed, issue, service, topup } from '../ledger/book.ts'

const book = await Book.open()
const kind = operationReviewKind(book)
let company: BookCompany
let cardId: string
beforeAll(async () => {
  company = await book.addCompany(1_000_000n)
  cardId = await book.makeCard(company)
})
afterAll(async () => {
  await book.requireClean()
  await book.close()
})

/** Lets every step have a time of its own. Returns the time before it. */
function tick(): string {
  const now = book.clock.now().toISOString()
  book.clock.advance(1_000)
  return now
}
const product = { issue: 'prod_card_virtual', topup: 'prod_card_virtual', service: 'prod_service_esim' }

describe('a timeline', () => {
  it('of a service that waits has one step, then that it was sent, and nothing more until it ends', async () => {
    const candidate = service(company)
    const id = await book.accept(candidate)
    const accepted = { step: 'accepted', at: tick() }
    const told = {
      request: { productId: product.service, recipient: 'ada' },
      idempotencyKey: candidate.idempotencyKey,
    }
    expect(await readTimeline(book.db, company.scope, id)).toEqual({ ...told, steps: [accepted] })
    await book.claimAll()
    const sent = { step: 'sent', at: tick() }
    expect(await readTimeline(book.db, company.scope, id)).toEqual({ ...told, steps: [accepted, sent] })
    await book.settleAll([completed(company, id, 'service')])
    const steps = [accepted, sent, { step: 'completed', at: tick() }]
    expect(await readTimeline(book.db, company.scope, id)).toEqual({ ...told, steps })
  })

  it('of a top-up names the card, and that of an issue names the holder and not the card that was made', async () => {
    const [load, make] = [
      await book.accept(topup(company, cardId)),
      await book.accept(issue(company, { name: 'Trip' })),
    ]
    await book.claimAll()
    await book.settleAll([completed(company, load, 'topup'), completed(company, make, 'issue')])
    expect((await readTimeline(book.db, company.scope, load)).request).toEqual({
      productId: product.topup,
      cardId: formatId('card', cardId),
    })
    expect((await readTimeline(book.db, company.scope, make)).request).toEqual({
      productId: product.issue,
      holderId: formatId('hld', company.holderId),
      name: 'Trip',
    })
  })

  it('shows every answer when it came, and a review shows when each call began', async () => {
    const id = await book.accept(service(company))
    const accepted = tick()
    await book.claimAll()
    const sent = tick()
    const row = await book.find(company, id)
    const answers: { step: string; at: string; outcome: string }[] = []
    for (const purpose of ['look_up', 'request', 'look_up'] as const) {
      const startedAt = book.clock.now()
      tick()
      const finishedAt = book.clock.now()
      const outcome = { kind: 'unknown', reason: 'no answer' } as const
      await recordExchange(book.db, company.scope, askedOf(row), { purpose, startedAt, finishedAt, outcome })
      answers.push({
        step: purpose === 'request' ? 'answered' : 'looked_up',
        at: finishedAt.toISOString(),
        outcome: 'unknown',
      })
      tick()
    }
    await book.settleAll([{ scope: company.scope, id, status: 'manual_review' }])
    const review = tick()
    expect((await readTimeline(book.db, company.scope, id)).steps).toEqual([
      { step: 'accepted', at: accepted },
      { step: 'sent', at: sent },
      ...answers,
      { step: 'manual_review', at: review },
    ])
    const { heldAmount, since, dossier } = await kind.describe(await book.find(company, id))
    expect({ heldAmount, since }).toEqual({ heldAmount: '10.60', since: review })
    expect(dossier).toMatchObject({ acceptedAt: accepted, claimedAt: sent, note: null })
  })
})

describe('a decision', () => {
  const actor = programActor('ada')
  const decide = async (id: string, more: Partial<ReviewDecision> = {}) =>
    resolveReview(book, kind, await book.find(company, id), {
      actor,
      decision: { outcome: 'completed', reason: 'seen', ...more },
    })
  const open = async (candidate: ReturnType<typeof service>) => {
    const id = await book.accept(candidate)
    await book.claimAll()
    await book.settleAll([{ scope: company.scope, id, status: 'manual_review' }])
    return id
  }

  it('about a top-up may name its card and no other', async () => {
    const id = await open(topup(company, cardId))
    const other = formatId('card', newId(book.clock.now()))
    await expect(decide(id, { cardId: other })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await decide(id, { cardId: formatId('card', cardId) })).toMatchObject({ id, status: 'completed' })
  })

  it('about a service may name no card', async () => {
    const id = await open(service(company))
    await expect(decide(id, { cardId: formatId('card', cardId) })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await decide(id)).toMatchObject({ id, status: 'completed', receipt: `rcpt_${id.replaceAll('-', '')}` })
  })

  it('about an operation that does not exist finds nothing', async () => {
    const id = await open(service(company))
    const row = { ...(await book.find(company, id)), id: newId(book.clock.now()) }
    const decision = { outcome: 'failed', reason: 'seen' } as const
    await expect(resolveReview(book, kind, row, { actor, decision })).rejects.toMatchObject({ code: 'not_found' })
    expect((await book.find(company, id)).status).toBe('manual_review')
  })
})
