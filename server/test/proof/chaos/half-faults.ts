// Faults of one path to the issuer: one kind of call fails while the others are answered. After each, the outcomes that it left
// unknown are counted: they must not exceed what the limit of calls allows, whatever else was answered.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { PAUSES_MS } from '../../../src/issuer/circuit.ts'
import type { Mode } from '../../../src/adapter/reference/behaviour.ts'
import type { Fault } from './faults.ts'
import { CALLS_MAX, type Ground, ISSUER_TIMEOUT_MS } from './ground.ts'

/** Long enough for calls to time out, for look-ups of them, and for a trial. */
const HOLD_MS = 4 * ISSUER_TIMEOUT_MS
/** The servers that send operations to the issuer. Each has its own limit. */
const WORKERS = 2
/** One per trial that fits into the fault, and one that was due when it began. */
const TRIALS_MAX = PAUSES_MS.filter((_, index) => sumOf(PAUSES_MS.slice(0, index + 1)) <= HOLD_MS).length + 1
const UNKNOWN_MAX = WORKERS * (CALLS_MAX + TRIALS_MAX)

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

type Subject = 'issue' | 'service' | 'look_up'

function behaviourFault(name: string, subjects: readonly Subject[], mode: Mode, isCheap = false): Fault {
  return {
    kind: `issuer: ${name}`,
    isCheap,
    async run(ground) {
      await limitUnknown(ground, name, async () => {
        for (const kind of subjects) await ground.control('behaviour', { kind, mode })
        await delay(HOLD_MS)
        for (const kind of subjects) await ground.control('behaviour', { kind, mode: 'normal' })
      })
    },
  }
}

const oneProcess: Fault = {
  kind: 'issuer: lost for one of two workers',
  isCheap: false,
  async run(ground) {
    await limitUnknown(ground, 'lost for one of two workers', async () => {
      const { issuer } = ground.server('worker')
      await issuer.setMode('swallow-answers')
      await delay(HOLD_MS)
      await issuer.setMode('pass')
    })
  },
}

/** Runs the fault and reports if it left too many outcomes of requests unknown. */
async function limitUnknown(ground: Ground, name: string, run: () => Promise<void>): Promise<void> {
  const since = new Date()
  await run()
  const row = await ground.db.find<{ count: bigint }>(sql`
    select count(*) as count from exchange
    where environment = 'live' and purpose = 'request' and outcome = 'unknown' and started_at >= ${since}`)
  const unknown = Number(row?.count ?? 0n)
  if (unknown > UNKNOWN_MAX)
    ground.violations.push(`"${name}" left ${unknown} outcomes unknown; ${UNKNOWN_MAX} are allowed`)
}

export const HALF_FAULTS: readonly Fault[] = [
  behaviourFault('requests hang, look-ups answer', ['issue', 'service'], 'hang', true),
  behaviourFault('requests are carried out and not answered, look-ups answer', ['issue', 'service'], 'act_then_hang'),
  behaviourFault('requests fail, look-ups answer', ['issue', 'service'], 'fail'),
  behaviourFault('requests are answered with garbage, look-ups answer', ['issue', 'service'], 'act_then_garbage'),
  behaviourFault('look-ups hang, requests answer', ['look_up'], 'hang'),
  behaviourFault('look-ups fail, requests answer', ['look_up'], 'fail'),
  behaviourFault('only issues hang', ['issue'], 'hang'),
  behaviourFault('only services fail', ['service'], 'fail'),
  oneProcess,
]
