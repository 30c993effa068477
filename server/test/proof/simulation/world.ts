// One simulated world: nodes on a real database, an issuer, receivers and clients, and the faults between them.
import type pg from 'pg'
import type { Db } from '../../../src/db/pool.ts'
import type { Statement } from '../../../src/db/sql.ts'
import { markNotSent } from '../../../src/db/unavailable.ts'
import { WorldIssuer } from '../world/issuer.ts'
import { toDb } from '../world/line.ts'
import { createRandom, type Random } from '../world/random.ts'
import { Receivers } from '../world/receivers.ts'
import { createLife, type Life, type Step, VirtualTime } from '../world/time.ts'
import type { Executed, SimDatabase } from './database.ts'
import { findFunction } from './functions.ts'
import { Network } from './network.ts'
import { type NodeParts, startParts } from './node.ts'
import type { Options } from './options.ts'
import { chooseReception, scriptIssuer } from './outside.ts'
import type { Plant } from './plants/plant.ts'
import { Scheduler } from './scheduler.ts'

/** How long a statement waits for others that could race with it. */
const RACE_WAIT_MS = 40
/** A crashed node starts again after at most this. */
const RESTART_MS_MAX = 20_000
/** Longer than the look-ups of an operation take before a person decides. */
const SUSPENSION_MS_MAX = 1_200_000

export interface SimNode extends Life {
  readonly slot: number
  /** Undefined until it has started. */
  parts: NodeParts | undefined
  /** Jobs that are under way. */
  readonly running: Set<string>
}

interface Call {
  readonly life: Life
  readonly statement: Statement
  /** Whether it has already waited for other statements to race with. */
  hasWaited: boolean
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
}

type Stream = 'scheduler' | 'faults' | 'issuer' | 'receivers' | 'clients'

export class World {
  readonly options: Options
  readonly database: SimDatabase
  readonly plant: Plant | undefined
  readonly time = new VirtualTime()
  readonly scheduler: Scheduler
  readonly random: Readonly<Record<Stream, Random>>
  readonly issuer: WorldIssuer
  readonly network: Network
  readonly receivers: Receivers
  readonly nodes: SimNode[] = []
  /** Faults and rare branches, and how often they happened. */
  readonly counts = new Map<string, number>()
  /** Errors that no fault explains. */
  readonly failures: string[] = []
  /** Whether faults have stopped. */
  isCalm = false
  #incarnations = 0
  readonly #calls = new Map<Step, Call>()

  constructor(database: SimDatabase, options: Options, plant: Plant | undefined, keepsTrace: boolean) {
    this.options = options
    this.database = database
    this.plant = plant
    const stream = (name: Stream) => createRandom(options.seed, name)
    this.random = {
      scheduler: stream('scheduler'),
      faults: stream('faults'),
      issuer: stream('issuer'),
      receivers: stream('receivers'),
      clients: stream('clients'),
    }
    this.scheduler = new Scheduler(this.time, this.random.scheduler, keepsTrace)
    this.issuer = new WorldIssuer(this.time, scriptIssuer(this))
    this.network = new Network(this)
    this.receivers = new Receivers(this.time, () => chooseReception(this))
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
  }

  /** Nodes that can take a request or run a job now. */
  readyNodes(): (SimNode & { parts: NodeParts })[] {
    const isReady = (node: SimNode): node is SimNode & { parts: NodeParts } =>
      node.isAlive && node.parts !== undefined && node.suspendedUntilMs <= this.time.nowMs
    return this.nodes.filter(isReady)
  }

  startNode(slot: number): void {
    this.#incarnations += 1
    const node: SimNode = {
      ...createLife(`node ${slot}.${this.#incarnations}`),
      slot,
      parts: undefined,
      running: new Set(),
    }
    this.nodes[slot] = node
    const begin = () =>
      void startParts(this, node).then(
        (parts) => (node.parts = parts),
        // The database failed while it started.
        () => this.crash(node, 'while it started'),
      )
    this.time.add({
      label: 'start',
      life: node,
      atMs: this.time.nowMs,
      run: () => this.time.enter(node, begin),
    })
  }

  crash(life: Life, when: string): void {
    if (!life.isAlive) return
    this.count(`crash ${when}`)
    const steps = this.time.waiting.filter((step) => step.life === life)
    this.time.end(life)
    for (const step of steps) {
      const call = this.#calls.get(step)
      this.#calls.delete(step)
      // What was sent before the crash may still be carried out after it.
      if (call === undefined || !this.random.faults.chance(0.5)) continue
      const run = async () => void (await this.database.execute(call.statement))
      this.time.add({ label: `orphan ${step.label}`, life: undefined, atMs: this.time.nowMs + 5, run })
    }
    const slot = this.nodes.findIndex((node) => node === life)
    if (slot < 0) return
    const atMs = this.time.nowMs + this.random.faults.between(10, RESTART_MS_MAX)
    this.time.add({ label: 'restart', life: undefined, atMs, run: () => this.startNode(slot) })
  }

