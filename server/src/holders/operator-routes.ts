// /admin/v1/companies/{id}/holders: an operator lists cardholders, adds one, changes a holder's status, or erases a holder.
import { type Static, Type } from 'typebox'
import { auditRecord } from '../access/audit.ts'
import type { Db } from '../db/pool.ts'
import { eraseHolder, holderErased } from './erase.ts'
import { listHolders } from './lists/queries.ts'
import { findHolder, insertHolderByOperator, updateHolderStatus } from './queries.ts'
import { ERASE_DESCRIPTION, Holder, HOLDER_STATUSES, HolderQuery, NewHolder, toHolder } from './schema.ts'
import { requireFound, requireId } from '../errors.ts'
import { created, ok, operatorRoute, type Route } from '../http/route.ts'
import { answerPage } from '../http/page.ts'
import { EnvironmentSchema, field, IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import type { Clock } from '../lib/clock.ts'
import { formatId, newId } from '../lib/ids.ts'

const OperatorHolder = object(
  { environment: EnvironmentSchema, ...NewHolder.properties },
  'CompanyHolderCreate',
  'A cardholder to add to a company.',
)
const StatusChange = object(
  {
    environment: EnvironmentSchema,
    status: field(Type.Enum([...HOLDER_STATUSES]), 'Only an `active` cardholder can get a card.'),
  },
  'HolderStatusChange',
  'The new status of a cardholder.',
)

const Place = object({ environment: EnvironmentSchema }, 'HolderPlace', 'Where the cardholder is.')
const HolderParams = object({
  id: field(Type.String(), 'The id of the company.'),
  holderId: field(Type.String(), 'The id of the cardholder.'),
})

export function holderOperatorRoutes({ db, clock, cursors }: { db: Db; clock: Clock; cursors: CursorCodec }): Route[] {
  const tag = 'holders'
  return [
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/companies/:id/holders',
      tag,
      id: 'listCompanyHolders',
      summary: 'List the cardholders of a company',
      description: 'Lists the cardholders of a company in one environment, newest first.',
      params: IdParams,
      query: object({
        ...pageQuery,
        environment: EnvironmentSchema,
        status: HolderQuery.properties.status,
        q: HolderQuery.properties.q,
      }),
      responses: { 200: pageOf(Holder) },
      handle: ({ params, query }) => {
        const scope = { companyId: requireId('co', params.id, 'id'), environment: query.environment }
        return answerPage({
          cursors,
          name: `holders of ${scope.companyId} for operators`,
          query,
          fetch: (slice) => listHolders(db, scope, query, slice),
          idOf: (row) => row.id,
          toWire: toHolder,
        })
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/holders',
      tag,
      id: 'createCompanyHolder',
      summary: 'Add a cardholder to a company',
      description: 'Adds a cardholder who is active immediately.',
      params: IdParams,
      body: OperatorHolder,
      responses: { 201: Holder },
      handle: async ({ actor, params, body }) => {
        const createdAt = clock.now()
        const id = newId(createdAt)
        const scope = { companyId: requireId('co', params.id, 'id'), environment: body.environment }
        const record = auditRecord(clock, actor, {
          action: 'holder.created',
          object: formatId('hld', id),
          details: { environment: body.environment },
        })
        const row = requireFound(await insertHolderByOperator(db, scope, toRow(id, createdAt, body), record))
        return created(`/api/v1/holders/${formatId('hld', id)}`, toHolder(row))
      },
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/admin/v1/companies/:id/holders/:holderId',
      tag,
      id: 'updateCompanyHolder',
      summary: 'Change the status of a cardholder',
      description: 'Activates, blocks or deactivates a cardholder. Only an active cardholder can get a card.',
      refusals: ['holder_erased'],
      params: HolderParams,
      body: StatusChange,
      responses: { 200: Holder },
      handle: async ({ actor, params, body }) => {
        const scope = { companyId: requireId('co', params.id, 'id'), environment: body.environment }
        const record = auditRecord(clock, actor, { action: 'holder.status', object: params.holderId, details: body })
        const holderId = requireId('hld', params.holderId)
        const row = await updateHolderStatus(db, scope, holderId, body.status, record)
        if (row === undefined && (await findHolder(db, scope, holderId)) !== undefined) throw holderErased(holderId)
        return ok(toHolder(requireFound(row)))
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/holders/:holderId/erase',
      tag,
      id: 'eraseCompanyHolder',
      summary: "Erase a cardholder's personal data",
      description: ERASE_DESCRIPTION,
      refusals: ['holder_in_use'],
      params: HolderParams,
      body: Place,
      responses: { 200: Holder },
      handle: async ({ actor, params, body }) => {
        const scope = { companyId: requireId('co', params.id, 'id'), environment: body.environment }
        return ok(toHolder(await eraseHolder({ db, clock }, scope, actor, requireId('hld', params.holderId))))
      },
    }),
  ]
}

/** A holder that an operator adds is active immediately, in live too. */
function toRow(id: string, createdAt: Date, body: Static<typeof OperatorHolder>) {
  const { name, email, kind, externalId } = body
  return { id, name, email, kind, status: 'active' as const, external_id: externalId ?? null, created_at: createdAt }
}
