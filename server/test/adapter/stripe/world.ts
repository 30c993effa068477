// A simulated Stripe and the provider, with a clock that the test moves and a small kernel: it takes one step after the other, as the adapter
// does, and looks up what is unknown once.
import { randomUUID } from 'node:crypto'
import type {
  Action,
  CardProvider,
  CardRequest,
  Facts,
  Found,
  HolderDetails,
  History,
  Next,
  ProviderCard,
  ProviderObject,
  Sent,
  Step,
} from '../../../src/adapter/provider.ts'
import { productList, VIRTUAL_PRODUCTS } from '../../../src/adapter/provider-kit/products.ts'
import { createStripe } from '../../../src/adapter/providers/stripe/stripe.ts'
import type { StripeSettings } from '../../../src/adapter/providers/stripe/settings.ts'
import type { AnswerMode, RouteId } from '../../../src/adapter/simulators/stripe/behaviour.ts'
import { type StripeSimulator, startStripeSimulator } from '../../../src/adapter/simulators/stripe/start.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { invariant, must } from '../../../src/lib/invariant.ts'
import { createLog } from '../../../src/lib/log.ts'
import { formatCents } from '../../../src/lib/money.ts'
import { TestClock } from '../../support/harness.ts'

export const SECRET_KEY = 'sk_test_ofthesimulatedstripe'
/** Calls that hang end after this. No other call takes as long, even on a busy machine. */
export const SHORT_TIMEOUT_MS = 1_500
export const DETAILS: HolderDetails = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  line1: '123 Old Forest Way',
  city: 'Omaha',
  state: 'NE',
  postal_code: '68022',
}

export interface Ran {
  readonly outcome:
    Exclude<Next, { kind: 'step' }> | { readonly kind: 'stuck'; readonly step: string; readonly found: Found }
  /** The names of the steps that were taken. */
  readonly steps: readonly string[]
  readonly history: History
}

export class StripeWorld {
  readonly clock = new TestClock()
  /** Every object that the kernel knows, by our id. */
  readonly objects = new Map<string, ProviderObject>()
  simulator!: StripeSimulator
  provider!: CardProvider

  static async start(): Promise<StripeWorld> {
    const world = new StripeWorld()
    world.simulator = await startStripeSimulator({
      clock: world.clock,
      log: createLog({ level: 'silent' }),
      host: '127.0.0.1',
      port: 0,
      controlPort: 0,
      secretKey: SECRET_KEY,
      float: 100_000_000n,
    })
    world.provider = world.createProvider()
    return world
  }

  createProvider(settings: Partial<StripeSettings> = {}): CardProvider {
    return createStripe({
      secretKey: SECRET_KEY,
      url: this.simulator.url,
      virtualProducts: productList(VIRTUAL_PRODUCTS),
      clock: this.clock,
      timeoutMs: 60_000,
      ...settings,
    })
  }

  async stop(): Promise<void> {
    await this.simulator.stop()
  }

  get world() {
    return this.simulator.world
  }

  behave(route: RouteId, mode: AnswerMode, times: number | null = 1): void {
    this.simulator.behaviours.set(route, { mode, times })
  }

  calls(route: RouteId): number {
    return this.simulator.calls.get(route) ?? 0
  }

  /** The limit of a card in dollars; undefined unless it has exactly one over its whole life. */
  limit(providerId: string): string | undefined {
    const [limit, ...others] = must(this.world.cards.get(providerId)).limits
    return limit?.interval === 'all_time' && others.length === 0 ? formatCents(limit.amount) : undefined
  }

  issue(options: { amount?: string; holderId?: string; details?: HolderDetails | undefined; productId?: string } = {}) {
    const { amount = '25.00', holderId = formatId('hld', randomUUID()), productId = 'prod_card_virtual' } = options
    const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' as const }
    const cardId = formatId('card', randomUUID())
    const body = { kind: 'issue' as const, companyId: 'co_1', amount, productId, holderId, name: 'Ads', cardId, holder }
    const details = 'details' in options ? options.details : DETAILS
    return this.request(body, details)
  }

