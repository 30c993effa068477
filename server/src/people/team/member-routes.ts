// Who belongs where: /api/v1/people for a company, /admin/v1/people for the operator.
import { Type } from 'typebox'
import { requireId } from '../../errors.ts'
import { answerPage, type PageQuery } from '../../http/page.ts'
import { memberRoute, noContent, ok, operatorRoute, type Route } from '../../http/route.ts'
import { field, IdParams, object, pageOf, pageQuery } from '../../lib/wire.ts'
import type { PeopleDeps } from '../deps.ts'
import { requireFittingRole } from './invitation-routes.ts'
import { changeRole, removeMember, resetPerson } from './members.ts'
import { listMembers } from './queries.ts'
import { Person, Reset, ResetLink, RoleChange, RoleChangeAnywhere, toPerson, toResetLink } from './schema.ts'

const RESET =
  'Makes a link that works once, for a day, and with which the person chooses a new password. All their sessions end when it is used. Somebody who has neither a password nor a second factor is signed in by it. The server mails the link to the person if it has a mail server, and `mail` says so.'
const Place = {
  companyId: Type.Optional(field(Type.String({ maxLength: 100 }), 'The company. The programme when left out.')),
}

export function teamRoutes(deps: PeopleDeps): Route[] {
  const { db, cursors } = deps
  const list = (companyId: string | null, query: PageQuery) =>
    answerPage({
      cursors,
      name: `people of ${companyId ?? 'the programme'}`,
      query: { ...query },
      fetch: (slice) => listMembers(db, companyId, slice),
      idOf: (row) => row.id,
      toWire: toPerson,
    })
  return [...companyTeamRoutes(deps, list), ...operatorTeamRoutes(deps, list)]
}

type ListMembers = (companyId: string | null, query: PageQuery) => ReturnType<typeof answerPage>

function companyTeamRoutes(deps: PeopleDeps, list: ListMembers): Route[] {
  const path = '/api/v1/people'
  const tag = 'team'
  const changing = { anyOf: ['people:write'], changesPeople: true } as const
  return [
    memberRoute(
      { anyOf: ['people:read'] },
      {
        method: 'GET',
        path,
        tag,
        id: 'listMembers',
        summary: 'List the people of the company',
        description: 'Lists the people who belong to the company, newest accounts first.',
        query: object(pageQuery),
        responses: { 200: pageOf(Person) },
        handle: ({ caller, query }) => list(caller.scope.companyId, query),
      },
    ),
    memberRoute(changing, {
      method: 'PATCH',
      path: `${path}/:id`,
      tag,
      id: 'changeMemberRole',
      summary: 'Change the role of a person',
      description: 'Changes the role. It holds from the next request of the person. The last owner stays an owner.',
      refusals: ['last_owner'],
      params: IdParams,
      body: RoleChange,
      responses: { 200: Person },
      handle: async ({ caller, actor, params, body }) => {
        const member = { companyId: caller.scope.companyId, personId: requireId('per', params.id) }
        return ok(toPerson(await changeRole(deps, actor, member, body.role)))
      },
    }),
    memberRoute(changing, {
      method: 'DELETE',
      path: `${path}/:id`,
      tag,
      id: 'removeMember',
      summary: 'Remove a person from the company',
      description: 'Takes all rights in the company away, from the next request on. The last owner cannot be removed.',
      refusals: ['last_owner'],
      params: IdParams,
      responses: { 204: null },
      handle: async ({ caller, actor, params }) => {
        await removeMember(deps, actor, { companyId: caller.scope.companyId, personId: requireId('per', params.id) })
        return noContent()
      },
    }),
    memberRoute(changing, {
      method: 'POST',
      path: `${path}/:id/reset`,
      tag,
      id: 'resetMember',
      summary: 'Let a person in again',
      description: `${RESET} Only for people who belong to no other company and not to the programme; the link stops working when they join one, or when whoever made it is no owner any more.`,
      refusals: ['reset_not_allowed'],
      params: IdParams,
      body: Reset,
      responses: { 200: ResetLink },
      handle: async ({ caller, actor, params, body }) => {
        const member = { companyId: caller.scope.companyId, personId: requireId('per', params.id) }
        return ok(toResetLink(await resetPerson(deps, actor, member, body)))
      },
    }),
  ]
}

function operatorTeamRoutes(deps: PeopleDeps, list: ListMembers): Route[] {
  const path = '/admin/v1/people'
  const tag = 'people'
  const placeOf = (companyId: string | undefined) =>
    companyId === undefined ? null : requireId('co', companyId, 'companyId')
  return [
    operatorRoute({
      method: 'GET',
      path,
      tag,
      id: 'listPeople',
      summary: 'List people',
      description: 'Lists the people of a company, or of the programme, newest accounts first.',
      refusals: ['not_found'],
      query: object({ ...pageQuery, ...Place }),
      responses: { 200: pageOf(Person) },
      handle: async ({ query }) => list(placeOf(query.companyId), query),
    }),
    operatorRoute({
      method: 'PATCH',
      path: `${path}/:id`,
      tag,
      id: 'changeRole',
      summary: 'Change the role of a person',
      description: 'Changes the role in a company, or in the programme. It holds from the next request of the person.',
      refusals: ['last_owner'],
      params: IdParams,
      body: RoleChangeAnywhere,
      responses: { 200: Person },
      handle: async ({ actor, params, body }) => {
        const member = { companyId: placeOf(body.companyId), personId: requireId('per', params.id) }
        requireFittingRole(body.role, member.companyId)
        return ok(toPerson(await changeRole(deps, actor, member, body.role)))
      },
    }),
    operatorRoute({
      method: 'DELETE',
      path: `${path}/:id`,
      tag,
      id: 'removePerson',
      summary: 'Remove a person',
      description: 'Takes all rights in a company, or in the programme, away, from the next request on.',
      refusals: ['last_owner'],
      params: IdParams,
      query: object(Place),
      responses: { 204: null },
      handle: async ({ actor, params, query }) => {
        const personId = requireId('per', params.id)
        await removeMember(deps, actor, { companyId: placeOf(query.companyId), personId })
        return noContent()
      },
    }),
    operatorRoute({
      method: 'POST',
      path: `${path}/:id/reset`,
      tag,
      id: 'resetPerson',
      summary: 'Let a person in again',
      description: RESET,
      params: IdParams,
      body: Reset,
      responses: { 200: ResetLink },
      handle: async ({ actor, params, body }) =>
        ok(
          toResetLink(await resetPerson(deps, actor, { companyId: null, personId: requireId('per', params.id) }, body)),
        ),
    }),
  ]
}
