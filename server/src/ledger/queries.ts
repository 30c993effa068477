// All SQL of the ledger: calls of its functions, and reads. Only these functions write balances and entries.
import { toPlainArray } from '../db/array-literal.ts'
import type { Db } from '../db/pool.ts'
import { planEachTime, sql } from '../db/sql.ts'
import { must } from '../lib/invariant.ts'
import type { Slice } from '../lib/slice.ts'
import type { Environment, Scope } from '../lib/scope.ts'
import { groupByAccount } from './accounts.ts'
import type { AcceptItem, Candidate, Settlement } from './items.ts'

export interface AcceptRow {
  item: number
  verdict: 'replay' | 'conflict' | 'no_holder' | 'holder_inactive' | 'no_card' | 'card_inactive' | 'quota' | 'funds'
  available: bigint
  id: string | null
  type: Candidate['type'] | null
  amount: bigint | null
  fee: bigint | null
  created_at: Date | null
}

export interface OriginalRow {
  item: number
  verdict: 'replay' | 'conflict'
  id: string
  type: Candidate['type']
  amount: bigint
  fee: bigint
  created_at: Date
}

/** Returns the operations of the candidates whose keys exist. `item` counts from one. */
export function findOriginals(db: Db, candidates: readonly Candidate[]) {
  const scopes = candidates.map((candidate) => candidate.scope)
  return db.many<OriginalRow>(sql`
    select item, verdict, id, type, amount, fee, created_at from find_originals(
      ${toPlainArray(scopes.map((scope) => scope.companyId))}, ${toPlainArray(scopes.map((scope) => scope.environment))},
      ${candidates.map((candidate) => candidate.idempotencyKey)},
      ${toPlainArray(candidates.map((candidate) => candidate.digest))})`)
}

/** The first item names the company by which Citus finds the node; there, all items are of this company. */
export function acceptOperations(db: Db, now: Date, items: readonly AcceptItem[]) {
  const candidates = items.map((item) => item.candidate)
  const scopes = candidates.map((candidate) => candidate.scope)
  const { accounts, firstItems } = groupByAccount(scopes)
  return db.many<AcceptRow>(sql`
    select item, verdict, available, id, type, amount, fee, created_at from accept_operations(
      ${must(scopes[0]).companyId}, ${now}, ${toPlainArray(firstItems)}, ${toPlainArray(accounts)},
      ${toPlainArray(scopes.map((scope) => scope.companyId))}, ${toPlainArray(scopes.map((scope) => scope.environment))},
      ${toPlainArray(items.map((item) => item.id))}, ${candidates.map((candidate) => candidate.idempotencyKey)},
      ${toPlainArray(candidates.map((candidate) => candidate.digest))}, ${toPlainArray(candidates.map((candidate) => candidate.type))},
      ${toPlainArray(candidates.map((candidate) => candidate.productId))},
      ${toPlainArray(candidates.map((candidate) => candidate.amount))}, ${toPlainArray(candidates.map((candidate) => candidate.fee))},
      ${columnOf(candidates, (candidate) => candidate.holderId)}, ${columnOf(candidates, (candidate) => candidate.cardId)},
      ${columnOf(candidates, (candidate) => candidate.name)}, ${columnOf(candidates, (candidate) => candidate.recipient)},
      ${columnOf(candidates, (candidate) => candidate.issuanceQuota)}, ${columnOf(candidates, (candidate) => candidate.createdBy)})`)
}

export function acceptOperation(db: Db, now: Date, { id, candidate }: AcceptItem) {
  const { scope } = candidate
  return db.many<AcceptRow>(sql`
    select item, verdict, available, id, type, amount, fee, created_at from accept_operation(
      ${scope.companyId}, ${now}, ${scope.environment}, ${id}, ${candidate.idempotencyKey}, ${candidate.digest}, ${candidate.type},
      ${candidate.productId}, ${candidate.amount}, ${candidate.fee}, ${candidate.holderId}, ${candidate.cardId}, ${candidate.name},
      ${candidate.recipient}, ${candidate.issuanceQuota}, ${candidate.createdBy ?? null})`)
}