  topUp(cardId: string, amount = '10.00') {
    return this.request({ kind: 'topup', companyId: 'co_1', amount, productId: 'card', cardId })
  }

  setStatus(cardId: string, status: 'active' | 'frozen' | 'closed') {
    return this.request({ kind: 'card_status', companyId: 'co_1', cardId, status })
  }

  request<Body extends CardRequest['body']>(body: Body, holderDetails?: HolderDetails): CardRequest<Body> {
    const { objects } = this
    const cardId = 'cardId' in body ? body.cardId : undefined
    return {
      token: randomUUID(),
      body,
      // As in the kernel, they are known as soon as a step has brought them.
      get card() {
        return cardId === undefined ? undefined : objects.get(cardId)
      },
      get holder() {
        return body.kind === 'issue' ? objects.get(body.holderId) : undefined
      },
      holderDetails,
    }
  }

  /** Takes the steps of a request until it has an outcome, or until a person would have to decide. */
  async run(request: CardRequest, provider = this.provider, history: History = {}): Promise<Ran> {
    const steps: string[] = []
    const known: Record<string, History[string]> = { ...history }
    for (;;) {
      const next = provider.next(request, known)
      if (next.kind !== 'step') return { outcome: next, steps, history: known }
      invariant(!steps.includes(next.step.name), `the step ${next.step.name} comes twice`)
      steps.push(next.step.name)
      const ended = await this.take(next.step)
      if (ended.kind !== 'done' && ended.kind !== 'refused') {
        return { outcome: { kind: 'stuck', step: next.step.name, found: ended }, steps, history: known }
      }
      known[next.step.name] = this.end(ended)
    }
  }

  /** Stores what a step brought. */
  end(ended: Extract<Found, { kind: 'done' | 'refused' }>): History[string] {
    if (ended.kind === 'refused') return { outcome: 'refused', code: ended.code, message: ended.message }
    for (const object of ended.objects ?? []) this.objects.set(object.id, object)
    return { outcome: 'done', facts: ended.facts }
  }

  async take(step: Step): Promise<Found> {
    if (step.type === 'reading') return step.read()
    const sent = await step.send()
    if (sent.kind === 'not_sent') return { kind: 'unknown', reason: `not sent: ${sent.reason}` }
    return sent.kind === 'unknown' ? step.lookUp() : sent
  }

  /** The cards that reconciliation sees. */
  async listed(provider = this.provider): Promise<ProviderCard[]> {
    const cards: ProviderCard[] = []
    for await (const card of provider.listCards(() => provider.about.cardMode)) cards.push(card)
    return cards
  }

  /** Makes a card and returns its two ids. */
  async card(amount = '25.00'): Promise<{ id: string; providerId: string }> {
    const request = this.issue({ amount })
    const { outcome } = await this.run(request)
    invariant(outcome.kind === 'done', `no card was made: ${JSON.stringify(outcome)}`)
    const object = must(this.objects.get(must(request.body.cardId)))
    return { id: object.id, providerId: object.providerId }
  }

  /** Returns the action of a request that comes next, after the steps before it. */
  async actionOf(request: CardRequest, name: string, provider = this.provider): Promise<Action> {
    const known: Record<string, History[string]> = {}
    for (;;) {
      const next = provider.next(request, known)
      if (next.kind !== 'step') throw new Error(`${name} never comes: ${JSON.stringify(next)}`)
      if (next.step.name === name && next.step.type === 'action') return next.step
      const ended = await this.take(next.step)
      if (ended.kind !== 'done') throw new Error(`${next.step.name} is not done: ${JSON.stringify(ended)}`)
      known[next.step.name] = this.end(ended)
    }
  }
}

export function factsOf(outcome: Sent | Found): Facts {
  if (outcome.kind !== 'done') throw new Error(`not done: ${JSON.stringify(outcome)}`)
  return outcome.facts
}
