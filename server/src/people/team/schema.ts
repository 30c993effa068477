// The people of a company or of the programme on the wire.
import { type Static, Type } from 'typebox'
import { COMPANY_ROLES, PROGRAMME_ROLES } from '../../access/permissions.ts'
import { formatId } from '../../lib/ids.ts'
import { field, nullable, object, Timestamp } from '../../lib/wire.ts'
import type { MadeLink } from '../links/make.ts'
import { MailStatus } from '../links/schema.ts'
import { CompanyRoleSchema } from '../schema.ts'
import type { MemberRow } from './queries.ts'

const AnyRole = Type.Enum([...COMPANY_ROLES, ...PROGRAMME_ROLES])

export const Person = object(
  {
    id: field(Type.String(), 'The id of the person, `per_…`.'),
    name: field(Type.String(), 'The name of the person.'),
    email: field(Type.String(), 'The e-mail address that the person signs in with.'),
    role: field(AnyRole, 'The role of the person here.'),
    hasSecondFactor: field(Type.Boolean(), 'Whether the person has an authenticator app or a passkey.'),
    createdAt: field(Timestamp, 'Since when the person belongs here.'),
    lastSeenAt: nullable(field(Timestamp, 'When the person last used the console. Null when they never did.')),
  },
  'Person',
  'Somebody who belongs to a company or to the programme.',
)

export const RoleChange = object({ role: CompanyRoleSchema }, 'RoleChange', 'A new role in the company.')
export const RoleChangeAnywhere = object(
  {
    role: field(AnyRole, 'A role of companies with `companyId`, `operator` or `support` without.'),
    companyId: Type.Optional(field(Type.String(), 'The company. Left out for the programme.')),
  },
  'ProgrammeRoleChange',
  'A new role in a company or in the programme.',
)

export const Reset = object(
  {
    removeSecondFactor: Type.Optional(
      field(
        Type.Boolean(),
        'Whether the link also removes the authenticator app, the recovery codes and all passkeys, for somebody who has lost them.',
      ),
    ),
  },
  'ResetOptions',
  'How to let somebody in again.',
)
export const ResetLink = object(
  {
    url: field(Type.String(), 'The link to pass on. It is shown only here and works once.'),
    expiresAt: field(Timestamp, 'When the link stops working.'),
    mail: MailStatus,
  },
  'ResetLink',
  'A link for somebody who cannot sign in.',
)

export function toPerson(row: MemberRow): Static<typeof Person> {
  return {
    id: formatId('per', row.id),
    name: row.name,
    email: row.email,
    role: row.role,
    hasSecondFactor: row.has_second_factor,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  }
}

export function toResetLink({ url, expiresAt, mail }: MadeLink): Static<typeof ResetLink> {
  return { url, expiresAt: expiresAt.toISOString(), mail }
}
