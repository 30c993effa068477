// What each person wants to be told by e-mail.
import { auditRecord } from '../access/audit.ts'
import type { Role } from '../access/permissions.ts'
import { rightLost } from '../access/right.ts'
import type { Session } from '../access/session.ts'
import type { Db } from '../db/pool.ts'
import { ok, personRoute, type Route } from '../http/route.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import type { Mail } from './assemble.ts'
import { noticesFor } from './kinds.ts'
import { findMailOff, setMailOff } from './queries.ts'
import { kindsThatAre, Notifications, NotificationsChange, toNotifications } from './schema.ts'

interface Deps {
  db: Db
  clock: Clock
  mail: Mail | undefined
}

export function mailRoutes({ db, clock, mail }: Deps): Route[] {
  const path = '/console/v1/notifications'
  const tag = 'account'
  const sendsMail = mail !== undefined
  return [
    personRoute(
      {},
      {
        method: 'GET',
        path,
        tag,
        id: 'getNotifications',
        summary: 'Read what you are told by e-mail',
        description: 'Returns the kinds of e-mails that the roles of the person get, and which of them are on.',
        responses: { 200: Notifications },
        handle: async ({ session }) => {
          const { mail_off: off } = must(await findMailOff(db, session.personId))
          return ok(toNotifications(sendsMail, noticesFor(rolesOf(session)), off))
        },
      },
    ),
    personRoute(
      {},
      {
        method: 'PATCH',
        path,
        tag,
        id: 'updateNotifications',
        summary: 'Choose what you are told by e-mail',
        description: 'Turns kinds of e-mails on or off, for all companies that the person belongs to.',
        body: NotificationsChange,
        responses: { 200: Notifications },
        handle: async ({ session, actor, body }) => {
          const change = { on: kindsThatAre(true, body), off: kindsThatAre(false, body) }
          const what = { action: 'notifications.changed', object: formatId('per', session.personId), details: body }
          const { right = null } = actor
          const changed = await setMailOff(db, session.personId, change, right, auditRecord(clock, actor, what))
          if (changed === undefined) throw rightLost(right)
          return ok(toNotifications(sendsMail, noticesFor(rolesOf(session)), changed.mail_off))
        },
      },
    ),
  ]
}

function rolesOf({ programmeRole, companies }: Session): Role[] {
  return [...(programmeRole === null ? [] : [programmeRole]), ...companies.map(({ role }) => role)]
}
