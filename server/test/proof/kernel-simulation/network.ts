// The way between a simulated process and the bank: calls are lost, arrive late, and their answers are lost, as the seed decides. It notes each
// call and each effect, from outside the kernel.
import type { Action, CardProvider, Found, Next, Sent } from '../../../src/adapter/provider.ts'
import type { Random } from '../world/random.ts'
import type { Place, Scheduler } from './scheduler.ts'

/** What becomes of a call that changes something. */
export type Fate =
  | 'answered'
  /** It has its effect, and the answer is lost, cut or an error. */
  | 'acted'
  /** It never arrives, or the bank answers 500 or 409 before it acts; the caller cannot know. */
  | 'dropped'
  /** It arrives later. */
  | 'late'
  /** No connection, or 429: it certainly had no effect. */
  | 'not_sent'

export interface SentCall {
  readonly token: string
  readonly step: string
  readonly order: number
  fate: Fate
  /** Whether the caller got to know that it certainly had no effect. */
  isKnownUnsent: boolean
}

/** Longer than any look-up of the kernel goes on. */
const LATE_MS_MAX = 1_800_000
const REASONS = ['the answer was cut', 'the answer was 500', 'no answer', 'the answer was 409']

export class Network {
  readonly calls: SentCall[] = []
  /** How often each call had an effect, by token and step. */
  readonly effects = new Map<string, number>()
  /** Counts everything that is noted, so that the judge knows what came first. */
  order = 0
  /** While faults stop, every call is answered. */
  isFaulty = true
  /** Calls that are on their way, by token. */
  readonly #underWay = new Map<string, number>()
  readonly #random: Random
  readonly #scheduler: Scheduler

  constructor(random: Random, scheduler: Scheduler) {
    this.#random = random
    this.#scheduler = scheduler
  }

  /** How often a person had each step sent once more. */
  readonly repeats = new Map<string, number>()

  noteDecision(token: string, step: string, decision: string): void {
    const id = `${token} ${step}`
    if (decision === 'send_again') this.repeats.set(id, (this.repeats.get(id) ?? 0) + 1)
  }

  isUnderWay(token: string): boolean {
    return (this.#underWay.get(token) ?? 0) > 0
  }

  /** The provider as one process reaches it. */
  connect(provider: CardProvider, place: Place): CardProvider {
    const steps = this.#scheduler
    const read = <Result>(what: string, act: () => Promise<Result>) =>
      steps.step(place, what, async () => {
        if (this.isFaulty && this.#random.chance(0.1)) throw new Error('the bank does not answer')
        return act()
      })
    return {
      ...provider,
      next: (request, history) => this.#wrap(provider.next(request, history), request.token, place),
      poll: (cursor) => read('poll', () => provider.poll(cursor)),
      readCard: (card) => read('read a card', () => provider.readCard(card)),
    }
  }

  #wrap(next: Next, token: string, place: Place): Next {
    if (next.kind !== 'step') return next
    const { step } = next
    const scheduler = this.#scheduler
    if (step.type === 'reading') {
      const read = () =>
        scheduler.step(place, `read ${step.name}`, async () =>
          this.#fails() ? ({ kind: 'unknown', reason: 'no answer' } as const) : step.read(),
        )
      return { kind: 'step', step: { ...step, read } }
    }
    const send = () => {
      const call: SentCall = { token, step: step.name, order: 0, fate: this.#drawFate(), isKnownUnsent: false }
      return scheduler
        .step(place, `send ${token}`, () => this.#send(step, call))
        .then((sent) => {
          call.isKnownUnsent = sent.kind === 'not_sent'
          return sent
        })
    }
    const lookUp = () =>
      scheduler.step(place, `look up ${step.name}`, async (): Promise<Found> => {
        if (this.#fails()) return { kind: 'unknown', reason: 'no answer' }
        // What is new is not always found.
        if (this.isFaulty && this.#random.chance(0.3)) return { kind: 'absent', reason: 'it is not to be seen yet' }
        return step.lookUp()
      })
    return { kind: 'step', step: { ...step, send, lookUp } }
  }

  async #send(step: Action, made: SentCall): Promise<Sent> {
    const call = Object.assign(made, { order: (this.order += 1) })
    this.calls.push(call)
    const unknown: Sent = { kind: 'unknown', reason: this.#random.pick(REASONS) }
    switch (call.fate) {
      case 'answered':
        return this.#act(step, call)
      case 'acted':
        await this.#act(step, call)
        return unknown
      case 'dropped':
        return unknown
      case 'late':
        this.#sendLate(step, call)
        return unknown
      case 'not_sent':
        return { kind: 'not_sent', reason: 'the answer was 429' }
    }
  }

  async #act(step: Action, { token, step: name }: SentCall): Promise<Sent> {
    const sent = await step.send()
    const id = `${token} ${name}`
    if (sent.kind === 'done') this.effects.set(id, (this.effects.get(id) ?? 0) + 1)
    return sent
  }

  #sendLate(step: Action, call: SentCall): void {
    const { token } = call
    const change = (by: number) => this.#underWay.set(token, (this.#underWay.get(token) ?? 0) + by)
    change(1)
    this.#scheduler.spawn(async () => {
      await this.#scheduler.sleep(this.#random.between(1_000, LATE_MS_MAX))
      await this.#act(step, call)
      change(-1)
    })
  }

  #fails(): boolean {
    return this.isFaulty && this.#random.chance(0.2)
  }

  #drawFate(): Fate {
    if (!this.isFaulty) return 'answered'
    return this.#random.weighted({ answered: 50, acted: 15, dropped: 10, late: 15, not_sent: 10 })
  }
}
