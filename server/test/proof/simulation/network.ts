// The network between the simulated nodes and the issuer. It loses, delays and damages messages, in both directions, and one
// path may fail the whole time.
import type { Outgoing, Transmit, Transmitted } from '../../../src/issuer/http/transmit.ts'
import type { Damage } from '../world/issuer.ts'
import type { Life } from '../world/time.ts'
import { findHalfFault, UnknownCount } from './half-faults.ts'
import type { HalfFault } from './options.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000

type Settle = (transmitted: Transmitted, afterMs: number) => void

export class Network {
  /** The requests of each process, for the limit of unknown outcomes. */
  readonly unknown: UnknownCount
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.unknown = new UnknownCount(world)
  }

  /** What a node sends its requests and look-ups through. */
  transmitOf(life: Life): Transmit {
    return (outgoing) =>
      new Promise((resolve) => {
        const { time, issuer } = this.#world
        issuer.check(outgoing)
        const what = outgoing.method === 'PUT' ? 'a request' : 'a look-up'
        const death = this.#world.dieAt(life, what)
        if (death === 'before') return
        const end = this.unknown.begin(life, outgoing)
        const settle = this.#answerTo(life, outgoing, (transmitted) => {
          end(transmitted)
          resolve(transmitted)
        })
        const half = findHalfFault(this.#world, life, outgoing)
        if (half !== undefined) return this.#failHalf(half, outgoing, settle)
        const trouble = this.#networkTrouble()
        if (trouble === 'unreachable') return settle({ kind: 'not_sent', reason: 'ECONNREFUSED' }, 5)
        if (trouble !== 'lost') {
          const atMs = time.nowMs + this.#delayMs(trouble, outgoing)
          const arrive = () => this.#arrive(outgoing, settle)
          time.add({ label: `issuer receives ${outgoing.method}`, life: undefined, atMs, run: arrive })
        }
        if (death === 'after') this.#world.crash(life, `after ${what}`)
      })
  }

  /** Returns a function that delivers the answer. The node gets the answer or a time-out, whichever comes first. */
  #answerTo(life: Life, { timeoutMs }: Outgoing, resolve: (transmitted: Transmitted) => void): Settle {
    const { time } = this.#world
    const settle: Settle = (transmitted, afterMs) => {
      const atMs = time.nowMs + afterMs
      const run = async () => {
        time.remove(timeout)
        await time.enter(life, () => resolve(transmitted))
      }
      if (life.isAlive) time.add({ label: `issuer's answer: ${transmitted.kind}`, life, atMs, run })
    }
    const giveUp = () => time.enter(life, () => resolve({ kind: 'unknown', reason: 'no answer in time' }))
    const atMs = time.nowMs + timeoutMs
    const timeout = time.add({ label: 'no answer of the issuer', life, atMs, run: giveUp })
    return settle
  }

  /** The request may have been carried out all the same, and an event may tell of it. */
  #failHalf({ path, manner }: HalfFault, outgoing: Outgoing, settle: Settle): void {
    const { random, time, issuer } = this.#world
    this.#world.count(`half a fault: ${path}, ${manner}`)
    const arrives = path === 'answers' || random.issuer.chance(0.5)
    const arrive = () => {
      if (arrives) issuer.take(outgoing)
      if (manner === 'silence') return
      settle(issuer.answer(outgoing, undefined, 'error'), random.issuer.between(1, 300))
    }
    const atMs = time.nowMs + random.issuer.between(1, 400)
    time.add({ label: `issuer receives ${outgoing.method}`, life: undefined, atMs, run: arrive })
  }

  #networkTrouble() {
    const { isCalm, random, options } = this.#world
    if (isCalm || !random.issuer.chance(options.issuerTroubleRate)) return 'none'
    const trouble = random.issuer.weighted({ none: 4, unreachable: 2, lost: 1, late: 1, hours: 1 })
    if (trouble !== 'none') this.#world.count(`network to the issuer: ${trouble}`)
    return trouble
  }

  #delayMs(trouble: 'none' | 'late' | 'hours', { timeoutMs }: Outgoing): number {
    const { issuer } = this.#world.random
    if (trouble === 'hours') return issuer.between(HOUR_MS / 2, 6 * HOUR_MS)
    if (trouble === 'late') return issuer.between(Math.round(timeoutMs / 2), timeoutMs * 2)
    return issuer.between(1, 400)
  }

  #arrive(outgoing: Outgoing, settle: Settle): void {
    const { isCalm, random, options, issuer } = this.#world
    const answer = issuer.take(outgoing)
    const isTroubled = !isCalm && random.issuer.chance(options.issuerTroubleRate)
    const weights = { lost: 3, error: 1, garbage: 1, amount: 1, token: 1, unsigned: 1, late: 1 }
    const trouble = isTroubled ? random.issuer.weighted(weights) : 'none'
    if (trouble !== 'none') this.#world.count(`answer of the issuer: ${trouble}`)
    if (trouble === 'lost') return
    const damage: Damage = trouble === 'late' ? 'none' : trouble
    const transmitted = issuer.answer(outgoing, answer, damage)
    const delayMs = trouble === 'late' ? random.issuer.between(1_000, 60_000) : random.issuer.between(1, 300)
    settle(transmitted, delayMs)
  }
}
