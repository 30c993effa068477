// The time zone in which a person sees times, kept with the person so that it holds in every browser. Times of the API stay in UTC.
import { type Static, Type } from 'typebox'
import { auditRecord } from '../access/audit.ts'
import { rightLost } from '../access/right.ts'
import type { Db } from '../db/pool.ts'
import { ApiError } from '../errors.ts'
import { ok, personRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { field, nullable, object } from '../lib/wire.ts'
import { setTimeZone } from './queries.ts'

/** Longer than any name of the time zone database. */
const LENGTH_MAX = 64
const HINT = 'a time zone such as Europe/Dublin'

const DisplayTimeZone = object(
  { timeZone: nullable(field(Type.String(), 'The time zone, such as `Europe/Dublin`. Null for UTC.')) },
  'DisplayTimeZone',
  'In which time zone the console shows times.',
)

const DisplayTimeZoneChange = object(
  {
    timeZone: nullable(
      field(
        Type.String({ minLength: 1, maxLength: LENGTH_MAX, pattern: '^[A-Za-z0-9_+/-]+$', hint: HINT }),
        'A name of the time zone database, such as `Europe/Dublin`. Null for UTC.',
      ),
    ),
  },
  'DisplayTimeZoneChange',
  'In which time zone the console is to show times.',
)

export function timeZoneRoutes({ db, clock }: { db: Db; clock: Clock }): Route[] {
  return [
    personRoute(
      {},
      {
        method: 'PUT',
        path: '/console/v1/time-zone',
        tag: 'account',
        id: 'setTimeZone',
        summary: 'Choose the time zone of the console',
        description:
          'Sets the time zone in which the console shows times to the person, in every browser. Statements and filters stay in UTC.',
        body: DisplayTimeZoneChange,
        responses: { 200: DisplayTimeZone },
        handle: async ({ session, actor, body }) => {
          const { timeZone } = requireZone(body)
          const what = { action: 'time_zone.changed', object: formatId('per', session.personId), details: { timeZone } }
          const { right = null } = actor
          const set = await setTimeZone(db, session.personId, timeZone, right, auditRecord(clock, actor, what))
          if (set === undefined) throw rightLost(right)
          return ok({ timeZone })
        },
      },
    ),
  ]
}

function requireZone(body: Static<typeof DisplayTimeZoneChange>): Static<typeof DisplayTimeZoneChange> {
  if (body.timeZone === null || isZone(body.timeZone)) return body
  throw new ApiError('validation_failed', `body.timeZone must be ${HINT}.`, { param: 'timeZone' })
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
