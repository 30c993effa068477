// What the operator of an issuer does about its events, on its control port: whoever has mended why the server refused some has them sent again.
// Everyone who knows the secret of the issuer may use it.
import { Type } from 'typebox'
import type { Db } from '../../db/pool.ts'
import { ok, publicRoute, type Route } from '../../http/route.ts'
import { requireControlSecret } from '../../issuer/http/control-secret.ts'
import type { Clock } from '../../lib/clock.ts'
import { object } from '../../lib/wire.ts'
import { resendRefused } from './queries.ts'

export function resendRoute({ db, clock, secret }: { db: Db; clock: Clock; secret: string }): Route {
  return publicRoute({
    method: 'POST',
    path: '/control/events/resend',
    tag: 'control',
    id: 'resendEvents',
    summary: 'Send refused events again',
    description:
      'Sends all events again that the server refused. Those that it took before change nothing there. Returns how many there are.',
    body: object({}),
    responses: { 200: Type.Unknown() },
    handle: async ({ headers }) => {
      requireControlSecret(secret, headers.authorization)
      return ok({ events: await resendRefused(db, clock.now()) })
    },
  })
}
