// The operator's calls about who may do what: people, invitations and operator tokens.
import type { Call } from '../call.ts'
import type {
  CreatedInvitation,
  CreatedOperatorToken,
  Invitation,
  InvitationFilter,
  NewOperatorToken,
  NewProgrammeInvitation,
  OperatorToken,
  PageQuery,
  PeopleFilter,
  Person,
  PersonPlace,
  ProgrammeRoleChange,
  ResetLink,
  ResetOptions,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import type { CallOptions } from '../options.ts'

/** The people of a company, or of the programme when no company is given. */
export class People extends Resource {
  /** The people of a company, or of the programme. */
  list(filter: PeopleFilter = {}, options?: CallOptions): List<Person> {
    return this.transport.list('GET /admin/v1/people', { query: filter }, options)
  }

  /** Changes what a person may do. */
  changeRole(id: string, change: ProgrammeRoleChange, options?: CallOptions): Call<Person> {
    return this.transport.call('PATCH /admin/v1/people/{id}', { params: { id }, body: change }, options)
  }

  /** Removes a person from the programme or from a company. */
  remove(id: string, place: PersonPlace = {}, options?: CallOptions): Call<void> {
    return this.transport.call('DELETE /admin/v1/people/{id}', { params: { id }, query: place }, options)
  }

  /** Makes a link for somebody who cannot sign in any more. */
  reset(id: string, how: ResetOptions = {}, options?: CallOptions): Call<ResetLink> {
    return this.transport.call('POST /admin/v1/people/{id}/reset', { params: { id }, body: how }, options)
  }
}

/** Invitations to a company, or to the programme when no company is given. */
export class Invitations extends Resource {
  /** The answer is the only one that has the link. */
  create(invitation: NewProgrammeInvitation, options?: CallOptions): Call<CreatedInvitation> {
    return this.transport.call('POST /admin/v1/invitations', { body: invitation }, options)
  }

  /** The invitations, newest first. */
  list(filter: InvitationFilter = {}, options?: CallOptions): List<Invitation> {
    return this.transport.list('GET /admin/v1/invitations', { query: filter }, options)
  }

  /** Revokes an invitation. Its link stops working at once. */
  revoke(id: string, options?: CallOptions): Call<void> {
    return this.transport.call('DELETE /admin/v1/invitations/{id}', { params: { id } }, options)
  }
}

export class OperatorTokens extends Resource {
  /** Creates a token. Only this answer contains it. */
  create(token: NewOperatorToken, options?: CallOptions): Call<CreatedOperatorToken> {
    return this.transport.call('POST /admin/v1/operator-tokens', { body: token }, options)
  }

  /** The operator tokens, without their secrets. */
  list(query: PageQuery = {}, options?: CallOptions): List<OperatorToken> {
    return this.transport.list('GET /admin/v1/operator-tokens', { query }, options)
  }

  /** Revokes a token. Every process refuses it within a second. */
  revoke(id: string, options?: CallOptions): Call<void> {
    return this.transport.call('DELETE /admin/v1/operator-tokens/{id}', { params: { id } }, options)
  }
}
