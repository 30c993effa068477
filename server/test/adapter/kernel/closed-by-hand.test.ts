// Cards that somebody closed at the provider, behind the real kernel. What is left is reported of a card that has a balance there. Of one with a limit it is not:
// the limit says nothing about what was spent, and the server knows better.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { poll } from '../../../src/adapter/kernel/objects/poll.ts'
import { readStaleCards } from '../../../src/adapter/kernel/objects/stale-cards.ts'
import { upsertDetails } from '../../../src/adapter/holder-details/queries.ts'
import type { CardProvider, HolderDetails } from '../../../src/adapter/provider.ts'
import * as atLithic from '../../../src/adapter/simulators/lithic/api-calls.ts'
import * as lithicPayments from '../../../src/adapter/simulators/lithic/payments.ts'
import * as atStripe from '../../../src/adapter/simulators/stripe/api-calls.ts'
import * as stripePayments from '../../../src/adapter/simulators/stripe/payments.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { DETAILS as LITHIC_DETAILS, LithicWorld } from '../lithic/world.ts'
import { DETAILS as STRIPE_DETAILS, StripeWorld } from '../stripe/world.ts'
import { issueOf, KernelWorld } from './world.ts'

const world = await KernelWorld.start()
const balances = await LithicWorld.start('balance')
const limits = await LithicWorld.start('limit')
const stripe = await StripeWorld.start()
afterAll(async () => {
  await world.stop()
  for (const outside of [balances, limits, stripe]) await outside.stop()
})
beforeEach(() => world.clear())

interface Outside {
  readonly issuer: CardProvider
  /** The provider when the card is read: the setting may be another one since. */
  readonly reader: CardProvider
  readonly details: HolderDetails
  /** Pays 95.00 with the newest card, and closes it by hand. */
  payAndClose(): void
  /** What is reported as left of the 100.00. */
  readonly left: { readonly balance?: string }
}

function lithicCard({ world: outside }: LithicWorld, limit?: number) {
  const card = must([...outside.cards.keys()].at(-1))
  const { token } = lithicPayments.purchase(outside, { card, amount: 9_500n })
  lithicPayments.settle(outside, token, { amount: 9_500n })
  if (limit !== undefined) atLithic.updateCard(outside, card, { spend_limit: limit })
  atLithic.updateCard(outside, card, { state: 'CLOSED' })
}

function stripeCard({ hasLimit }: { hasLimit: boolean }) {
  const card = must([...stripe.world.cards.keys()].at(-1))
  stripePayments.capture(stripe.world, stripePayments.authorise(stripe.world, { card, amount: 9_500n }).id, 9_500n)
  if (!hasLimit) atStripe.updateCard(stripe.world, card, { spending_controls: { spending_limits: [] } })
  atStripe.updateCard(stripe.world, card, { status: 'canceled' })
}

const ofLithic = (lithic: LithicWorld, reader = lithic.provider) => ({
  issuer: lithic.provider,
  reader,
  details: LITHIC_DETAILS,
})
const ofStripe = { issuer: stripe.provider, reader: stripe.provider, details: STRIPE_DETAILS }

test.each<[string, Outside]>([
  ['at Stripe', { ...ofStripe, payAndClose: () => stripeCard({ hasLimit: true }), left: {} }],
  ['at Stripe, without its limits', { ...ofStripe, payAndClose: () => stripeCard({ hasLimit: false }), left: {} }],
  ['with a limit at Lithic', { ...ofLithic(limits), payAndClose: () => lithicCard(limits), left: {} }],
  ['with another limit at Lithic', { ...ofLithic(limits), payAndClose: () => lithicCard(limits, 999_00), left: {} }],
  [
    'with a limit at Lithic, after a change to balances',
    {
      ...ofLithic(limits, limits.createProvider({ mode: 'balance' })),
      payAndClose: () => lithicCard(limits),
      left: {},
    },
  ],
  [
    'with a balance at Lithic',
    { ...ofLithic(balances), payAndClose: () => lithicCard(balances), left: { balance: '5.00' } },
  ],
  [
    'with a balance at Lithic, after a change to limits',
    {
      ...ofLithic(balances, balances.createProvider({ mode: 'limit' })),
      payAndClose: () => lithicCard(balances),
      left: { balance: '5.00' },
    },
  ],
])('a card %s that somebody closed reports what is left only if it is known', async (_name, outside) => {
  const { issuer, reader, details, payAndClose, left } = outside
  const now = world.clock.now()
  const holderId = formatId('hld', randomUUID())
  await upsertDetails(world.db, { id: holderId, companyId: null, details, by: 'Ada', now })
  const body = issueOf('100.00', holderId)
  const { status, answer } = await world.put(randomUUID(), body, { ...world.deps(), provider: issuer })
  expect([status, answer.outcome], JSON.stringify(answer)).toEqual([200, 'done'])
  const deps = { ...world.deps(), provider: reader, identity: 'simulated test' }
  while (await poll(deps));
  await readStaleCards(deps)
  expect(await world.events()).toEqual([])
  payAndClose()
  while (await poll(deps));
  await readStaleCards(deps)
  const reported = (await world.events()).filter(({ type }) => type === 'card.status')
  expect(reported.map(({ data }) => data)).toEqual([{ cardId: body.cardId, status: 'closed', ...left }])
})
