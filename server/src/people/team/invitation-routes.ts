// Invitations: /api/v1/invitations for the owners of a company, /admin/v1/invitations for the operator.
import { Type } from 'typebox'
import { getCompany } from '../../companies/companies.ts'
import { COMPANY_ROLES } from '../../access/permissions.ts'
import { ApiError, requireId } from '../../errors.ts'
import { answerPage } from '../../http/page.ts'
import { created, memberRoute, noContent, operatorRoute, type Route } from '../../http/route.ts'
import { field, IdParams, object, pageOf, pageQuery } from '../../lib/wire.ts'
import type { PeopleDeps } from '../deps.ts'
import { invite, revokeInvitation } from '../links/make.ts'
import { listInvitations } from '../links/queries.ts'
import { CreatedInvitation, Invitation, NewInvitationAnywhere, NewMember, toInvitation } from '../links/schema.ts'

const CREATE =
  'Makes a link that works once, within seven days. The server mails it if it has a mail server, and `mail` says so: otherwise pass the link on. A new invitation replaces an open one for the same address.'
const REVOKE = 'Revokes the invitation. Its link stops working at once. Revoking it again changes nothing.'

export function invitationRoutes(deps: PeopleDeps): Route[] {
  return [...companyInvitationRoutes(deps), ...operatorInvitationRoutes(deps)]
}

/** What both kinds of routes do; `companyId` is null for the programme. */
function createHandlers(deps: PeopleDeps) {
  const { db, clock, cursors } = deps
  return {
    create: async (path: string, actor: Parameters<typeof invite>[1], wanted: Parameters<typeof invite>[2]) => {
      const { row, url, mail } = await invite(deps, actor, wanted)
      const invitation = { ...toInvitation(row, clock.now()), url, mail }
      return created(`${path}/${invitation.id}`, invitation)
    },
    list: (companyId: string | null, query: { cursor?: string; limit?: number }) =>
      answerPage({
        cursors,
        name: `invitations of ${companyId ?? 'the programme'}`,
        query,
        fetch: (slice) => listInvitations(db, companyId, slice),
        idOf: (row) => row.id,
        toWire: (row) => toInvitation(row, clock.now()),
      }),
  }
}

function companyInvitationRoutes(deps: PeopleDeps): Route[] {
  const { create, list } = createHandlers(deps)
  const path = '/api/v1/invitations'
  const tag = 'team'
  return [
    memberRoute(
      { anyOf: ['people:write'], changesPeople: true },
      {
        method: 'POST',
        path,
        tag,
        id: 'inviteMember',
        summary: 'Invite somebody to the company',
        description: CREATE,
        refusals: ['already_member', 'invitation_limit'],
        body: NewMember,
        responses: { 201: CreatedInvitation },
        handle: ({ caller, actor, body }) => create(path, actor, { ...body, companyId: caller.scope.companyId }),
      },
    ),
    memberRoute(
      { anyOf: ['people:read'] },
      {
        method: 'GET',
        path,
        tag,
        id: 'listMemberInvitations',
        summary: 'List invitations',
        description: 'Lists the invitations to the company, newest first, without their links.',
        query: object(pageQuery),
        responses: { 200: pageOf(Invitation) },
        handle: ({ caller, query }) => list(caller.scope.companyId, query),
      },
    ),
    memberRoute(
      { anyOf: ['people:write'], changesPeople: true },
      {
        method: 'DELETE',
        path: `${path}/:id`,
        tag,
        id: 'revokeMemberInvitation',
        summary: 'Revoke an invitation',
        description: REVOKE,
        params: IdParams,
        responses: { 204: null },
        handle: async ({ caller, actor, params }) => {
          await revokeInvitation(deps, actor, requireId('invt', params.id), caller.scope.companyId)
          return noContent()
        },
      },
    ),
  ]
}

function operatorInvitationRoutes(deps: PeopleDeps): Route[] {
  const { create, list } = createHandlers(deps)
  const path = '/admin/v1/invitations'
  const tag = 'people'
  return [
    operatorRoute({
      method: 'POST',
      path,
      tag,
      id: 'createInvitation',
      summary: 'Invite somebody',
      description: `Invites somebody to a company, or to the programme when \`companyId\` is left out. ${CREATE}`,
      refusals: ['not_found', 'already_member', 'invitation_limit'],
      body: NewInvitationAnywhere,
      responses: { 201: CreatedInvitation },
      handle: async ({ actor, body }) => {
        const companyId = body.companyId === undefined ? null : requireId('co', body.companyId, 'companyId')
        requireFittingRole(body.role, companyId)
        if (companyId !== null) await getCompany(deps.db, companyId, 'companyId')
        return create(path, actor, { email: body.email, role: body.role, companyId })
      },
    }),
    operatorRoute({
      method: 'GET',
      path,
      tag,
      id: 'listInvitations',
      summary: 'List invitations',
      description: 'Lists the invitations to a company, or to the programme, newest first, without their links.',
      query: object({
        ...pageQuery,
        companyId: Type.Optional(field(Type.String({ maxLength: 100 }), 'The company. The programme when left out.')),
      }),
      refusals: ['not_found'],
      responses: { 200: pageOf(Invitation) },
      handle: async ({ query }) =>
        list(query.companyId === undefined ? null : requireId('co', query.companyId, 'companyId'), query),
    }),
    operatorRoute({
      method: 'DELETE',
      path: `${path}/:id`,
      tag,
      id: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: REVOKE,
      params: IdParams,
      responses: { 204: null },
      handle: async ({ actor, params }) => {
        await revokeInvitation(deps, actor, requireId('invt', params.id), undefined)
        return noContent()
      },
    }),
  ]
}

/** A company has its own roles, and so has the programme. */
export function requireFittingRole(role: string, companyId: string | null): void {
  const isOfCompanies = (COMPANY_ROLES as readonly string[]).includes(role)
  if (isOfCompanies === (companyId !== null)) return
  throw new ApiError(
    'validation_failed',
    companyId === null
      ? 'body.role must be operator or support in the programme. Send companyId for a role in a company.'
      : 'body.role must be owner, developer, finance or viewer in a company.',
    { param: 'role' },
  )
}
