// Where people come from: the company's own calls, or the operator's. Both look the same to the page.
import type { CreatedInvitation, Invitation, Person, ResetLink } from '@cardstock/sdk'
import type { Batch } from '~/api/client.ts'

export type Role = Person['role']

interface Options {
  readonly signal: AbortSignal
}

export interface PeopleSource {
  /** Names the lists in the cache. */
  readonly name: string
  readonly roles: readonly Role[]
  people(options: Options): Promise<Batch<Person>>
  invitations(options: Options): Promise<Batch<Invitation>>
  invite(invitation: { email: string; role: Role }): Promise<CreatedInvitation>
  revokeInvitation(id: string): Promise<void>
  changeRole(id: string, role: Role): Promise<unknown>
  remove(id: string): Promise<void>
  reset(id: string, options: { removeSecondFactor: boolean }): Promise<ResetLink>
}

/** What each role may do, in plain words. */
export const ROLE_MEANINGS: Readonly<Record<Role, { title: string; text: string }>> = {
  owner: { title: 'Owner', text: 'Everything, and who belongs to the company.' },
  developer: { title: 'Developer', text: 'Everything in the sandbox; in live keys, webhooks and reading.' },
  finance: { title: 'Finance', text: 'Money: cards, services, funding, holders and statements.' },
  viewer: { title: 'Viewer', text: 'Reads, and changes nothing.' },
  operator: { title: 'Operator', text: 'Everything in the programme: companies, reviews, catalogue, people.' },
  support: { title: 'Support', text: 'Reads everything in the programme, and changes nothing.' },
}