/** As in acceptOperations, the first item names the company. */
export function settleOperations(db: Db, now: Date, items: readonly Settlement[]) {
  const scopes = items.map((item) => item.scope)
  const { accounts, firstItems } = groupByAccount(scopes)
  return db.many<{ item: number; status: string | null }>(sql`
    select item, status from settle_operations(
      ${must(scopes[0]).companyId}, ${now}, ${toPlainArray(firstItems)}, ${toPlainArray(accounts)},
      ${toPlainArray(scopes.map((scope) => scope.companyId))}, ${toPlainArray(scopes.map((scope) => scope.environment))},
      ${toPlainArray(items.map((item) => item.id))}, ${toPlainArray(items.map((item) => item.status))},
      ${columnOf(items, (item) => item.receipt)},
      ${columnOf(items, (item) => item.card?.id)}, ${columnOf(items, (item) => item.card?.last4)},
      ${columnOf(items, (item) => item.failure?.code)}, ${columnOf(items, (item) => item.failure?.message)},
      ${columnOf(items, (item) => item.dueAt)}, ${columnOf(items, (item) => item.lookUps)})`)
}

/** Returns null for a column without values. Most batches are of one kind, and arrays are written and read element by element. */
function columnOf<Item, Value>(items: readonly Item[], valueOf: (item: Item) => Value): Value[] | null {
  const values = items.map(valueOf)
  return values.some((value) => value !== null && value !== undefined) ? values : null
}

export interface NewDeposit {
  id: string
  idempotencyKey: string
  digest: string
  amount: bigint
  fee: bigint
  limit: bigint
}

export function depositFunds(db: Db, scope: Scope, now: Date, deposit: NewDeposit) {
  return db.find<{ verdict: 'credited' | 'replay' | 'conflict' | 'limit'; original: string | null }>(sql`
    select verdict, original from deposit_funds(
      ${scope.companyId}, ${now}, ${scope.environment}, ${deposit.id}, ${deposit.idempotencyKey}, ${deposit.digest},
      ${deposit.amount}, ${deposit.fee}, ${deposit.limit})`)
}

export function findBalance(db: Db, scope: Scope) {
  return db.find<{ available: bigint; held: bigint }>(sql`
    select available, held from account where company_id = ${scope.companyId} and environment = ${scope.environment}`)
}

/** Returns what is available, and below how much the company's people are warned. */
export function findBalanceAlert(db: Db, scope: Scope) {
  return db.find<{ available: bigint; threshold: bigint | null }>(sql`
    select a.available, case a.environment when 'live' then c.low_balance_live else c.low_balance_sandbox end as threshold
    from account a join company c on c.id = a.company_id
    where a.company_id = ${scope.companyId} and a.environment = ${scope.environment}`)
}

export function setBalanceAlert(db: Db, scope: Scope, threshold: bigint | null) {
  return db.run(sql`
    update company set
      low_balance_live = case ${scope.environment}::text when 'live' then ${threshold}::bigint else low_balance_live end,
      low_balance_sandbox = case ${scope.environment}::text when 'live' then low_balance_sandbox else ${threshold}::bigint end
    where id = ${scope.companyId}`)
}

export interface AccountKey {
  company_id: string
  environment: Environment
}

export interface Unsealed extends AccountKey {
  readonly unsealed: bigint
  readonly ends_page: boolean
}

/** Returns the accounts after the given one. Across companies: the audit covers all of them. */
export function listAccountsAfter(db: Db, after: AccountKey, limit: number) {
  return db.many<AccountKey>(sql`
    select company_id, environment from account
    where (company_id, environment) > (${after.company_id}::uuid, ${after.environment}::environment)
    order by company_id, environment limit ${limit}`)
}

/**
 * Looks at the next `limit` accounts, and returns those of which entries are to be sealed now, with their number: the entries since the last
 * seal, if that seal is older than `sealedBefore` or at least `entries` entries back. The last of `limit` accounts is returned in any case,
 * and `ends_page` says so: there may be more after it. Across companies: the job seals all of them.
 */
