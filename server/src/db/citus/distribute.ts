// Distributes the tables of a schema over the nodes of Citus, inside the transaction of the migration. Tables that are
// distributed already stay as they are, so it also serves upgrades that add tables.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { packagePath } from '../../lib/package-path.ts'
import { MigrationError } from '../migration-error.ts'
import { type Connection, toClientConfig } from '../pool.ts'
import { ANCHOR, DELEGATED_FUNCTIONS, COORDINATOR_KEYS, TABLES } from './layout.ts'

const SQL = packagePath('sql/citus')
const readSql = (name: string) => readFileSync(join(SQL, name), 'utf8')

/** Returns whether the company tables of the current schema are distributed. */
export async function isDistributed(client: pg.ClientBase): Promise<boolean> {
  // Without the extension there is no such catalogue, and a statement that names it fails.
  const { rows } = await client.query<{ has_citus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as has_citus`,
  )
  return rows[0]?.has_citus === true && (await listPlaced(client)).has(ANCHOR)
}

export async function readIsDistributed(connection: Connection): Promise<boolean> {
  const client = new pg.Client(toClientConfig(connection))
  // A connection that breaks meanwhile shows in the query; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await isDistributed(client)
  } finally {
    await client.end()
  }
}

/** Refuses a database that cannot be distributed, and says what to do. */
export async function requireCitus(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(`select from pg_extension where extname = 'citus'`)
  if (rows.length === 0) {
    throw new MigrationError(
      'This database has no Citus. Add citus to shared_preload_libraries on every node, run "create extension citus" in this database on every node, add the nodes with citus_add_node, and try again.',
    )
  }
  const { rows: nodes } = await client.query<{ is_coordinator: boolean; has_coordinator: boolean }>(
    `select (select groupid from pg_dist_local_group) = 0 as is_coordinator,
            exists (select from pg_dist_node where groupid = 0 and isactive) as has_coordinator`,
  )
  if (nodes[0]?.is_coordinator !== true) {
    throw new MigrationError('DATABASE_URL names a worker node of Citus. Name the coordinator instead.')
  }
  if (!nodes[0].has_coordinator) {
    throw new MigrationError(
      `The coordinator is not one of its own nodes. Run select citus_set_coordinator_host('ADDRESS', PORT) in this database, with an address that the workers can reach, and try again.`,
    )
  }
}

export async function distributeTables(client: pg.ClientBase): Promise<void> {
  await client.query('set local citus.enable_unsafe_triggers = on')
  await client.query('set local citus.enable_local_reference_table_foreign_keys = off')
  await client.query(readSql('triggers.sql'))
  const placed = await listPlaced(client)
  const isFirst = !placed.has(ANCHOR)
  if (isFirst) {
    await dropKeys(client)
    await client.query(readSql('append-only.sql'))
  }
  for (const [table, place] of Object.entries(TABLES)) {
    if (place === 'local' || placed.has(table)) continue
    await (place === 'coordinator'
      ? client.query('select citus_add_local_table_to_metadata($1)', [table])
      : distribute(client, table))
  }
  if (isFirst) await addKeys(client)
  await client.query(readSql('views.sql'))
}

async function distribute(client: pg.ClientBase, table: string): Promise<void> {
  const colocation = table === ANCHOR ? 'none' : ANCHOR
  await client.query(`select create_distributed_table($1, 'company_id', colocate_with => $2)`, [table, colocation])
}

/** Lets the functions of one company run on its node. They must have been created after the tables were distributed. */
export async function delegateFunctions(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select create_distributed_function(p.oid::regprocedure, 'p_company', colocate_with => $2)
     from pg_proc p where p.pronamespace = quote_ident(current_schema())::regnamespace and p.proname = any ($1)`,
    [DELEGATED_FUNCTIONS, ANCHOR],
  )
}

/** What runs in the transaction of a migration must use one connection per node, because it changes what later parts use. */
export async function useOneConnection(client: pg.ClientBase): Promise<void> {
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
}

/**
 * Returns a migration as a block, which runs each of its statements as a text of its own. Citus sends the text that a statement is part of to
 * the nodes, so that creating an index fails among other statements, and those would run again with each of them. In a block a migration
 * cannot read with a bare select.
 */
export function toBlock(text: string): string {
  return `do $migration$ begin\n${text}\nend $migration$`
}

async function listPlaced(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where c.relnamespace = quote_ident(current_schema())::regnamespace`,
  )
  return new Set(rows.map((row) => row.name))
}

async function dropKeys(client: pg.ClientBase): Promise<void> {
  for (const { table, name } of COORDINATOR_KEYS) await client.query(`alter table ${table} drop constraint ${name}`)
}

async function addKeys(client: pg.ClientBase): Promise<void> {
  for (const { table, name, definition, isKept } of COORDINATOR_KEYS) {
    if (isKept) await client.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}
