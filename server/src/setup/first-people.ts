// The people of the first start: an operator, and an owner of the demonstration company. They have no passwords; whoever opens
// their one-time link is signed in and can choose one.
import { auditRecord, programActor } from '../access/audit.ts'
import type { Role } from '../access/permissions.ts'
import type { Db } from '../db/pool.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'
import { type LinkDeps, makePersonLink } from '../people/links/make.ts'
import { findPersonByEmail, insertFirstPerson } from '../people/queries.ts'

interface FirstPerson {
  readonly email: string
  readonly name: string
  readonly role: Role
}

const OPERATOR: FirstPerson = { email: 'operator@example.com', name: 'Operator', role: 'operator' }
const DEMO_OWNER: FirstPerson = { email: 'owner@example.com', name: 'Demonstration owner', role: 'owner' }

export const FIRST_START = programActor('first start')

/** Somebody who exists already, or was removed since, is not made again. */
async function createPerson(
  { db, clock }: { db: Db; clock: Clock },
  { email, name, role }: FirstPerson,
  companyId: string | null,
): Promise<void> {
  const createdAt = clock.now()
  const id = newId(createdAt)
  const what = { action: 'person.created', object: formatId('per', id), details: { email, role } }
  const record = auditRecord(clock, FIRST_START, what)
  await insertFirstPerson(db, { id, email, name, createdAt }, { companyId, role }, record)
}

export function createOperator(deps: { db: Db; clock: Clock }): Promise<void> {
  return createPerson(deps, OPERATOR, null)
}

export function createDemoOwner(deps: { db: Db; clock: Clock }, companyId: string): Promise<void> {
  return createPerson(deps, DEMO_OWNER, companyId)
}

export interface FirstLinks {
  readonly operator: string | undefined
  readonly demoOwner: string | undefined
}

/** Returns a link that signs in, for each of them who has not chosen a password yet. Their addresses are examples, so nothing is mailed. */
export async function makeFirstLinks(deps: Omit<LinkDeps, 'mail'>): Promise<FirstLinks> {
  const linkOf = async ({ email }: FirstPerson) => {
    const person = await findPersonByEmail(deps.db, email)
    if (person === undefined || person.password !== null) return undefined
    const wanted = { personId: person.id, kind: 'sign_in', companyId: null, removesSecondFactor: false } as const
    return (await makePersonLink({ ...deps, mail: undefined }, FIRST_START, wanted)).url
  }
  return { operator: await linkOf(OPERATOR), demoOwner: await linkOf(DEMO_OWNER) }
}
