// What the processes of a group say to each other: the supervisor and its children.
import type { Connection } from '../../../db/pool.ts'
import type { RatePolicy, Taken } from '../../../http/limits/buckets.ts'

export type ChildRole = 'api' | 'worker'

/** What a child needs to know to serve. */
export interface Task {
  readonly role: ChildRole
  /** The private database of the supervisor. Undefined: the one in DATABASE_URL. */
  readonly connection: Connection | undefined
  /** The first child of all makes the credentials and prints the address. */
  readonly isFirst: boolean
  readonly ports: Ports
  /** Whether several processes answer requests. They count them together. */
  readonly sharesLimits: boolean
}

/** The ports of the group. They are never 0: a process that is started later must listen on the same ones. */
export interface Ports {
  readonly port: number
  readonly adminPort: number | undefined
}

export interface TakeRequest {
  readonly policy: RatePolicy
  readonly key: string
  readonly isReturn: boolean
}

export type ToChild =
  | { readonly type: 'task'; readonly task: Task }
  | { readonly type: 'stop' }
  /** There is an operation to carry out. */
  | { readonly type: 'wake' }
  /** Asks for the child's own metrics. */
  | { readonly type: 'collect'; readonly id: number }
  | { readonly type: 'answer'; readonly id: number; readonly value: string | readonly Taken[] }

export type ToSupervisor =
  /** Asks for a task. What is sent earlier may be lost, because nobody listens yet. */
  | { readonly type: 'idle' }
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly name: string; readonly message: string }
  | { readonly type: 'collected'; readonly id: number; readonly metrics: readonly object[] }
  | { readonly type: 'accepted' }
  /** Asks for the metrics of the whole group, as text. */
  | { readonly type: 'metrics'; readonly id: number }
  /** Asks the buckets of the rate limits. */
  | { readonly type: 'take'; readonly id: number; readonly requests: readonly TakeRequest[] }
