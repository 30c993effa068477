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
