// What operators do with companies.
import * as queries from './queries.ts'
import type { Db } from '../db/pool.ts'
import { notFound, requireFound } from '../errors.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { type Actor, auditRecord } from '../access/audit.ts'
import type { AccessDeps } from '../access/deps.ts'

export async function createCompany(
  { db, clock }: Pick<AccessDeps, 'db' | 'clock'>,
  actor: Actor,
  company: { id?: string; name: string; kind: 'individual' | 'corporate' },
): Promise<queries.CompanyRow> {
  const createdAt = clock.now()
  const { name, kind } = company
  const row = { id: company.id ?? newId(createdAt), name, kind, created_at: createdAt }
  const record = auditRecord(clock, actor, {
    action: 'company.created',
    object: formatId('co', row.id),
    details: { name, kind },
  })
  return must(await queries.insertCompany(db, row, record))
}

/** `param` is the field that names the company, when it is not a part of the path. */
export async function getCompany(db: Db, id: string, param?: string): Promise<queries.CompanyRow> {
  return requireFound(await queries.findCompany(db, id), param)
}

export async function decideVerification(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  id: string,
  decision: { decision: 'approve' | 'reject'; reason?: string },
): Promise<queries.CompanyRow> {
  const record = auditRecord(clock, actor, {
    action: `company.verification.${decision.decision}`,
    object: formatId('co', id),
    details: decision,
  })
  const verification = decision.decision === 'approve' ? 'approved' : 'rejected'
  const row = await queries.updateVerification(db, id, verification, record)
  if (row === undefined) throw notFound()
  keyring.forget()
  return row
}

export async function changeSuspension(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  id: string,
  { suspended, reason }: { suspended: boolean; reason: string },
): Promise<queries.CompanyRow> {
  const record = auditRecord(clock, actor, {
    action: suspended ? 'company.suspended' : 'company.resumed',
    object: formatId('co', id),
    details: { reason },
  })
  const row = await queries.updateSuspension(db, id, suspended, record)
  if (row === undefined) return getCompany(db, id)
  keyring.forget()
  return row
}

export async function changeCapabilities(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  id: string,
  change: { liveServices?: boolean; directInvoices?: boolean },
): Promise<queries.CompanyRow> {
  const record = auditRecord(clock, actor, {
    action: 'company.capabilities',
    object: formatId('co', id),
    details: change,
  })
  const wanted = { liveServices: change.liveServices ?? null, directInvoices: change.directInvoices ?? null }
  const row = await queries.updateCapabilities(db, id, wanted, record)
  if (row === undefined) throw notFound()
  keyring.forget()
  return row
}
