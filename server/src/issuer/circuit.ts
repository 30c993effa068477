// Notices that an issuer has stopped answering one kind of call, and says how many may be made. Pure: it is told the time.
// It never decides what became of a request; evidence.ts does.

/** Calls without an answer, in a row, after which they are stopped. */
export const FAILURES_MAX = 5
/** The pause before each trial. Short at first, because most outages are; then long enough to spare a struggling issuer. */
export const PAUSES_MS: readonly number[] = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]

/** `trial`: the pause is over, and one call may go out. */
export type CircuitState = 'closed' | 'open' | 'trial'

export interface Circuit {
  state(nowMs: number): CircuitState
  /** When the next trial may begin; undefined while the circuit is closed. */
  trialAtMs(): number | undefined
  /** While the circuit is closed: how many calls may be under way. Those that failed since the last answer count as under way. */
  room(): number
  /** A call was answered in a way that shows that such calls work. */
  recordAnswer(): void
  /** A call ended without such an answer. Only a trial counts while the circuit is open: the others were begun before. */
  recordFailure(nowMs: number, isTrial: boolean): void
}

/**
 * With fewer permits than FAILURES_MAX the circuit opens when all of them failed. `callsAtFirst` is how many calls may be made before
 * one is answered; each answer allows one more. After an outage it is FAILURES_MAX, so that an issuer that answers a single call
 * and then none does not leave `callsMax` outcomes unknown with every trial.
 */
export function createCircuit(callsMax: number, callsAtFirst = callsMax): Circuit {
  const failuresMax = Math.min(FAILURES_MAX, callsMax)
  let allowed = Math.min(callsAtFirst, callsMax)
  let failures = 0
  let trials = 0
  let trialAtMs: number | undefined
  const open = (nowMs: number) => {
    trialAtMs = nowMs + (PAUSES_MS[Math.min(trials, PAUSES_MS.length - 1)] ?? 0)
    trials += 1
    allowed = failuresMax
  }
  return {
    state(nowMs) {
      if (trialAtMs === undefined) return 'closed'
      return nowMs >= trialAtMs ? 'trial' : 'open'
    },
    trialAtMs: () => trialAtMs,
    room: () => allowed - failures,
    recordAnswer() {
      allowed = Math.min(callsMax, allowed + 1)
      failures = 0
      trials = 0
      trialAtMs = undefined
    },
    recordFailure(nowMs, isTrial) {
      if (trialAtMs !== undefined) {
        if (isTrial) open(nowMs)
        return
      }
      failures += 1
      if (failures >= failuresMax) open(nowMs)
    },
  }
}
