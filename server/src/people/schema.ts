// People and their sessions as the console sees them.
import { type Static, Type } from 'typebox'
import {
  COMPANY_ROLES,
  PEOPLE_PERMISSIONS,
  PERMISSIONS,
  PROGRAMME_ROLES,
  ROLE_PERMISSIONS,
} from '../access/permissions.ts'
import { type MemberCompany, type Session, verifiedUntil } from '../access/session.ts'
import { Capabilities } from '../companies/schema.ts'
import { formatId } from '../lib/ids.ts'
import { field, nullable, object, PRINTABLE_PATTERN, Timestamp, visibleText } from '../lib/wire.ts'
import { PASSWORD_LENGTH_MAX } from './rules.ts'
import type { SessionRow } from './sessions/queries.ts'

export const Email = Type.String({
  format: 'email',
  maxLength: 320,
  pattern: PRINTABLE_PATTERN,
  hint: 'an e-mail address such as ada@example.com',
})
export const PersonName = visibleText(255, 'a name')
/** Longer than any password may be is not worth computing. */
export const Password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_LENGTH_MAX,
  hint: `a password of 1 to ${PASSWORD_LENGTH_MAX} characters`,
})
/** Six digits, or a recovery code, however they are grouped. */
export const Code = Type.String({ minLength: 1, maxLength: 40, hint: 'six digits or a recovery code' })
export const CompanyRoleSchema = Type.Enum([...COMPANY_ROLES], {
  description:
    '`owner`: everything; `developer`: keys, webhooks, reads and the sandbox; `finance`: money and reads; `viewer`: reads.',
})
export const ProgrammeRoleSchema = Type.Enum([...PROGRAMME_ROLES], {
  description: '`operator`: all calls under `/admin/v1`; `support`: those that read.',
})

const PermissionList = Type.Array(Type.Enum([...PERMISSIONS, ...PEOPLE_PERMISSIONS]))

export const SessionSchema = object(
  {
    id: field(Type.String(), 'The id of the session, `ses_…`.'),
    address: field(Type.String(), 'The network address that signed in.'),
    userAgent: field(Type.String(), 'How the browser describes itself.'),
    createdAt: field(Timestamp, 'When the person signed in.'),
    lastSeenAt: field(Timestamp, 'When the session was last used, to the half minute.'),
    expiresAt: field(Timestamp, 'When the session ends in any case. It ends earlier when it is not used.'),
    isCurrent: field(Type.Boolean(), 'Whether this request uses the session.'),
  },
  'Session',
  'A browser in which a person is signed in.',
)

const Membership = object(
  {
    id: field(Type.String(), 'The id of the company, `co_…`. Send it as `Cardstock-Company`.'),
    name: field(Type.String(), 'The name of the company.'),
    kind: field(Type.Enum(['individual', 'corporate']), 'Whether the company is an individual.'),
    verification: field(Type.Enum(['pending', 'approved', 'rejected']), 'Only an approved company can make calls.'),
    capabilities: Capabilities,
    suspended: field(Type.Boolean(), 'A suspended company can read, and freeze and close cards.'),
    role: field(CompanyRoleSchema, 'The role of the person in this company.'),
    permissions: field(
      object(
        {
          sandbox: field(PermissionList, 'What the role includes in the sandbox.'),
          live: field(PermissionList, 'What the role includes in live.'),
        },
        'RolePermissions',
        'What a role includes, by environment.',
      ),
      'What the person may do there.',
    ),
  },
  'Membership',
  'A company that the person belongs to.',
)

export const Me = object(
  {
    id: field(Type.String(), 'The id of the person, `per_…`.'),
    name: field(Type.String(), 'The name of the person.'),
    email: field(Type.String(), 'The e-mail address that the person signs in with.'),
    timeZone: nullable(
      field(Type.String(), 'The time zone in which the console shows times, such as `Europe/Dublin`. Null for UTC.'),
    ),
    hasPassword: field(Type.Boolean(), 'Whether the person has chosen a password.'),
    hasSecondFactor: field(Type.Boolean(), 'Whether the person has an authenticator app or a passkey.'),
    verifiedUntil: nullable(field(Timestamp, 'Until when the second factor counts as proved. Null when it does not.')),
    programmeRole: nullable(
      field(ProgrammeRoleSchema, 'The role in the card programme. Null for people of companies.'),
    ),
    companies: field(Type.Array(Membership), 'The companies that the person belongs to.'),
    session: field(SessionSchema, 'The session of this request.'),
    hasLiveIssuer: field(Type.Boolean(), 'Whether this server can carry out live operations at all.'),
  },
  'Me',
  'The person who is signed in.',
)

export const Credentials = object(
  {
    email: field(Email, 'The e-mail address of the account.'),
    password: field(Password, 'The password.'),
    code: Type.Optional(
      field(Code, 'Six digits of the authenticator app, or a recovery code. Needed when there is a second factor.'),
    ),
  },
  'SignIn',
  'Who signs in.',
)

export const ProfileChange = object(
  {
    name: Type.Optional(field(PersonName, 'The name that others see.')),
    email: Type.Optional(field(Email, 'The e-mail address to sign in with.')),
    password: Type.Optional(
      field(
        Password,
        'The password again. Needed for another e-mail address by somebody who has a password and no second factor.',
      ),
    ),
  },
  'ProfileChange',
  'What to change. What is left out stays as it is.',
)

export const PasswordChange = object(
  {
    currentPassword: Type.Optional(field(Password, 'The password until now. Needed once there is one.')),
    newPassword: field(Password, 'The new password: at least 12 characters, and not easy to guess.'),
  },
  'PasswordChange',
  'A new password.',
)

export function toMe(
  session: Session,
  { now, hasLiveIssuer }: { now: Date; hasLiveIssuer: boolean },
): Static<typeof Me> {
  return {
    id: formatId('per', session.personId),
    name: session.name,
    email: session.email,
    timeZone: session.timeZone,
    hasPassword: session.hasPassword,
    hasSecondFactor: session.hasSecondFactor,
    verifiedUntil: verifiedUntil(session, now)?.toISOString() ?? null,
    programmeRole: session.programmeRole,
    companies: session.companies.map(toMembership),
    session: {
      id: formatId('ses', session.id),
      address: session.address,
      userAgent: session.userAgent,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      expiresAt: session.expiresAt.toISOString(),
      isCurrent: true,
    },
    hasLiveIssuer,
  }
}

function toMembership(company: MemberCompany): Static<typeof Membership> {
  const { id, name, kind, verification, suspended, role } = company
  const capabilities = { liveServices: company.live_services, directInvoices: company.direct_invoices }
  const { sandbox, live } = ROLE_PERMISSIONS[role]
  const permissions = { sandbox: [...sandbox], live: [...live] }
  return { id: formatId('co', id), name, kind, verification, capabilities, suspended, role, permissions }
}

export function toSession(row: SessionRow, currentId: string): Static<typeof SessionSchema> {
  return {
    id: formatId('ses', row.id),
    address: row.address,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    isCurrent: row.id === currentId,
  }
}
