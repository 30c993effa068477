// What people see and change about themselves: their profile, their password and their sessions.
import { requireId } from '../../errors.ts'
import { answerPage } from '../../http/page.ts'
import { noContent, ok, personRoute, type Route } from '../../http/route.ts'
import { must } from '../../lib/invariant.ts'
import { IdParams, object, pageOf, pageQuery } from '../../lib/wire.ts'
import { findSessionToken, invalidSession } from '../../http/session-access.ts'
import { changePassword, changeProfile } from '../account.ts'
import type { PeopleDeps } from '../deps.ts'
import { LinkToken } from '../links/schema.ts'
import { joinByInvitation } from '../links/use.ts'
import { Me, PasswordChange, ProfileChange, SessionSchema, toMe, toSession } from '../schema.ts'
import { listSessions } from './queries.ts'
import { endOthers, endOwnSession, forgetCookie, type Visit } from './start.ts'

export function accountRoutes(deps: PeopleDeps): Route[] {
  const { clock, hasLiveIssuer, sessions } = deps
  const tag = 'account'
  /** Read again, because the person has just changed. */
  const answerMe = async (call: Visit) => {
    const session = await sessions.now(must(findSessionToken(call.headers, call)))
    // Another request may have ended it since the change was made.
    if (session === undefined) throw invalidSession()
    return ok(toMe(session, { now: clock.now(), hasLiveIssuer }))
  }
  return [
    personRoute(
      {},
      {
        method: 'GET',
        path: '/console/v1/me',
        tag,
        id: 'getMe',
        summary: 'Read who is signed in',
        description: 'Returns the person, the companies that they belong to, and what they may do there.',
        responses: { 200: Me },
        handle: async ({ session }) => ok(toMe(session, { now: clock.now(), hasLiveIssuer })),
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'PATCH',
        path: '/console/v1/me',
        tag,
        id: 'updateMe',
        summary: 'Change name or e-mail address',
        description:
          'Changes the name or the e-mail address that the person signs in with. Somebody who has a second factor must have proved it in the last ten minutes; somebody who has none sends their password again for another e-mail address. Wrong passwords count like failed sign-ins.',
        refusals: ['email_taken', 'password_required', 'invalid_credentials'],
        body: ProfileChange,
        responses: { 200: Me },
        handle: async (call) => {
          await changeProfile(deps, call, call.body)
          return answerMe(call)
        },
      },
    ),
    personRoute(
      {},
      {
        method: 'POST',
        path: '/console/v1/me/invitations',
        tag,
        id: 'joinCompany',
        summary: 'Accept an invitation with this account',
        description: 'Adds the role of the invitation to the account. The invitation must be for its e-mail address.',
        refusals: ['link_not_valid'],
        body: LinkToken,
        responses: { 200: Me },
        handle: async (call) => {
          await joinByInvitation(deps, call, call.body.token)
          return answerMe(call)
        },
      },
    ),
    personRoute(
      { stepUp: true },
      {
        method: 'POST',
        path: '/console/v1/password',
        tag,
        id: 'changePassword',
        summary: 'Change the password',
        description:
          'Changes the password and ends every session of the person. The browser that asked gets a new session. `currentPassword` is needed once there is a password.',
        refusals: ['invalid_credentials', 'password_refused'],
        body: PasswordChange,
        responses: { 204: null },
        handle: async (call) => ({
          ...noContent(),
          headers: (await changePassword(deps, call, call, call.body)).headers,
        }),
      },
    ),
    ...sessionRoutes(deps),
  ]
}

function sessionRoutes(deps: PeopleDeps): Route[] {
  const { db, clock, cursors, peopleConfig } = deps
  const tag = 'account'
  return [
    personRoute(
      {},
      {
        method: 'GET',
        path: '/console/v1/sessions',
        tag,
        id: 'listSessions',
        summary: 'List sessions',
        description: 'Lists the browsers in which the person is signed in, newest first.',
        query: object(pageQuery),
        responses: { 200: pageOf(SessionSchema) },
        handle: async ({ session, query }) => {
          const now = clock.now()
          const live = { now, idleSince: new Date(now.getTime() - peopleConfig.sessionIdleMs) }
          return answerPage({
            cursors,
            name: `sessions of ${session.personId}`,
            query,
            fetch: (slice) => listSessions(db, session.personId, live, slice),
            idOf: (row) => row.id,
            toWire: (row) => toSession(row, session.id),
          })
        },
      },
    ),
    personRoute(
      { isUncounted: true },
      {
        method: 'DELETE',
        path: '/console/v1/sessions',
        tag,
        id: 'endOtherSessions',
        summary: 'End all other sessions',
        description: 'Ends every session of the person but this one.',
        responses: { 204: null },
        handle: async ({ session, actor }) => {
          await endOthers(deps, actor, session)
          return noContent()
        },
      },
    ),
    personRoute(
      { isUncounted: true },
      {
        method: 'DELETE',
        path: '/console/v1/sessions/:id',
        tag,
        id: 'endSession',
        summary: 'End a session',
        description: 'Ends one session of the person. Every process refuses it with its next request.',
        params: IdParams,
        responses: { 204: null },
        handle: async (call) => {
          const { session, actor, params } = call
          const id = requireId('ses', params.id)
          await endOwnSession(deps, actor, session, id)
          return id === session.id ? { ...noContent(), headers: forgetCookie(call) } : noContent()
        },
      },
    ),
  ]
}
