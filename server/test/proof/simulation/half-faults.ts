// Faults of one path to the issuer, and the limit of unknown outcomes. Whatever the other paths answer, a process leaves at most as
// many outcomes unknown as it may have calls in flight, and one more for each trial.
import { PAUSES_MS } from '../../../src/issuer/circuit.ts'
import type { RequestAnswer, RequestBody } from '../../../src/issuer/http/protocol.ts'
import type { Outgoing, Transmitted } from '../../../src/issuer/http/transmit.ts'
import type { HalfFault } from './options.ts'
import type { Life } from '../world/time.ts'
import type { World } from './world.ts'

/** Returns the fault if it concerns this call. */
export function findHalfFault(
  { isCalm, options, nodes }: World,
  life: Life,
  outgoing: Outgoing,
): HalfFault | undefined {
  const fault = options.halfFault
  if (isCalm || fault === undefined) return undefined
  const kind = kindOf(outgoing)
  switch (fault.path) {
    case 'requests':
    case 'answers':
      return kind === undefined ? undefined : fault
    case 'look-ups':
      return kind === undefined ? fault : undefined
    case 'issue':
    case 'service':
      return kind === fault.path ? fault : undefined
    case 'one node':
      return nodes[0] === life ? fault : undefined
  }
}

/** Returns undefined for a look-up. */
function kindOf({ method, body }: Outgoing): RequestBody['kind'] | undefined {
  return method === 'PUT' ? (JSON.parse(body ?? '{}') as RequestBody).kind : undefined
}

/** The requests of one process, of all kinds or of one kind, since the last one that was answered. */
interface Streak {
  unanswered: number
  /** When the first of them was sent. */
  sinceMs: number
}

/** Counts, from outside, the requests of each process that have no valid answer. */
export class UnknownCount {
  readonly violations: string[] = []
  readonly #world: World
  readonly #streaks = new Map<Life, Map<string, Streak>>()

  constructor(world: World) {
    this.#world = world
  }

  /** Counts a call. Call the returned function with its result. */
  begin(life: Life, outgoing: Outgoing): (transmitted: Transmitted) => void {
    const kind = kindOf(outgoing)
    if (kind === undefined) return () => {}
    const names = ['request', kind]
    for (const name of names) this.#add(life, name)
    return (transmitted) => {
      if (isNotSent(transmitted)) for (const name of names) this.#streakOf(life, name).unanswered -= 1
      else if (isValid(transmitted, outgoing)) for (const name of names) this.#streaks.get(life)?.delete(name)
    }
  }

  #streakOf(life: Life, name: string): Streak {
    const streaks = this.#streaks.get(life) ?? new Map<string, Streak>()
    const streak = streaks.get(name) ?? { unanswered: 0, sinceMs: this.#world.time.nowMs }
    this.#streaks.set(life, streaks.set(name, streak))
    return streak
  }

  #add(life: Life, name: string): void {
    const { time, options } = this.#world
    const streak = this.#streakOf(life, name)
    streak.unanswered += 1
    const max = options.callsMax + trialsWithin(time.nowMs - streak.sinceMs)
    if (streak.unanswered > max)
      this.violations.push(`${life.name} left ${streak.unanswered} outcomes of a ${name} unknown; ${max} are allowed`)
  }
}

/** Returns how many trials there may be in this time. The pauses between them grow up to the longest. */
function trialsWithin(ms: number): number {
  let left = ms
  let trials = 0
  for (; left >= pauseOf(trials); trials += 1) left -= pauseOf(trials)
  return trials
}
const pauseOf = (trial: number) => PAUSES_MS[Math.min(trial, PAUSES_MS.length - 1)] ?? 0

function isNotSent({ kind }: Transmitted): boolean {
  return kind === 'not_sent'
}

/** Whether the answer tells what became of the request. A forged answer does not; it is recognised by its code, not by its signature. */
function isValid(transmitted: Transmitted, { path, body }: Outgoing): boolean {
  if (transmitted.kind !== 'answered' || transmitted.status !== 200) return false
  try {
    const answer = JSON.parse(transmitted.body) as RequestAnswer & { amount?: string; code?: string }
    const asked = JSON.parse(body ?? '{}') as { amount?: string }
    if (answer.token !== path.split('/')[3] || answer.code === 'forged') return false
    return answer.outcome === 'refused' || asked.amount === undefined || answer.amount === asked.amount
  } catch {
    return false
  }
}
