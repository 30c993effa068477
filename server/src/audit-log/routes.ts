// GET /api/v1/audit-log: what was done in a company, for its own people. Who works for the programme stays unnamed.
import { answerPage } from '../http/page.ts'
import { memberRoute, type Route } from '../http/route.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { object, pageOf, pageQuery } from '../lib/wire.ts'
import { type NameDeps, withObjectNames } from './objects/names.ts'
import { listCompanyAudit } from './queries.ts'
import { CompanyAuditEntry, toCompanyAuditEntry } from './schema.ts'

export function auditLogRoutes({ db, cursors, catalog }: NameDeps & { cursors: CursorCodec }): Route[] {
  return [
    memberRoute(
      { anyOf: ['people:read'] },
      {
        method: 'GET',
        path: '/api/v1/audit-log',
        tag: 'team',
        id: 'listCompanyAuditLog',
        summary: 'List what was done in the company',
        description:
          'Lists who changed what in the company, newest first, in both environments. Of what the programme did, it says that and when, not which person.',
        query: object(pageQuery),
        responses: { 200: pageOf(CompanyAuditEntry) },
        handle: ({ caller, query }) =>
          answerPage({
            cursors,
            name: `audit log of ${caller.scope.companyId}`,
            query,
            fetch: async (slice) =>
              withObjectNames(
                { db, catalog },
                caller.permissions,
                await listCompanyAudit(db, caller.scope.companyId, slice),
              ),
            idOf: (row) => row.id,
            toWire: toCompanyAuditEntry,
          }),
      },
    ),
  ]
}
