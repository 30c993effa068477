// Planted bugs in how calls of the issuer are counted: its silence is noticed too late, or forgotten too early.
import type { CallKind, Lines } from '../../../../src/issuer/lines.ts'
import type { Options } from '../options.ts'
import type { Plant } from './plant.ts'

/** Counts each kind of call as if it were another one. */
function countAs(actual: (kind: CallKind) => CallKind): (lines: Lines) => Lines {
  return (lines) => ({
    stateOf: (kind) => lines.stateOf(actual(kind)),
    isStopped: (kind) => lines.isStopped(actual(kind)),
    trialAtMs: (kind) => lines.trialAtMs(actual(kind)),
    takeUrgently: (count, kind) => lines.takeUrgently(count, actual(kind)),
    take(wanted, kinds) {
      const hold = lines.take(wanted, [...new Set(kinds.map(actual))])
      return {
        ...hold,
        limits: new Map(kinds.map((kind) => [kind, hold.count])),
        keep: (kept) => hold.keep(kept.map(actual)),
        end: (kind, isAnswer) => hold.end(actual(kind), isAnswer),
      }
    },
  })
}

/** One process with many requests, few of which may be unknown. */
const BUSY: Partial<Options> = {
  nodes: 1,
  callsMax: 2,
  actions: 90,
  liveShare: 1,
  crashRate: 0,
  suspensionRate: 0,
  issuerTroubleRate: 0,
  issuerTimeoutMs: 3_000,
  lookUpLagMs: 0,
  funds: 1_000_000n,
}

export const CIRCUIT_PLANTS: readonly Plant[] = [
  {
    name: 'an answered look-up lets requests out',
    parts: { lines: countAs(() => 'look_up') },
    options: { ...BUSY, halfFault: { path: 'requests', manner: 'silence' } },
  },
  {
    name: 'an answered look-up lets requests out that are answered with errors',
    parts: { lines: countAs(() => 'look_up') },
    options: { ...BUSY, halfFault: { path: 'requests', manner: 'errors' } },
  },
  {
    name: 'an answered request lets requests of another kind out',
    parts: { lines: countAs((kind) => (kind === 'look_up' ? kind : 'issue')) },
    options: { ...BUSY, halfFault: { path: 'service', manner: 'silence' } },
  },
]
