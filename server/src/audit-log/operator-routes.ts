// GET /admin/v1/audit-log: who did what, newest first. The log is written with each change, never here.
import { Type } from 'typebox'
import { withCompanyNames } from '../access/company-names.ts'
import { answerPage } from '../http/page.ts'
import { requireId } from '../errors.ts'
import { operatorRoute, type Route } from '../http/route.ts'
import { field, object, pageOf, pageQuery } from '../lib/wire.ts'
import { findId, ZERO_ID } from '../lib/ids.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { type NameDeps, withObjectNames } from './objects/names.ts'
import { listAudit } from './queries.ts'
import { AuditEntry, toAuditEntry } from './schema.ts'

export function auditLogOperatorRoutes({ db, cursors, catalog }: NameDeps & { cursors: CursorCodec }): Route[] {
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/audit-log',
      tag: 'audit log',
      id: 'listAuditLog',
      refusals: ['not_found'],
      summary: 'List the audit log',
      description: 'Lists who did what, when and from where, newest first. Records are never changed or deleted.',
      query: object({
        ...pageQuery,
        companyId: Type.Optional(field(Type.String({ maxLength: 100 }), 'Only records about this company.')),
        object: Type.Optional(
          field(Type.String({ maxLength: 100 }), 'Only records about the object with this id, such as a review.'),
        ),
        actorId: Type.Optional(
          field(
            Type.String({ maxLength: 100 }),
            'Only what the person (`per_…`), key or token (`key_…`) with this id did.',
          ),
        ),
      }),
      responses: { 200: pageOf(AuditEntry) },
      handle: async ({ query }) => {
        const companyId = query.companyId === undefined ? null : requireId('co', query.companyId, 'companyId')
        // An id of nobody finds nothing, as with an object.
        const actorId = query.actorId === undefined ? null : (findActorId(query.actorId) ?? ZERO_ID)
        return answerPage({
          cursors,
          name: 'audit-log',
          query,
          fetch: async (slice) => {
            const rows = await listAudit(db, { companyId, object: query.object ?? null, actorId }, slice)
            return withCompanyNames(db, await withObjectNames({ db, catalog }, 'operator', rows))
          },
          idOf: (row) => row.id,
          toWire: toAuditEntry,
        })
      },
    }),
  ]
}

function findActorId(text: string): string | undefined {
  return findId('per', text) ?? findId('key', text)
}
