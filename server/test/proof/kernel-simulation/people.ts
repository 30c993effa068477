// Whoever is around the adapter: the server that sends requests and takes events, holders who pay, and the person who decides what waits.
import { decide } from '../../../src/adapter/kernel/operator/decide.ts'
import { listOpen } from '../../../src/adapter/kernel/operator/queries.ts'
import { listSteps } from '../../../src/adapter/kernel/queries.ts'
import type { CardProvider } from '../../../src/adapter/provider.ts'
import type { Db } from '../../../src/db/pool.ts'
import type { Transact } from '../../../src/db/transaction.ts'
import { type IssuerEvent } from '../../../src/issuer/http/event-schema.ts'
import type { FenceAnswer, RequestAnswer, RequestBody } from '../../../src/issuer/http/protocol.ts'
import { sign } from '../../../src/issuer/http/signature.ts'
import { SIGNATURE_HEADER } from '../../../src/issuer/http/protocol.ts'
import type { Transmit } from '../../../src/issuer/http/transmit.ts'
import type { ProtocolServer } from '../../../src/issuer/http/routes.ts'
import type { Random } from '../world/random.ts'
import type { Network } from './network.ts'
import { type Process, SECRET } from './process.ts'
import type { Scheduler } from './scheduler.ts'

/** As the server does. */
const LOOK_UPS_MS = [1_000, 5_000, 30_000, 120_000, 480_000]
const TIMEOUT_MS = 30_000

export interface Seen {
  readonly body: RequestBody
  /** Every definite answer, in order. */
  readonly answers: (RequestAnswer | FenceAnswer)[]
  /** The order of the first fence that was answered with absent. */
  fencedAt: number | undefined
}

interface Deps {
  readonly scheduler: Scheduler
  readonly random: Random
  readonly network: Network
  readonly processes: readonly Process[]
}

/** The server, as far as the adapter sees it. */
export class Server {
  readonly requests = new Map<string, Seen>()
  /** The events that were accepted, by id, each as often as it came. */
  readonly events = new Map<string, IssuerEvent[]>()
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Sends a request and resolves when its outcome is known, by an answer or by an event. */
  async order(token: string, body: RequestBody): Promise<RequestAnswer | FenceAnswer> {
    const { scheduler, random } = this.#deps
    const seen: Seen = { body, answers: [], fencedAt: undefined }
    this.requests.set(token, seen)
    const put = () => this.#ask(seen, (server, signed) => server.put(token, body, signed))
    // Two processes get it at once, or a fence comes with it.
    if (random.chance(0.3)) scheduler.spawn(put)
    if (random.chance(0.25)) scheduler.spawn(() => this.#fence(token, seen, random.below(300)))
    await put()
    for (const ms of LOOK_UPS_MS) {
      if (this.outcomeOf(token) !== undefined) break
      await scheduler.sleep(ms)
      await this.#ask(seen, (server, signed) => server.lookUp(token, signed))
    }
    // As the server does, the last look-up is a fence, and is made again until it is answered.
    for (;;) {
      const outcome = this.outcomeOf(token)
      if (outcome !== undefined) return outcome
      await this.#fence(token, seen, 120_000)
    }
  }

  outcomeOf(token: string): RequestAnswer | FenceAnswer | undefined {
    return this.requests.get(token)?.answers[0]
  }

  async #fence(token: string, seen: Seen, afterMs: number): Promise<void> {
    await this.#deps.scheduler.sleep(afterMs)
    await this.#ask(seen, (server, signed) => server.fence(token, seen.body.companyId, signed))
  }

