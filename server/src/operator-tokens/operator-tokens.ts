// What operators do with their own tokens. A new token is shown once, and its plain text is stored nowhere.
import { ApiError, requireFound } from '../errors.ts'
import { formatId, newId } from '../lib/ids.ts'
import { must } from '../lib/invariant.ts'
import { type Actor, auditRecord } from '../access/audit.ts'
import type { AccessDeps } from '../access/deps.ts'
import * as queries from './queries.ts'
import { rightLost } from '../access/right.ts'
import { makeToken, tokenEnds } from '../access/tokens.ts'

/** One for each person and each program that operates the server. More than this is a sign of tokens that nobody revokes. */
export const OPERATOR_TOKENS_MAX = 20

/** The answer contains the token in plain text, which is stored nowhere. */
export async function createOperatorToken(
  { db, clock, keyring }: AccessDeps,
  actor: Actor,
  { name }: { name: string },
): Promise<{ token: string; row: queries.OperatorTokenRow }> {
  const createdAt = clock.now()
  const token = makeToken('operator')
  const id = newId(createdAt)
  const record = auditRecord(clock, actor, {
    action: 'operator_token.created',
    object: formatId('key', id),
    details: { name },
  })
  const stored = { id, name, digest: keyring.digest(token), ...tokenEnds(token), createdAt }
  const { right = null } = actor
  const { is_created } = must(await queries.createOperatorToken(db, stored, OPERATOR_TOKENS_MAX, right, record))
  if (is_created === null) throw rightLost(right)
  if (!is_created) {
    throw new ApiError(
      'operator_token_limit',
      `There are ${OPERATOR_TOKENS_MAX} active operator tokens already. Revoke one that is not used, then try again.`,
    )
  }
  return { token, row: must(await queries.findOperatorToken(db, id)) }
}

/** Revoking again changes nothing and is not logged again. */
export async function revokeOperatorToken({ db, clock, keyring }: AccessDeps, actor: Actor, id: string): Promise<void> {
  const { name } = requireFound(await queries.findOperatorToken(db, id))
  const record = auditRecord(clock, actor, {
    action: 'operator_token.revoked',
    object: formatId('key', id),
    details: { name },
  })
  const { is_revoked } = must(await queries.revokeOperatorToken(db, id, clock.now(), record))
  if (!is_revoked) {
    throw new ApiError(
      'last_operator_token',
      'This is the last active operator token; without it nobody could operate the server. Create another token first, ' +
        'then revoke this one with it.',
    )
  }
  keyring.forget()
}
