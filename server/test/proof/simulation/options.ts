// What varies from seed to seed. Everything is drawn from the seed alone.
import { createRandom, type Random } from '../world/random.ts'

/** A fault of one path to the issuer, for as long as there are faults. */
export interface HalfFault {
  /** `answers`: requests are carried out, their answers are lost, and only events report them. `one node`: every call of the first node. */
  readonly path: 'requests' | 'look-ups' | 'issue' | 'service' | 'answers' | 'one node'
  readonly manner: 'silence' | 'errors'
}

export interface Options {
  readonly seed: number
  readonly nodes: number
  readonly companies: number
  readonly actions: number
  /** The share of actions that concern live, not sandbox. */
  readonly liveShare: number
  /** Chances per call of a port. */
  readonly crashRate: number
  readonly lostAnswerRate: number
  readonly slowAnswerRate: number
  /** The chance that a statement that moves money races with another one inside the database. */
  readonly raceRate: number
  readonly suspensionRate: number
  readonly hasFence: boolean
  /** The chance that something is wrong with the way to the issuer, and again with its answer. */
  readonly issuerTroubleRate: number
  readonly lookUpLagMs: number
  readonly reportRate: number
  readonly receiverTroubleRate: number
  readonly endpoints: number
  readonly issuerTimeoutMs: number
  readonly callsMax: number
  readonly grouping: 'all' | 'company'
  readonly quota: number
  /** The balance of each account at the beginning, in cents. */
  readonly funds: bigint
  /** The chance that an operator decides a review when there is one. */
  readonly operatorRate: number
  readonly halfFault: HalfFault | undefined
}

export function optionsOf(seed: number): Options {
  const random = createRandom(seed, 'options')
  const isStormy = random.chance(0.5)
  return {
    seed,
    nodes: random.between(2, 4),
    companies: random.between(1, 3),
    actions: random.between(30, 65),
    liveShare: random.pick([0.5, 0.8, 1]),
    crashRate: isStormy ? random.pick([0.01, 0.02]) : 0.002,
    lostAnswerRate: isStormy ? random.pick([0.01, 0.03]) : 0.003,
    slowAnswerRate: random.pick([0, 0.05, 0.2]),
    raceRate: random.pick([0, 0.1, 0.3]),
    suspensionRate: random.pick([0, 0, 0.003]),
    hasFence: random.chance(0.5),
    issuerTroubleRate: random.pick([0.05, 0.3, 0.6]),
    lookUpLagMs: random.pick([0, 0, 20_000, 3_600_000]),
    reportRate: random.pick([0, 0.3, 0.8]),
    receiverTroubleRate: random.pick([0, 0.2, 0.5]),
    endpoints: random.between(0, 2),
    issuerTimeoutMs: random.pick([3_000, 10_000, 30_000]),
    callsMax: random.pick([2, 5, 50]),
    grouping: random.pick(['all', 'company']),
    quota: random.between(3, 9),
    funds: BigInt(random.pick([40_000, 200_000, 1_000_000])),
    operatorRate: random.pick([0, 0.3]),
    halfFault: random.chance(0.5) ? drawHalfFault(random) : undefined,
  }
}

function drawHalfFault(random: Random): HalfFault {
  const path = random.pick(['requests', 'look-ups', 'issue', 'service', 'answers', 'one node'] as const)
  return { path, manner: random.pick(['silence', 'errors'] as const) }
}
