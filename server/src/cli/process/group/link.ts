// A child's line to its supervisor: the metrics of the whole group, and the buckets that its processes share.
import { withDeadline } from '../../../lib/deadline.ts'
import type { BucketStore, Taken } from '../../../http/limits/buckets.ts'
import type { TakeRequest, ToChild, ToSupervisor } from './messages.ts'

export interface SupervisorLink {
  readonly bucketStore: BucketStore
  readMetrics(): Promise<string>
  /** Says that there is an operation to carry out, so that the worker need not find it by polling. */
  notifyAccepted(): void
  /** Takes what the supervisor answers. */
  receive(message: Extract<ToChild, { type: 'answer' }>): void
}

/** The supervisor has little else to do, so an answer takes a fraction of a millisecond, and without it this process ends. */
const BUCKET_DEADLINE_MS = 1_000
/** A worker that is woken claims everything that waits, so batches in quick succession need one message. */
const ACCEPTED_PAUSE_MS = 5
/** Each child answers the supervisor within a second. */
const METRICS_DEADLINE_MS = 3_000

export function send(message: ToSupervisor, onSent: () => void = () => undefined): void {
  // The line may close at any moment. Then this process ends, too.
  process.send?.(message, undefined, undefined, onSent)
}

export function createSupervisorLink(): SupervisorLink {
  const waiting = new Map<number, (value: string | readonly Taken[]) => void>()
  let lastId = 0
  let isTelling = false
  let queue: { request: TakeRequest; resolve: (taken: Taken | undefined) => void }[] = []

  const ask = <Value>(toMessage: (id: number) => ToSupervisor) => {
    lastId += 1
    const id = lastId
    const answer = new Promise<Value>((resolve) => waiting.set(id, resolve as (value: unknown) => void))
    send(toMessage(id))
    return { answer, forget: () => waiting.delete(id) }
  }
  // Requests of one turn of the event loop travel together: a message costs more than what it carries.
  const flush = () => {
    const asked = queue
    queue = []
    const { answer } = ask<readonly Taken[]>((id) => ({
      type: 'take',
      id,
      requests: asked.map((item) => item.request),
    }))
    void answer.then((taken) => asked.forEach((item, index) => item.resolve(taken[index])))
  }
  const enqueue = (request: TakeRequest) =>
    new Promise<Taken | undefined>((resolve) => {
      if (queue.length === 0) setImmediate(flush)
      queue.push({ request, resolve })
    })
  return {
    bucketStore: {
      take: (policy, key) =>
        withDeadline(enqueue({ policy, key, isReturn: false }), BUCKET_DEADLINE_MS).catch(() => undefined),
      giveBack: (policy, key) => void enqueue({ policy, key, isReturn: true }),
    },
    async readMetrics() {
      const { answer, forget } = ask<string>((id) => ({ type: 'metrics', id }))
      return withDeadline(answer, METRICS_DEADLINE_MS).finally(forget)
    },
    notifyAccepted() {
      if (isTelling) return
      isTelling = true
      setTimeout(() => {
        isTelling = false
        send({ type: 'accepted' })
      }, ACCEPTED_PAUSE_MS).unref()
    },
    receive({ id, value }) {
      waiting.get(id)?.(value)
      waiting.delete(id)
    },
  }
}
