// All SQL on operator tokens. Each change and its record in the audit log are one statement.
import type { Db } from '../db/pool.ts'
import { fragment, sql } from '../db/sql.ts'
import type { AuditRecord } from '../access/audit.ts'
import type { Right } from '../access/right.ts'

/** The columns of an OperatorTokenRow. */
export const OPERATOR_TOKEN_COLUMNS = fragment`id, name, prefix, last4, created_at, revoked_at, last_used_at`

export interface OperatorTokenRow {
  id: string
  name: string
  prefix: string
  last4: string | null
  created_at: Date
  revoked_at: Date | null
  last_used_at: Date | null
}

interface NewOperatorToken {
  id: string
  name: string
  digest: Buffer
  prefix: string
  last4: string
  createdAt: Date
}

/** Stores a token that the server's settings contain. If it is stored already, only its missing last four are added. */
export function acceptOperatorToken(db: Db, token: NewOperatorToken) {
  return db.run(sql`
    insert into operator_token (id, name, digest, prefix, last4, created_at)
    values (${token.id}, ${token.name}, ${token.digest}, ${token.prefix}, ${token.last4}, ${token.createdAt})
    on conflict (digest) do update set prefix = excluded.prefix, last4 = excluded.last4
      where operator_token.last4 is null`)
}

/** Not created if `limit` tokens are active. Null if the right to make it has ended. */
export function createOperatorToken(db: Db, token: NewOperatorToken, limit: number, right: Right, log: AuditRecord) {
  return db.find<{ is_created: boolean | null }>(sql`
    select case when hold_right(${right}, '{}')
                then create_operator_token(${token.id}, ${token.name}, ${token.digest}, ${token.prefix}, ${token.last4},
                                           ${token.createdAt}, ${limit}, ${log}) end as is_created`)
}

/** Not revoked if it is the last active token. */
export function revokeOperatorToken(db: Db, id: string, at: Date, log: AuditRecord) {
  return db.find<{ is_revoked: boolean }>(sql`select revoke_operator_token(${id}, ${at}, ${log}) as is_revoked`)
}

export function findOperatorToken(db: Db, id: string) {
  return db.find<OperatorTokenRow>(sql`
    select ${OPERATOR_TOKEN_COLUMNS} from operator_token where id = ${id}`)
}

export function listOperatorTokens(db: Db, page: { after: string; limit: number }) {
  return db.many<OperatorTokenRow>(sql`
    select ${OPERATOR_TOKEN_COLUMNS} from operator_token
    where id < ${page.after}
    order by id desc limit ${page.limit}`)
}