  /** Decides whether a node dies when it calls the database, the issuer or a receiver. With 'before' it has died; with 'after' the caller ends it. */
  dieAt(life: Life | undefined, what: string): 'before' | 'after' | undefined {
    const { faults } = this.random
    const { crashRate, suspensionRate } = this.options
    if (this.isCalm || life === undefined) return undefined
    if (faults.chance(suspensionRate)) {
      this.count('node suspended')
      life.suspendedUntilMs = this.time.nowMs + faults.pick([2_000, 20_000, 90_000, SUSPENSION_MS_MAX])
    }
    if (!faults.chance(crashRate)) return undefined
    if (faults.chance(0.5)) return 'after'
    this.crash(life, `before ${what}`)
    return 'before'
  }

  /** The database as one node sees it. */
  databaseOf(life: Life): Db {
    const ask = (statement: Statement) =>
      new Promise<pg.QueryResult>((resolve, reject) => {
        if (!life.isAlive) return
        const call: Call = { life, statement, hasWaited: false, resolve, reject }
        const step: Step = {
          label: labelOf(statement),
          life,
          atMs: this.time.nowMs,
          run: () => this.#runCall(step, call),
        }
        this.#calls.set(this.time.add(step), call)
      })
    return toDb(ask)
  }

  async #runCall(step: Step, call: Call): Promise<void> {
    const { faults } = this.random
    const { lostAnswerRate, raceRate } = this.options
    const isRace = !this.isCalm && isFunction(call.statement) && (call.hasWaited || faults.chance(raceRate))
    if (isRace && !call.hasWaited) {
      call.hasWaited = true
      step.atMs = this.time.nowMs + RACE_WAIT_MS
      this.time.add(step)
      return
    }
    this.#calls.delete(step)
    const death = this.dieAt(call.life, 'a statement')
    if (death === 'before') return
    const isLost = !this.isCalm && faults.chance(lostAnswerRate)
    if (isLost && faults.chance(0.5)) {
      this.count('statement not sent')
      return this.#answer(call, { error: markNotSent(brokenConnection()) })
    }
    const rivals = isRace ? this.#takeRivals() : []
    const executed = await this.#execute([call, ...rivals])
    if (death === 'after') {
      this.crash(call.life, 'after a statement')
      return
    }
    if (isLost) {
      this.count('answer of the database lost')
      return this.#answer(call, { error: brokenConnection() })
    }
    return this.#answerLater(call, executed)
  }

  async #execute([call, ...rivals]: [Call, ...Call[]]): Promise<Executed> {
    if (rivals.length === 0) return this.database.execute(call.statement)
    this.count('statements raced')
    const [executed, ...others] = await this.database.race([call, ...rivals].map(({ statement }) => statement))
    for (const [index, rival] of rivals.entries()) {
      const other = others[index]
      if (other !== undefined) await this.#answer(rival, other)
    }
    if (executed === undefined) throw new Error('no result')
    return executed
  }

  /** Takes other waiting statements out of the queue, to race with this one. */
  #takeRivals(): Call[] {
    const rivals: Call[] = []
    for (const [step, call] of this.#calls) {
      if (rivals.length + 1 >= this.database.raceSize) break
      if (!isFunction(call.statement) || call.life.suspendedUntilMs > this.time.nowMs) continue
      this.scheduler.note(`${call.life.name} races ${step.label}`)
      this.time.remove(step)
      this.#calls.delete(step)
      rivals.push(call)
    }
    return rivals
  }

  async #answerLater(call: Call, executed: Executed): Promise<void> {
    const { faults } = this.random
    if (this.isCalm || !faults.chance(this.options.slowAnswerRate)) return this.#answer(call, executed)
    const atMs = this.time.nowMs + faults.between(1, 1_500)
    const run = () => this.#answer(call, executed)
    this.time.add({ label: `answer to ${labelOf(call.statement)}`, life: call.life, atMs, run })
  }

  async #answer({ life, resolve, reject }: Call, executed: Executed): Promise<void> {
    if (!life.isAlive) return
    await this.time.enter(life, () => ('error' in executed ? reject(executed.error) : resolve(executed.result)))
  }
}

/** Part of the message of each error that the simulation causes. */
export const SIMULATED = 'simulated fault'

function brokenConnection(): Error {
  return Object.assign(new Error(`${SIMULATED}: Connection terminated unexpectedly`), { code: '08006' })
}

function isFunction({ text }: Statement): boolean {
  return findFunction(text) !== undefined
}

function labelOf({ text }: Statement): string {
  return findFunction(text) ?? text.trim().slice(0, 48).replaceAll(/\s+/g, ' ')
}
