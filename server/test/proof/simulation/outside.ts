// How the issuer and the receivers of webhooks behave in the simulation. Everything is drawn from the seed.
import type { IssuerBehaviour } from '../world/issuer.ts'
import type { Reception } from '../world/receivers.ts'
import { reportOutcome, reportPayments } from './issuer-reports.ts'
import type { World } from './world.ts'

const REFUSAL_RATE = 0.12
/** Longer than a delivery may take. */
const SLOW_MS_MAX = 20_000

export function scriptIssuer(world: World): IssuerBehaviour {
  const { random, options, plant } = world
  return {
    refuses: () => random.issuer.chance(REFUSAL_RATE),
    lookUpLagMs: options.lookUpLagMs,
    onRecord: (record) =>
      record.body.kind === 'invoice' ? reportPayments(world, record) : reportOutcome(world, record),
    count: (what) => world.count(what),
    hasBrokenFence: plant?.parts?.brokenFence === true,
    trustsEveryAnswer: plant?.parts?.trustsEveryAnswer === true,
  }
}

/** Receivers answer, fail, hang, ask for patience or are gone. */
export function chooseReception(world: World): Reception {
  const { receivers: random } = world.random
  const isTroubled = !world.isCalm && random.chance(world.options.receiverTroubleRate)
  const behaviour = isTroubled ? random.weighted({ 500: 4, 503: 1, hang: 2, slow: 2, 410: 0.1 }) : '200'
  if (behaviour !== '200') world.count(`receiver: ${behaviour}`)
  if (behaviour === 'hang') return { kind: 'hangs', isKept: true }
  if (behaviour === 'slow') return { kind: 'answers', status: 200, afterMs: random.between(1, SLOW_MS_MAX) }
  return { kind: 'answers', status: Number(behaviour), afterMs: random.between(1, 200) }
}
