// /admin/v1/operator-tokens: operators create, list and revoke their own tokens.
import { type Static, Type } from 'typebox'
import type { AccessDeps } from '../access/deps.ts'
import { createOperatorToken, OPERATOR_TOKENS_MAX, revokeOperatorToken } from './operator-tokens.ts'
import { listOperatorTokens, type OperatorTokenRow } from './queries.ts'
import { requireId } from '../errors.ts'
import { answerPage } from '../http/page.ts'
import { created, noContent, operatorRoute, type Route } from '../http/route.ts'
import type { CursorCodec } from '../lib/cursor.ts'
import { formatId } from '../lib/ids.ts'
import { field, IdParams, nullable, object, pageOf, pageQuery, Timestamp, visibleText } from '../lib/wire.ts'

const PATH = '/admin/v1/operator-tokens'

const tokenFields = {
  id: field(Type.String(), 'The id of the token, `key_…`, as the audit log names it. It is not the token itself.'),
  name: field(Type.String(), 'Who or what uses the token.'),
  prefix: field(Type.String(), 'How the token begins.'),
  last4: nullable(
    field(
      Type.String(),
      'The last four characters of the token. Null when version 0.1 stored it and no server knows it.',
    ),
  ),
  createdAt: field(Timestamp, 'When the token was created.'),
}
const OperatorToken = object(
  {
    ...tokenFields,
    revokedAt: nullable(field(Timestamp, 'When the token was revoked. Null when it was not.')),
    lastUsedAt: nullable(field(Timestamp, 'When the token was last used, to the minute. Null when it never was.')),
  },
  'OperatorToken',
  'An operator token, without the token itself.',
)
const CreatedOperatorToken = object(
  { ...tokenFields, token: field(Type.String(), 'The token itself. It is shown only here.') },
  'CreatedOperatorToken',
  'A new operator token.',
)
const NewOperatorToken = object(
  { name: field(visibleText(255, 'a name'), 'Who or what will use the token.') },
  'OperatorTokenCreate',
  'A token to create.',
)

function tokenFieldsOf(row: OperatorTokenRow) {
  return {
    id: formatId('key', row.id),
    name: row.name,
    prefix: row.prefix,
    last4: row.last4,
    createdAt: row.created_at.toISOString(),
  }
}

function toOperatorToken(row: OperatorTokenRow): Static<typeof OperatorToken> {
  return {
    ...tokenFieldsOf(row),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

export function operatorTokenRoutes(deps: AccessDeps & { cursors: CursorCodec }): Route[] {
  const { db, cursors } = deps
  const tag = 'operator tokens'
  return [
    operatorRoute({
      method: 'POST',
      path: PATH,
      tag,
      id: 'createOperatorToken',
      refusals: ['operator_token_limit'],
      summary: 'Create an operator token',
      description:
        'Creates a token with all rights of an operator. The answer is the only one that shows the token. ' +
        `At most ${OPERATOR_TOKENS_MAX} tokens can be active. Give each person and each program a token of its own: the audit ` +
        'log names the token that was used.',
      body: NewOperatorToken,
      responses: { 201: CreatedOperatorToken },
      handle: async ({ actor, body }) => {
        const { token, row } = await createOperatorToken(deps, actor, body)
        const made: Static<typeof CreatedOperatorToken> = { ...tokenFieldsOf(row), token }
        return created(`${PATH}/${made.id}`, made)
      },
    }),
    operatorRoute({
      method: 'GET',
      path: PATH,
      tag,
      id: 'listOperatorTokens',
      summary: 'List operator tokens',
      description: 'Lists all operator tokens, including revoked ones, without the tokens themselves. Newest first.',
      query: object(pageQuery),
      responses: { 200: pageOf(OperatorToken) },
      handle: ({ query }) =>
        answerPage({
          cursors,
          name: 'operator tokens',
          query,
          fetch: (slice) => listOperatorTokens(db, slice),
          idOf: (row) => row.id,
          toWire: toOperatorToken,
        }),
    }),
    operatorRoute({
      method: 'DELETE',
      path: `${PATH}/:id`,
      tag,
      id: 'revokeOperatorToken',
      refusals: ['last_operator_token'],
      summary: 'Revoke an operator token',
      description:
        'Revokes the token, which may be the one that makes this request. Every process refuses it within one second. The ' +
        'last active token cannot be revoked.',
      params: IdParams,
      responses: { 204: null },
      handle: async ({ actor, params }) => {
        await revokeOperatorToken(deps, actor, requireId('key', params.id))
        return noContent()
      },
    }),
  ]
}