export function listUnsealedAfter(
  db: Db,
  after: AccountKey,
  { sealedBefore, entries, limit }: { sealedBefore: Date; entries: number; limit: number },
) {
  return db.many<Unsealed>(sql`
    select u.company_id, u.environment, u.unsealed, u.place = ${limit}::integer as ends_page
    from (
      select p.*, row_number() over (order by p.company_id, p.environment) as place
      from (
        select a.company_id, a.environment,
               case when s.number is null then a.sequence
                    when a.sequence > s.number and (s.sealed_at < ${sealedBefore} or a.sequence >= s.number + ${entries}::bigint)
                    then a.sequence - s.number else 0 end as unsealed
        from account a
        left join lateral (
          select l.number, l.sealed_at from seal l where l.company_id = a.company_id and l.environment = a.environment and a.sequence > 0
          order by l.number desc limit 1
        ) s on true
        where (a.company_id, a.environment) > (${after.company_id}::uuid, ${after.environment}::environment)
        order by a.company_id, a.environment limit ${limit}
      ) p
    ) u
    where u.unsealed > 0 or u.place = ${limit}::integer
    order by u.place`)
}

/** Across companies: returns the next accounts' last key, their number, and the time of their oldest entry without a seal. */
export function measureSealLag(db: Db, after: AccountKey, limit: number) {
  return db.find<{ accounts: number; last: AccountKey | null; oldest: Date | null }>(sql`
    with page as (
      select a.company_id, a.environment, e.created_at
      from account a
      left join lateral (
        select s.number from seal s where s.company_id = a.company_id and s.environment = a.environment
        order by s.number desc limit 1
      ) sealed on true
      left join lateral (
        select n.created_at from entry n where n.company_id = a.company_id and n.environment = a.environment
          and a.sequence > coalesce(sealed.number, 0) and n.number = coalesce(sealed.number, 0) + 1 limit 1
      ) e on true
      where (a.company_id, a.environment) > (${after.company_id}::uuid, ${after.environment}::environment)
      order by a.company_id, a.environment limit ${limit}
    )
    select count(*)::int as accounts, min(p.created_at) as oldest,
           (select json_build_object('company_id', l.company_id, 'environment', l.environment) from page l
            order by l.company_id desc, l.environment desc limit 1) as last
    from page p`)
}

export function sealEntries(db: Db, account: AccountKey, now: Date, limit: number) {
  return db.find<{ sealed: bigint }>(sql`
    select seal_entries(${account.company_id}, ${now}, ${account.environment}, ${limit}) as sealed`)
}

/**
 * Seals several accounts in one transaction, in their order, so that two processes that do so wait for each other and no more. Not on
 * Citus, where a statement is about one company. Across companies: the job seals all of them.
 */
export function sealAccounts(db: Db, accounts: readonly AccountKey[], now: Date, limit: number) {
  return db.run(sql`
    select seal_entries(u.company_id, ${now}, u.environment, ${limit})
    from unnest(${toPlainArray(accounts.map((key) => key.company_id))}::uuid[],
                ${toPlainArray(accounts.map((key) => key.environment))}::environment[]) as u (company_id, environment)`)
}

export function auditAccount(db: Db, account: AccountKey) {
  return db.many<{ entries: bigint; difference: string | null }>(sql`
    select entries, difference from audit_account(${account.company_id}, ${account.environment})`)
}

export interface SealRow {
  company_id: string
  environment: Environment
  number: bigint
  hash: Buffer
  sealed_at: Date
}

export interface SealFilter {
  companyId: string | undefined
  environment: Environment | undefined
}

/** Across companies: the operator sees the seals of all. `slice.after` is the first half of the last hash that was read. */
export function listSeals(db: Db, { companyId, environment }: SealFilter, slice: Slice) {
  return db.many<SealRow>(
    planEachTime(sql`
      select company_id, environment, number, hash, sealed_at from seal
      where (sealed_at, hash) < (${slice.afterTime}, ${Buffer.from(slice.after.replaceAll('-', ''), 'hex')}::bytea)
        and (${companyId}::uuid is null or company_id = ${companyId})
        and (${environment}::environment is null or environment = ${environment})
      order by sealed_at desc, hash desc limit ${slice.limit}`),
  )
}

/** A file with old entries of an account, up to `number`. */
export interface ArchiveRow {
  number: bigint
  hash: Buffer
  balance: bigint
  held: bigint
  last_at: Date
  file_name: string
  file_digest: Buffer
  archived_at: Date
}

/** Returns the archives of an account, newest first. */
export function listArchives(db: Db, scope: Scope, { below, limit }: { below: bigint; limit: number }) {
  return db.many<ArchiveRow>(sql`
    select number, hash, balance, held, last_at, file_name, file_digest, archived_at from entry_archive
    where company_id = ${scope.companyId} and environment = ${scope.environment} and number < ${below}
    order by number desc limit ${limit}`)
}
