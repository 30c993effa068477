// Keeps requests with a known idempotency key out of the batches. accept_operations decides a batch twice when one of its
// keys exists, so a client that repeats its keys would slow down everyone. A company that has just repeated a key is
// therefore looked up first: its requests go into a batch only when their key is new. This module never decides whether a
// key is new: it only chooses the path, and a wrong guess costs a look-up or a second pass.
import type { Clock } from '../lib/clock.ts'
import type { Candidate } from './items.ts'
import type { Verdict } from './verdict.ts'

/** Long enough that a client that goes on repeating is noticed once; a company that stops pays for ten seconds. */
const LOOK_UP_FIRST_MS = 10_000
/** Companies that are remembered. Beyond it the oldest is forgotten, which costs one more double decision. */
const COMPANIES_MAX = 10_000
/** How often a request waits for another with the same key before it goes into a batch anyway. */
const WAITS_MAX = 10

interface Ways {
  clock: Clock
  /** Returns the verdict when the key exists. */
  lookUp(candidate: Candidate): Promise<Verdict | undefined>
  decide(candidate: Candidate): Promise<Verdict>
}

export interface RepeatGuard {
  accept(candidate: Candidate): Promise<Verdict>
  /** Notes that the company has just repeated a key. */
  note(companyId: string): void
  /** Resolves when every request that is being looked up has been answered. */
  idle(): Promise<void>
}

export function createRepeatGuard({ clock, lookUp, decide }: Ways): RepeatGuard {
  /** Until when the company's requests are looked up first. */
  const until = new Map<string, number>()
  /** Requests of such companies that are being decided, by their key. */
  const deciding = new Map<string, Promise<unknown>>()
  const active = new Set<Promise<unknown>>()

  const note = (companyId: string) => {
    until.delete(companyId)
    until.set(companyId, clock.now().getTime() + LOOK_UP_FIRST_MS)
    const oldest = until.size > COMPANIES_MAX ? until.keys().next().value : undefined
    if (oldest !== undefined) until.delete(oldest)
  }
  const isRepeating = (companyId: string) => {
    const end = until.get(companyId)
    if (end === undefined) return false
    if (clock.now().getTime() < end) return true
    until.delete(companyId)
    return false
  }
  const acceptRepeater = async (candidate: Candidate): Promise<Verdict> => {
    const { scope, idempotencyKey } = candidate
    const key = `${scope.companyId} ${scope.environment} ${idempotencyKey}`
    // Two requests with the same new key must not meet in a batch either: the second waits for the first.
    for (let waits = 0; waits < WAITS_MAX; waits += 1) {
      const repeat = await lookUp(candidate)
      if (repeat !== undefined) {
        note(scope.companyId)
        return repeat
      }
      const other = deciding.get(key)
      if (other === undefined) break
      await other
    }
    const verdict = decide(candidate)
    const ended = verdict.catch(() => undefined).finally(() => deciding.delete(key))
    deciding.set(key, ended)
    return verdict
  }
  return {
    note,
    accept: (candidate) => {
      if (until.size === 0 || !isRepeating(candidate.scope.companyId)) return decide(candidate)
      const verdict = acceptRepeater(candidate)
      const ended = verdict.catch(() => undefined).finally(() => active.delete(ended))
      active.add(ended)
      return verdict
    },
    idle: async () => {
      while (active.size > 0) await Promise.all(active)
    },
  }
}
