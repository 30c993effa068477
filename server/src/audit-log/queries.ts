// SQL that reads the audit log, whose records are written with each change.
import type { ActorKind } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'

export interface AuditRow {
  id: string
  company_id: string | null
  actor: string
  actor_kind: ActorKind | null
  actor_id: string | null
  actor_name: string | null
  action: string
  object: string | null
  details: Record<string, unknown>
  address: string | null
  request_id: string | null
  created_at: Date
}

export interface AuditFilter {
  readonly companyId: string | null
  readonly object: string | null
  readonly actorId: string | null
}

export function listAudit(db: Db, filter: AuditFilter, page: { after: string; limit: number }) {
  return db.many<AuditRow>(
    planEachTime(sql`
      select id, company_id, actor, actor_kind, actor_id, actor_name, action, object, details, address, request_id, created_at
      from audit_log
      where (${filter.companyId}::uuid is null or company_id = ${filter.companyId})
        and (${filter.object}::text is null or object = ${filter.object})
        and (${filter.actorId}::uuid is null or actor_id = ${filter.actorId})
        and id < ${page.after}
      order by id desc limit ${page.limit}`),
  )
}

/**
 * Across environments: what was done in a company. `is_own` says whether one of its people or keys did it; others work for the programme.
 * A person may belong to both, and then counts as one of the company.
 */
export function listCompanyAudit(db: Db, companyId: string, page: { after: string; limit: number }) {
  return db.many<AuditRow & { is_own: boolean }>(
    planEachTime(sql`
      select l.id, l.company_id, l.actor, l.actor_kind, l.actor_id, l.actor_name, l.action, l.object, l.details, l.address, l.request_id,
             l.created_at,
             case l.actor_kind
               when 'key' then true
               when 'person' then exists (
                 select from membership m where m.company_id = ${companyId} and m.person_id = l.actor_id)
               else false
             end as is_own
      from audit_log l
      where l.company_id = ${companyId} and l.id < ${page.after}
      order by l.id desc limit ${page.limit}`),
  )
}
