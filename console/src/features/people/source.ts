// Where people come from: the company's own calls, or the operator's. Both look the same to the page.
import type { CreatedInvitation, Invitation, Person, ResetLink } from '@cardstock/sdk'
import type { Batch } from '~/api/client.ts'

export type Role = Person['role']

interface Query {
  readonly cursor?: string
  readonly limit?: number
}

interface Options {
  readonly signal: AbortSignal
}

/** There are fewer people and invitations than this, which is the most that the API returns at once. */
export const PEOPLE_MAX = 100

export interface PeopleSource {
  /** Names the lists in the cache. */
  readonly name: string
  readonly roles: readonly Role[]
  people(query: Query, options: Options): Promise<Batch<Person>>
  invitations(query: Query, options: Options): Promise<Batch<Invitation>>
  invite(invitation: { email: string; role: Role }): Promise<CreatedInvitation>
  revokeInvitation(id: string): Promise<void>
  changeRole(id: string, role: Role): Promise<unknown>
  remove(id: string): Promise<void>
  reset(id: string, options: { removeSecondFactor: boolean }): Promise<ResetLink>
}

/** What each role may do, in plain words. */
export const ROLE_MEANINGS: Readonly<Record<Role, { title: string; text: string }>> = {
  owner: { title: 'Owner', text: 'Does everything, and manages people.' },
  developer: {
    title: 'Developer',
    text: 'In the sandbox, does everything but manage people. In live, manages keys and webhooks, and reads the rest.',
  },
  finance: {
    title: 'Finance',
    text: 'Manages cards, services, invoices and holders, and reads the team. Has no developer pages.',
  },
  viewer: {
    title: 'Viewer',
    text: 'Reads money, cards, holders and the team, and changes nothing. Has no developer pages.',
  },
  operator: { title: 'Operator', text: 'Does everything: companies, reviews, catalogue and people.' },
  support: { title: 'Support', text: 'Reads everything, and changes nothing.' },
}
