// Companies as operators see them.
import { type Static, Type } from 'typebox'
import type { BalanceRow, CompanyRow } from './queries.ts'
import { cents, formatCents } from '../lib/money.ts'
import { Amount, EnvironmentSchema, field, object, Timestamp, visibleText } from '../lib/wire.ts'
import { formatId } from '../lib/ids.ts'

const name = visibleText(255, 'a name')
const reason = visibleText(2000, 'a reason')

const kind = field(
  Type.Enum(['individual', 'corporate']),
  'An individual may issue 500 cards in a calendar month; a corporate company has no such limit.',
)

const LIVE_SERVICES = 'Whether the company may issue cards, top up cards and order services in live.'
const DIRECT_INVOICES = 'Whether the company may create invoices in live.'

export const Capabilities = object(
  { liveServices: field(Type.Boolean(), LIVE_SERVICES), directInvoices: field(Type.Boolean(), DIRECT_INVOICES) },
  'Capabilities',
  'What the company is activated for in live.',
)

export const VerificationStatus = Type.Enum(['pending', 'approved', 'rejected'])

const CompanyBalance = object(
  {
    environment: EnvironmentSchema,
    available: field(Amount, 'What is available.'),
    held: field(Amount, 'What is held for open operations.'),
  },
  'CompanyBalance',
  'The card account of a company in one environment.',
)

export const Company = object(
  {
    id: field(Type.String(), 'The id of the company, `co_…`.'),
    name: field(Type.String(), 'The name of the company.'),
    kind,
    verification: field(VerificationStatus, 'Only the keys of an approved company work, also in the sandbox.'),
    capabilities: Capabilities,
    suspended: field(
      Type.Boolean(),
      'A suspended company can read, and freeze and close cards. Every other write is refused.',
    ),
    createdAt: field(Timestamp, 'When the company was created.'),
    balances: Type.Optional(
      field(Type.Array(CompanyBalance), 'Its card accounts. Only there when companies are listed or read.'),
    ),
  },
  'Company',
  'A company of the card programme.',
)

export const NewCompany = object(
  { name: field(name, 'The name of the company.'), kind },
  'CompanyCreate',
  'A company to create.',
)

export const Verification = object(
  {
    decision: field(Type.Enum(['approve', 'reject']), 'What was decided.'),
    reason: Type.Optional(field(reason, 'Why, for the audit log.')),
  },
  'VerificationDecision',
  'A decision about the verification of a company.',
)

export const Suspension = object(
  {
    suspended: field(
      Type.Boolean({ hint: 'true or false' }),
      'Whether to suspend the company or to lift the suspension.',
    ),
    reason: field(reason, 'Why, for the audit log.'),
  },
  'Suspension',
  'A decision to suspend a company or to lift its suspension.',
)

export const CapabilityChange = object(
  {
    liveServices: Type.Optional(field(Type.Boolean(), LIVE_SERVICES)),
    directInvoices: Type.Optional(field(Type.Boolean(), DIRECT_INVOICES)),
  },
  'CapabilityChange',
  'What to activate or deactivate. What is left out stays as it is.',
)

export function toCompany(row: CompanyRow & { balances?: readonly BalanceRow[] }): Static<typeof Company> {
  return {
    id: formatId('co', row.id),
    name: row.name,
    kind: row.kind,
    verification: row.verification,
    capabilities: { liveServices: row.live_services, directInvoices: row.direct_invoices },
    suspended: row.suspended,
    createdAt: row.created_at.toISOString(),
    ...(row.balances === undefined ? {} : { balances: row.balances.map(toBalance) }),
  }
}

function toBalance({ environment, available, held }: BalanceRow): Static<typeof CompanyBalance> {
  return { environment, available: formatCents(cents(available)), held: formatCents(cents(held)) }
}