  /** One call to one process. Its answer may be lost, and the process may die. */
  async #ask(seen: Seen, call: (server: ProtocolServer, signed: Signed) => Promise<Answered>): Promise<void> {
    const { scheduler, random, network, processes } = this.#deps
    const server = random.pick(processes).server
    if (server === undefined) return
    const signed: Signed = (status, body) => ({ status, body, headers: {} })
    const asked = call(server, signed).then(
      ({ status, body }) => {
        if (status !== 200) return
        const answer = JSON.parse(String(body)) as RequestAnswer | FenceAnswer
        // The issuer has said it, whether or not it arrives.
        if (answer.outcome === 'absent') seen.fencedAt ??= network.order
        if (!network.isFaulty || random.chance(0.8)) seen.answers.push(answer)
      },
      () => undefined,
    )
    await Promise.race([asked, scheduler.sleep(TIMEOUT_MS)])
  }

  /** Takes an event, or loses it or its answer. */
  readonly receive: Transmit = async ({ headers, body = '' }) => {
    const { random, network, scheduler } = this.#deps
    const fate = network.isFaulty ? random.weighted({ taken: 6, lost: 2, unanswered: 2, busy: 1 }) : 'taken'
    if (fate === 'lost') return { kind: 'unknown', reason: 'no answer' }
    const answer = (status: number, text: string) => {
      const answers = String(headers[SIGNATURE_HEADER]).split('v1=')[1] ?? ''
      const signature = sign(SECRET, scheduler.clock.now(), { direction: 'answer', status, answers, body: text })
      return { kind: 'answered', status, headers: { [SIGNATURE_HEADER]: signature }, body: text } as const
    }
    if (fate === 'busy') return answer(503, '{}')
    const event = JSON.parse(body) as IssuerEvent
    this.events.set(event.id, [...(this.events.get(event.id) ?? []), event])
    this.#learn(event)
    return fate === 'unanswered' ? { kind: 'unknown', reason: 'no answer' } : answer(200, '{}')
  }

  #learn(event: IssuerEvent): void {
    const token = 'token' in event.data ? event.data.token : undefined
    const seen = token === undefined ? undefined : this.requests.get(token)
    if (seen === undefined || seen.answers.length > 0) return
    seen.answers.push(answerOf(event, seen.body))
  }
}

type Signed = Parameters<ProtocolServer['lookUp']>[1]
type Answered = Awaited<ReturnType<ProtocolServer['lookUp']>>

/** Only whether it was done matters to those who wait. */
function answerOf(event: IssuerEvent, { kind }: RequestBody): RequestAnswer {
  const { token } = event.data as { token: string }
  const isDone = event.type === 'operation.completed' || (event.type === 'card.status' && !('failure' in event.data))
  return { token, kind, outcome: isDone ? 'done' : 'refused', code: 'told by an event' } as unknown as RequestAnswer
}

export interface PersonDeps extends Deps {
  readonly db: Db
  readonly transact: Transact
  readonly provider: CardProvider
}

/** Looks into the bank's own records and decides what waits, when nothing can be on its way any more. */
export async function decideWaiting(deps: PersonDeps): Promise<void> {
  const { scheduler, random, network, processes, db, transact, provider } = deps
  const { clock } = scheduler
  if (processes.some(({ place }) => place.suspendedUntilMs > scheduler.nowMs)) return
  const waiting = (await listOpen(db, 100)).filter(({ waiting_since }) => waiting_since !== null)
  for (const { token } of waiting) {
    if (network.isUnderWay(token) || scheduler.isWaiting(`send ${token}`)) continue
    const steps = await listSteps(db, [token])
    const open = steps.find(({ state }) => state === 'unknown' || state === 'sending')
    const made = { token, by: 'Ada', reason: 'Looked at the bank.' }
    const isThere = network.effects.has(`${token} ${open?.name}`)
    const wish = isThere ? 'look_up' : random.pick(['send_again', 'not_carried_out'] as const)
    const result = await decide({ transact, clock, provider }, { ...made, decision: wish })
    network.noteDecision(token, open?.name ?? '', result.kind === 'decided' ? wish : 'none')
    if (result.kind !== 'refused' || wish !== 'send_again') continue
    await decide({ transact, clock, provider }, { ...made, decision: 'not_carried_out' })
  }
}
