// Notices that an issuer has stopped answering, and says when one call may try it again. Pure: it is told the time.
// It never decides what became of a request; evidence.ts does.

/** Calls without an answer, in a row, after which the issuer is taken to be out of service. */
export const FAILURES_MAX = 5
/** The pause before each trial. Short at first, because most outages are; then long enough to spare a struggling issuer. */
export const PAUSES_MS: readonly number[] = [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]

/** `trial`: the pause is over, and one call may go out. */
export type CircuitState = 'closed' | 'open' | 'trial'

export interface Circuit {
  state(nowMs: number): CircuitState
  /** When the next trial may begin; undefined while the circuit is closed. */
  trialAtMs(): number | undefined
  /** The issuer answered, whatever it said. */
  recordAnswer(): void
  /** A call ended without an answer. Only a trial counts while the circuit is open: the others were begun before. */
  recordFailure(nowMs: number, isTrial: boolean): void
}

/** With fewer places than FAILURES_MAX the circuit opens when all of them failed. */
export function createCircuit(callsMax: number): Circuit {
  const failuresMax = Math.min(FAILURES_MAX, callsMax)
  let failures = 0
  let trials = 0
  let trialAtMs: number | undefined
  const open = (nowMs: number) => {
    trialAtMs = nowMs + (PAUSES_MS[Math.min(trials, PAUSES_MS.length - 1)] ?? 0)
    trials += 1
  }
  return {
    state(nowMs) {
      if (trialAtMs === undefined) return 'closed'
      return nowMs >= trialAtMs ? 'trial' : 'open'
    },
    trialAtMs: () => trialAtMs,
    recordAnswer() {
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
