// All SQL of backups and restores, on their one connection: snapshot, lists of tables, emptying, and the statements of COPY.
import pg from 'pg'
import type { AuditRecord } from '../access/audit.ts'
import { EARLIER_CHALLENGES } from '../people/passkeys/queries.ts'
import type { TableStart } from './records.ts'

/** The text of every value is the same whatever the settings of the database are. For the transaction only: a pooler shares sessions. */
const SETTINGS = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/** Writes wait behind the lock before it is granted. It gives up before they do, after 15 s. */
const SHARE_LOCK_MS = 10_000

/** Begins a transaction. `mode` is what follows BEGIN. */
export async function begin(client: pg.Client, mode = ''): Promise<void> {
  await client.query(`begin ${mode}`)
  for (const [name, value] of Object.entries(SETTINGS)) await client.query(`set local ${name} = '${value}'`)
}

export async function commit(client: pg.Client): Promise<void> {
  await client.query('commit')
}

export interface TableRow extends TableStart {
  /** With its indexes. */
  readonly bytes: number
  /** The tables that its rows refer to. */
  readonly parents: readonly string[]
}

export async function listTableRows(client: pg.Client): Promise<TableRow[]> {
  const { rows } = await client.query<TableRow>(`
    select c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes,
           array(select a.attname::text from pg_attribute a
                 where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
           array(select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
                 where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c
    where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`)
  return rows
}

/** In share mode nobody can write, and what waits for it longer than the limit fails. */
export async function lockTables(
  client: pg.Client,
  names: readonly string[],
  mode: 'access share' | 'share',
): Promise<void> {
  if (mode === 'share') await client.query(`set local lock_timeout = ${SHARE_LOCK_MS}`)
  await client.query(`lock table ${names.map(quote).join(', ')} in ${mode} mode`)
}

export async function listMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from schema_file where name like 'migrations/%' order by name`,
  )
  return rows.map(({ name }) => name)
}

export async function findSecretKeyCheck(client: pg.Client): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ value: Buffer }>(
    `select value from installation where name = 'secret_key_check'`,
  )
  return rows[0]?.value
}

/** Returns the name of anything that makes a database not empty. What an extension brings does not. */
export async function findAnyTable(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname limit 1`)
  return rows[0]?.name
}

/** Empties the tables, which migrations may have filled, and switches off the triggers that keep people from changing the books. */
export async function emptyTables(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) await client.query(`alter table ${quote(name)} disable trigger user`)
  await client.query(`truncate ${names.map(quote).join(', ')}`)
}

export async function enableTriggers(client: pg.Client, names: readonly string[]): Promise<void> {
  for (const name of names) await client.query(`alter table ${quote(name)} enable trigger user`)
}

export interface EndedAccess {
  readonly sessions: number
  readonly links: number
}

/** Ends every session, one-time link and challenge: what ended after the backup must not work again. */
export async function endAccess(
  client: pg.Client,
  { at, challengesUntil }: { at: Date; challengesUntil: Date },
): Promise<EndedAccess> {
  const sessions = await client.query(
    'update person_session set ended_at = $1 where ended_at is null and expires_at > $1',
    [at],
  )
  const links = await client.query(
    'update one_time_link set revoked_at = $1 where used_at is null and revoked_at is null and expires_at > $1',
    [at],
  )
  await client.query(
    `insert into used_challenge (nonce, expires_at) select $1, $2 where exists (select from passkey)
     on conflict (nonce) do update set expires_at = excluded.expires_at`,
    [EARLIER_CHALLENGES, challengesUntil],
  )
  return { sessions: sessions.rowCount ?? 0, links: links.rowCount ?? 0 }
}

/** Cancels the mails that waited: the server that made the backup has sent them, or somebody has passed their links on. */
export async function cancelMails(client: pg.Client): Promise<void> {
  await client.query(
    `update outgoing_mail set status = 'cancelled', details = '{}', link = null, link_key_id = null where status = 'waiting'`,
  )
}

export interface ValidKeys {
  readonly keys: number
  readonly operatorTokens: number
}

/** Across companies: how many keys and tokens work from now on. */
export async function countValidKeys(client: pg.Client, at: Date): Promise<ValidKeys> {
  const { rows } = await client.query<ValidKeys>(
    `select (select count(*)::integer from api_key where revoked_at is null and (expires_at is null or expires_at > $1)) as keys,
            (select count(*)::integer from operator_token where revoked_at is null) as "operatorTokens"`,
    [at],
  )
  return rows[0] ?? { keys: 0, operatorTokens: 0 }
}

export async function recordRestore(client: pg.Client, record: AuditRecord): Promise<void> {
  await client.query('select record_audit(null, $1)', [JSON.stringify(record)])
}

export const copyToStatement = (table: TableStart) => `copy ${listed(table)} to stdout`
export const copyFromStatement = (table: TableStart) => `copy ${listed(table)} from stdin`

const quote = (name: string) => pg.escapeIdentifier(name)
const listed = ({ name, columns }: TableStart) =>
  `${quote(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`
