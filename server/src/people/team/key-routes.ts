// /api/v1/keys: the API keys of a company, for its owners and developers. Each request is about one environment.
import { createKey, revokeKey, ROTATION_OVERLAP_DEFAULT_S, rotateKey } from '../../access/companies.ts'
import { findKey, listKeys } from '../../access/queries.ts'
import { CreatedKey, KeySchema, Rotation, toCreatedKey, toKey } from '../../admin/schema.ts'
import { notFound, requireId } from '../../errors.ts'
import { answerPage } from '../../http/page.ts'
import { created, memberRoute, noContent, type Route } from '../../http/route.ts'
import type { Scope } from '../../lib/scope.ts'
import { IdParams, object, pageOf, pageQuery } from '../../lib/wire.ts'
import type { PeopleDeps } from '../deps.ts'
import { NewOwnKey } from './schema.ts'

export function ownKeyRoutes(deps: PeopleDeps): Route[] {
  const { db, cursors } = deps
  const path = '/api/v1/keys'
  const tag = 'keys'
  /** Returns the id of a key of this environment. */
  const requireOwn = async ({ companyId, environment }: Scope, text: string) => {
    const keyId = requireId('key', text)
    if ((await findKey(db, companyId, keyId))?.environment !== environment) throw notFound()
    return keyId
  }
  return [
    memberRoute(
      { anyOf: ['keys:write'] },
      {
        method: 'POST',
        path,
        tag,
        id: 'createOwnKey',
        summary: 'Create an API key',
        description: 'Creates a key for the environment of the request. The answer is the only one that shows the key.',
        body: NewOwnKey,
        responses: { 201: CreatedKey },
        handle: async ({ caller, actor, body }) => {
          const { companyId, environment } = caller.scope
          const made = toCreatedKey(await createKey(deps, actor, companyId, { ...body, environment }))
          return created(`${path}/${made.id}`, made)
        },
      },
    ),
    memberRoute(
      { anyOf: ['keys:read'] },
      {
        method: 'GET',
        path,
        tag,
        id: 'listOwnKeys',
        summary: 'List API keys',
        description: 'Lists the keys of the environment of the request, without the keys themselves, newest first.',
        query: object(pageQuery),
        responses: { 200: pageOf(KeySchema) },
        handle: async ({ caller: { scope }, query }) =>
          answerPage({
            cursors,
            name: 'own keys',
            scope,
            query,
            fetch: (page) => listKeys(db, scope.companyId, page, scope.environment),
            idOf: (row) => row.id,
            toWire: toKey,
          }),
      },
    ),
    memberRoute(
      { anyOf: ['keys:write'] },
      {
        method: 'POST',
        path: `${path}/:id/rotate`,
        tag,
        id: 'rotateOwnKey',
        refusals: ['key_already_rotated'],
        summary: 'Rotate an API key',
        description:
          'Creates a successor with the same name, scopes and addresses. The old key works until the overlap is over.',
        params: IdParams,
        body: Rotation,
        responses: { 201: CreatedKey },
        handle: async ({ caller, actor, params, body }) => {
          const { companyId } = caller.scope
          const keyId = await requireOwn(caller.scope, params.id)
          const { overlapSeconds = ROTATION_OVERLAP_DEFAULT_S } = body
          const made = toCreatedKey(await rotateKey(deps, actor, { companyId, keyId, overlapSeconds }))
          return created(`${path}/${made.id}`, made)
        },
      },
    ),
    memberRoute(
      { anyOf: ['keys:write'] },
      {
        method: 'DELETE',
        path: `${path}/:id`,
        tag,
        id: 'revokeOwnKey',
        summary: 'Revoke an API key',
        description: 'Revokes the key. Every process refuses it within one second.',
        params: IdParams,
        responses: { 204: null },
        handle: async ({ caller, actor, params }) => {
          await revokeKey(deps, actor, caller.scope.companyId, await requireOwn(caller.scope, params.id))
          return noContent()
        },
      },
    ),
  ]
}
