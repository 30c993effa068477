// /api/v1/keys: the API keys of a company, for its owners and developers. Each request is about one environment.
import type { Actor } from '../access/audit.ts'
import type { Caller } from '../access/caller.ts'
import { createKey, revokeKey, rotateKey } from './keys.ts'
import { ROTATION_OVERLAP_DEFAULT_S } from './rules.ts'
import type { KeyPermission } from '../access/permissions.ts'
import { findKey, listKeys } from './queries.ts'
import { narrowRight } from '../access/right.ts'
import { CreatedKey, KeySchema, NewOwnKey, Rotation, toCreatedKey, toKey } from './schema.ts'
import { ApiError, notFound, requireId } from '../errors.ts'
import { answerPage } from '../http/page.ts'
import { created, memberRoute, noContent, type Route } from '../http/route.ts'
import type { Scope } from '../lib/scope.ts'
import { IdParams, object, pageOf, pageQuery } from '../lib/wire.ts'
import type { AccessDeps } from '../access/deps.ts'
import type { CursorCodec } from '../lib/cursor.ts'

export function keyRoutes(deps: AccessDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const path = '/api/v1/keys'
  const tag = 'keys'
  /** Returns a key of this environment. */
  const requireOwn = async ({ companyId, environment }: Scope, text: string) => {
    const row = await findKey(db, companyId, requireId('key', text))
    if (row?.environment !== environment) throw notFound()
    return row
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
        description:
          'Creates a key for the environment of the request. Its scopes are a part of what your role includes there. The answer is the only one that shows the key.',
        body: NewOwnKey,
        refusals: ['api_key_limit'],
        responses: { 201: CreatedKey },
        handle: async ({ caller, actor, body }) => {
          const { companyId, environment } = caller.scope
          const maker = requireOwnScopes(caller, actor, body.scopes)
          const made = toCreatedKey(await createKey(deps, maker, companyId, { ...body, environment }))
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
            fetch: (slice) => listKeys(db, scope.companyId, slice, scope.environment),
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
        refusals: ['key_already_rotated', 'api_key_limit'],
        summary: 'Rotate an API key',
        description:
          'Creates a successor with the same name, scopes and addresses, which your role must include. The old key works until the overlap is over.',
        params: IdParams,
        body: Rotation,
        responses: { 201: CreatedKey },
        handle: async ({ caller, actor, params, body }) => {
          const { companyId } = caller.scope
          const { id: keyId, scopes } = await requireOwn(caller.scope, params.id)
          const maker = requireOwnScopes(caller, actor, scopes)
          const { overlapSeconds = ROTATION_OVERLAP_DEFAULT_S } = body
          const made = toCreatedKey(await rotateKey(deps, maker, { companyId, keyId, overlapSeconds }))
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
          const { id } = await requireOwn(caller.scope, params.id)
          await revokeKey(deps, actor, caller.scope.companyId, id)
          return noContent()
        },
      },
    ),
  ]
}

/**
 * Refuses scopes that the maker of a key does not have: whoever makes a key has seen it, and could act with it. Returns the actor with a
 * right that includes them all.
 */
function requireOwnScopes(caller: Caller, actor: Actor, scopes: readonly KeyPermission[]): Actor {
  const { permissions, scope } = caller
  const missing = scopes.filter((each) => !permissions.has(each))
  if (missing.length > 0) {
    throw new ApiError(
      'scope_missing',
      `Your role does not include ${missing.join(', ')} in ${scope.environment}, so you cannot make a key with that. Ask an owner of the company.`,
      { param: 'scopes' },
    )
  }
  return { ...actor, right: narrowRight(actor.right ?? null, ['keys:write', ...scopes], scope.environment) }
}
