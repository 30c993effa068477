// A scenario of the crash tests: the client's request, how to tell that all its consequences are over, and what must be true then.
import type { Subject } from './subject.ts'
import type { ClientAnswer, ClientRequest, World } from './world.ts'

/** One request of the client, in the form that the judge reads. */
export interface Asked {
  readonly outcome: string
  readonly answer: ClientAnswer | undefined
  readonly sentAtMs: number
  readonly answeredAtMs: number
}

export interface Scenario {
  readonly name: string
  /** What the other party does, or another variation. Each is combined with every crash point. */
  readonly outcomes: readonly string[]
  /** The paths that it needs besides the issuer's events. Preparing all routes would be most of the work. */
  readonly serves: readonly string[]
  /** The object that the request creates, for the judge. */
  readonly object?: 'operation' | 'invoice'
  /** Makes what the scenario begins with. Nothing crashes meanwhile. */
  prepare(world: World, outcome: string): Promise<Subject>
  /** Says how the other party will behave. */
  arrange(world: World, outcome: string): void
  request(subject: Subject, outcome: string): ClientRequest
  /** Reports whether everything has ended. It may do what a third party does next, such as paying. */
  isSettled(world: World, subject: Subject): Promise<boolean>
  /** Returns what is wrong. `asked` has every request of the client, the last being a repetition after the end. */
  check(world: World, subject: Subject, asked: readonly Asked[], outcome: string): Promise<string[]>
}
