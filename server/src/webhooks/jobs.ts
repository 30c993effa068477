// Background jobs of webhooks besides delivering: recoveries, old events, expiring keys, and secrets encrypted with an older key.
import type { Db } from '../db/pool.ts'
import { type EventRetention, oldestKept } from '../events/catalogue.ts'
import { emitExpiringKey, type EventOwner, listEventOwnersAfter, pruneEvents } from '../events/queries.ts'
import type { Clock } from '../lib/clock.ts'
import { ZERO_ID } from '../lib/ids.ts'
import { restAfter } from '../lib/rest.ts'
import type { Job } from '../worker/loop.ts'
import { listSecretsOfOtherKeys, recoverDeliveries, replaceSecret } from './queries.ts'
import type { SecretBox } from './secrets.ts'

const DAY_MS = 86_400_000
/** Long enough to roll out a new key without haste. */
const EXPIRY_NOTICE_MS = 7 * DAY_MS
/** Few enough that a run ends soon and others find the database free. */
const OWNERS_PER_RUN = 200
const SECRETS_PER_RUN = 100
/** Each removes about a thousand events, in a tenth of a second. Whoever stops the server waits for the run under way. */
const PRUNES_PER_RUN = 10
/** Somebody has just asked for the recovery. */
const RECOVER_INTERVAL_MS = 500
/** These jobs are not urgent. */
const SLOW_INTERVAL_MS = 60_000
/** Looking for a key costs one index look-up. */
const EXPIRY_INTERVAL_MS = 1000
const FIRST_OWNER: EventOwner = { company_id: ZERO_ID, environment: 'sandbox' }

interface Deps {
  db: Db
  clock: Clock
  secretBox: SecretBox
  retention: EventRetention
  /** Rests after a part of the work, as `restAfter` does. A simulation has no time of its own for it. */
  rest?: typeof restAfter
}

export function webhookJobs({ db, clock, secretBox, retention, rest = restAfter }: Deps): Job[] {
  const later = (ms: number) => new Date(clock.now().getTime() + ms)
  return [
    recoverJob({ db, clock, rest }),
    {
      name: 'expiring-keys',
      intervalMs: EXPIRY_INTERVAL_MS,
      run: async () => (await emitExpiringKey(db, clock.now(), later(EXPIRY_NOTICE_MS)))?.emitted === true,
    },
    pruneJob(db, () => oldestKept(clock.now(), retention)),
    { name: 'webhook-secrets', intervalMs: SLOW_INTERVAL_MS, run: () => reencryptSome(db, secretBox) },
  ]
}

/**
 * Continues recoveries. The endpoints take turns, so that one that is recovered again and again keeps no other waiting, and the job rests
 * after each turn, so that others find the database free.
 */
function recoverJob({ db, clock, rest }: Required<Pick<Deps, 'db' | 'clock' | 'rest'>>): Job {
  let before = ZERO_ID
  return {
    name: 'recoveries',
    intervalMs: RECOVER_INTERVAL_MS,
    async run() {
      const startedMs = performance.now()
      const endpointId = (await recoverDeliveries(db, clock.now(), before))?.endpoint_id ?? undefined
      if (endpointId === undefined) return false
      before = endpointId
      await rest(startedMs)
      return true
    },
  }
}

/** Removes old events company by company, a bounded number at a time, so that no statement runs for long. */
export function pruneJob(db: Db, before: () => Date): Job {
  let after = FIRST_OWNER
  return {
    name: 'old-events',
    intervalMs: SLOW_INTERVAL_MS,
    async run() {
      const oldest = before()
      const owners = await listEventOwnersAfter(db, after, oldest, OWNERS_PER_RUN)
      let prunes = 0
      for (const owner of owners) {
        const former = after
        // If this one fails, the next run goes on with those after it.
        after = owner
        while (owner.has_old && (await pruneEvents(db, owner, oldest))?.more === true) {
          prunes += 1
          if (prunes < PRUNES_PER_RUN) continue
          after = former
          return true
        }
      }
      const last = owners.length === OWNERS_PER_RUN ? owners.at(-1) : undefined
      after = last ?? FIRST_OWNER
      return last !== undefined
    },
  }
}

/** After a change of the key: encrypts secrets of the previous key again with the new one. Returns whether there are more. */
export async function reencryptSome(db: Db, secretBox: SecretBox): Promise<boolean> {
  const rows = await listSecretsOfOtherKeys(db, secretBox.keyId(), SECRETS_PER_RUN)
  for (const row of rows) {
    const scope = { companyId: row.company_id, environment: row.environment }
    const place = { scope, endpointId: row.endpoint_id, id: row.id }
    const secret = secretBox.decrypt(place, { ciphertext: row.ciphertext, keyId: row.key_id })
    await replaceSecret(db, scope, row, secretBox.encrypt(place, secret))
  }
  return rows.length === SECRETS_PER_RUN
}
