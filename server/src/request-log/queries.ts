// All SQL on the request log.
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import { firstIdAt } from '../lib/ids.ts'
import type { Page } from '../lib/page.ts'
import type { Environment, Scope } from '../lib/scope.ts'

export interface RequestLogRow {
  company_id: string
  environment: Environment
  id: string
  key_id: string
  method: string
  path: string
  status: number
  duration_ms: number
  request_id: string
  address: string
  error_code: string | null
  request_body: unknown
  response_body: unknown
  created_at: Date
}

/** The bodies are JSON text. */
export type NewRequestLogRow = Omit<RequestLogRow, 'request_body' | 'response_body'> & {
  request_body: string | null
  response_body: string | null
}

export function insertRequestLogs(db: Db, rows: readonly NewRequestLogRow[]) {
  const column = <Name extends keyof NewRequestLogRow>(name: Name) => rows.map((row) => row[name])
  return db.run(sql`
    insert into request_log (company_id, environment, id, key_id, method, path, status, duration_ms, request_id, address, error_code,
                             request_body, response_body, created_at)
    select company_id, environment, id, key_id, method, path, status, duration_ms, request_id, address, error_code,
           request_body::jsonb, response_body::jsonb, created_at
    from unnest(${column('company_id')}::uuid[], ${column('environment')}::environment[], ${column('id')}::uuid[],
                ${column('key_id')}::uuid[], ${column('method')}::text[], ${column('path')}::text[], ${column('status')}::smallint[],
                ${column('duration_ms')}::integer[], ${column('request_id')}::text[], ${column('address')}::text[],
                ${column('error_code')}::text[], ${column('request_body')}::text[], ${column('response_body')}::text[],
                ${column('created_at')}::timestamptz[])
      as r (company_id, environment, id, key_id, method, path, status, duration_ms, request_id, address, error_code,
            request_body, response_body, created_at)`)
}

export interface RequestLogFilter {
  status: number | undefined
  path: string | undefined
  keyId: string | undefined
  from: Date
  until: Date | null
}

export function listRequestLogs(db: Db, scope: Scope, filter: RequestLogFilter, page: Page) {
  const newest = filter.until === null ? page.after : firstIdAt(filter.until)
  return db.many<RequestLogRow>(
    planEachTime(sql`
      select company_id, environment, id, key_id, method, path, status, duration_ms, request_id, address, error_code,
             request_body, response_body, created_at
      from request_log
      where company_id = ${scope.companyId} and environment = ${scope.environment}
        and id < ${page.after} and id < ${newest} and id >= ${firstIdAt(filter.from)}
        and (${filter.status}::smallint is null or status = ${filter.status})
        and (${filter.path}::text is null or path = ${filter.path})
        and (${filter.keyId}::uuid is null or key_id = ${filter.keyId})
      order by id desc limit ${page.limit}`),
  )
}

/** Removes the oldest records and returns how many. Across companies: the records of all companies are kept for the same time. */
export function pruneRequestLogs(db: Db, before: Date, limit: number) {
  return db.run(sql`
    delete from request_log r using (
      select company_id, environment, id from request_log where created_at < ${before} order by created_at limit ${limit}
    ) old
    where r.company_id = old.company_id and r.environment = old.environment and r.id = old.id`)
}
