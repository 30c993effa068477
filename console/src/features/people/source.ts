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
  owner: { title: 'Owner', text: 'Can do everything, including managing people.' },
  developer: {
    title: 'Developer',
    text: 'Sandbox: can do everything except manage people. Live: manages keys and webhooks, and can read the rest.',
  },
  finance: {
    title: 'Finance',
    text: 'Manages cards, services, invoices and holders, and can see the team. No developer pages.',
  },
  viewer: {
    title: 'Viewer',
    text: 'Can see balances, cards, holders, operations and the team, but change nothing. No developer pages.',
  },
  operator: {
    title: 'Operator',
    text: 'Can do everything in the programme: companies, reviews, catalogue and people.',
  },
  support: { title: 'Support', text: 'Can see everything in the programme, but change nothing.' },
}
