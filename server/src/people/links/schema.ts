// One-time links and invitations on the wire.
import { type Static, Type } from 'typebox'
import { COMPANY_ROLES, PROGRAMME_ROLES } from '../../access/permissions.ts'
import { formatId } from '../../lib/ids.ts'
import { field, nullable, object, Timestamp } from '../../lib/wire.ts'
import { CompanyRoleSchema, Email, Password, PersonName } from '../schema.ts'
import type { InvitationRow, LinkRow } from './queries.ts'

const Token = Type.String({ maxLength: 100, hint: 'the part of the link behind the #' })
const AnyRole = Type.Enum([...COMPANY_ROLES, ...PROGRAMME_ROLES])

export const LinkToken = object(
  { token: field(Token, 'The part of the link behind the `#`.') },
  'LinkToken',
  'The token of a one-time link.',
)

export const LinkUseSchema = object(
  {
    token: field(Token, 'The part of the link behind the `#`.'),
    name: Type.Optional(field(PersonName, 'The name of a new person. Needed for an invitation.')),
    password: Type.Optional(field(Password, 'The new password. Needed for an invitation and for a reset.')),
  },
  'LinkUse',
  'The use of a one-time link.',
)

const LinkCompany = object(
  { id: field(Type.String(), 'The id of the company.'), name: field(Type.String(), 'The name of the company.') },
  'LinkCompany',
  'The company that somebody is invited to.',
)

export const LinkSchema = object(
  {
    kind: field(
      Type.Enum(['invitation', 'reset', 'sign_in']),
      'What the link is for: joining, choosing a new password, or signing in for the first time.',
    ),
    email: field(Type.String(), 'The e-mail address of the person.'),
    name: nullable(
      field(
        Type.String(),
        'The name of the person. Null for an invitation, which says nothing about who has an account.',
      ),
    ),
    role: nullable(field(AnyRole, 'The role that the person is invited to. Null unless it is an invitation.')),
    company: nullable(
      field(
        LinkCompany,
        'The company that the person is invited to. Null for the programme, and unless it is an invitation.',
      ),
    ),
    expiresAt: field(Timestamp, 'When the link stops working.'),
  },
  'OneTimeLink',
  'A one-time link that can still be used.',
)

export function toLink(row: LinkRow): Static<typeof LinkSchema> {
  const { company_id: id, company_name: name } = row
  return {
    kind: row.kind,
    email: row.email,
    name: row.name,
    role: row.role,
    company: id === null || name === null ? null : { id: formatId('co', id), name },
    expiresAt: row.expires_at.toISOString(),
  }
}

export const MailStatus = field(
  Type.Enum(['none', 'limited', 'waiting', 'sent', 'failed']),
  'What became of the e-mail with the link: `none` (the server sends no mail, or the link ended first), `limited` (not sent, because too many mails went to this address or out for this company in a day), `waiting`, `sent` (a mail server has taken it) or `failed` (no mail server took it; pass the link on, or invite again). `limited` is only in the answer that makes the link.',
)

const invitationFields = {
  id: field(Type.String(), 'The id of the invitation, `invt_…`.'),
  email: field(Type.String(), 'The e-mail address of whoever is invited.'),
  companyId: nullable(field(Type.String(), 'The company. Null for the programme.')),
  role: field(AnyRole, 'The role that they get.'),
  status: field(Type.Enum(['open', 'accepted', 'revoked', 'expired']), 'Whether it can still be used.'),
  createdBy: field(Type.String(), 'Who invited.'),
  createdAt: field(Timestamp, 'When the invitation was made.'),
  expiresAt: field(Timestamp, 'When the link stops working.'),
  mail: MailStatus,
}
export const Invitation = object(invitationFields, 'Invitation', 'An invitation, without its link.')
export const CreatedInvitation = object(
  { ...invitationFields, url: field(Type.String(), 'The link to pass on. It is shown only here and works once.') },
  'CreatedInvitation',
  'A new invitation.',
)
export const NewMember = object(
  { email: field(Email, 'The e-mail address of whoever is invited.'), role: CompanyRoleSchema },
  'InvitationCreate',
  'Somebody to invite to the company.',
)
export const NewInvitationAnywhere = object(
  {
    email: field(Email, 'The e-mail address of whoever is invited.'),
    role: field(AnyRole, 'A role of companies with `companyId`, `operator` or `support` without.'),
    companyId: Type.Optional(field(Type.String(), 'The company. Left out for the programme.')),
  },
  'ProgrammeInvitationCreate',
  'Somebody to invite to a company or to the programme.',
)

export function toInvitation(row: InvitationRow, now: Date): Static<typeof Invitation> {
  return {
    id: formatId('invt', row.id),
    email: row.email,
    companyId: row.company_id === null ? null : formatId('co', row.company_id),
    role: row.role,
    status: statusOf(row, now),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    mail: row.mail_status === null || row.mail_status === 'cancelled' ? 'none' : row.mail_status,
  }
}

function statusOf({ used_at, revoked_at, expires_at }: InvitationRow, now: Date) {
  if (used_at !== null) return 'accepted'
  if (revoked_at !== null) return 'revoked'
  return expires_at > now ? 'open' : 'expired'
}
