// /admin/v1/companies/{id}/keys: creates, lists, rotates and revokes API keys.
import { Type } from 'typebox'
import type { AccessDeps } from '../access/deps.ts'
import { getCompany } from '../companies/companies.ts'
import { createKey, revokeKey, rotateKey } from './keys.ts'
import { ROTATION_OVERLAP_DEFAULT_S } from './rules.ts'
import { listKeys } from './queries.ts'
import { answerPage } from '../http/page.ts'
import { requireId } from '../errors.ts'
import { created, noContent, operatorRoute, type Route } from '../http/route.ts'
import { field, IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { CreatedKey, KeySchema, NewKeySchema, Rotation, toCreatedKey, toKey } from './schema.ts'

const KeyParams = object({
  id: field(Type.String(), 'The id of the company.'),
  keyId: field(Type.String(), 'The id of the key.'),
})

export function keyOperatorRoutes(deps: AccessDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'keys'
  return [
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/keys',
      tag,
      id: 'createKey',
      summary: 'Create an API key',
      description: 'Creates a key for one environment of the company. The answer is the only one that shows the key.',
      params: IdParams,
      body: NewKeySchema,
      refusals: ['api_key_limit'],
      responses: { 201: CreatedKey },
      handle: async ({ actor, params, body }) => {
        const made = toCreatedKey(await createKey(deps, actor, requireId('co', params.id), body))
        return created(`/admin/v1/companies/${params.id}/keys/${made.id}`, made)
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/admin/v1/companies/:id/keys',
      tag,
      id: 'listKeys',
      summary: 'List API keys',
      description: 'Lists the keys of a company, without the keys themselves.',
      params: IdParams,
      query: object(pageQuery),
      responses: { 200: pageOf(KeySchema) },
      handle: async ({ params, query }) => {
        const company = await getCompany(db, requireId('co', params.id))
        return answerPage({
          cursors,
          name: `keys of ${company.id}`,
          query,
          fetch: (slice) => listKeys(db, company.id, slice),
          idOf: (row) => row.id,
          toWire: toKey,
        })
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/admin/v1/companies/:id/keys/:keyId/rotate',
      tag,
      id: 'rotateKey',
      refusals: ['key_already_rotated', 'api_key_limit'],
      summary: 'Rotate an API key',
      description:
        'Creates a successor with the same name, scopes and addresses. The old key works until the overlap is over.',
      params: KeyParams,
      body: Rotation,
      responses: { 201: CreatedKey },
      handle: async ({ actor, params, body }) => {
        const made = await rotateKey(deps, actor, {
          companyId: requireId('co', params.id, 'id'),
          keyId: requireId('key', params.keyId),
          overlapSeconds: body.overlapSeconds ?? ROTATION_OVERLAP_DEFAULT_S,
        })
        const wire = toCreatedKey(made)
        return created(`/admin/v1/companies/${params.id}/keys/${wire.id}`, wire)
      },
    }),
    operatorRoute({
      method: 'DELETE',
      path: '/admin/v1/companies/:id/keys/:keyId',
      tag,
      id: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'Revokes the key. Every process refuses it within one second.',
      params: KeyParams,
      responses: { 204: null },
      handle: async ({ actor, params }) => {
        await revokeKey(deps, actor, requireId('co', params.id, 'id'), requireId('key', params.keyId))
        return noContent()
      },
    }),
  ]
}
