// Replaces the SQL functions of the schema by those of this version. PostgreSQL cannot change the result or the parameters of a
// function in place: it refuses the first, and keeps the former function next to the new one for the second. It does not
// touch functions that others created.
import { posix } from 'node:path'
import type pg from 'pg'
import { MigrationError } from './migration-error.ts'
import type { SqlFile } from './sql-files.ts'

interface FunctionRow {
  readonly name: string
  readonly signature: string
  /** The objects that use it, such as a view that an operator made; null when there are none. */
  readonly users: string | null
}

const functionOf = (name: string) => posix.basename(name, '.sql')

export interface Replacement {
  /** The names of the files that were applied. */
  readonly applied: readonly string[]
  readonly files: readonly SqlFile[]
  /**
   * Whether functions whose parameters and result stay the same are replaced and not dropped. Processes of the previous version
   * may run then: a call that was planned before a drop fails.
   */
  readonly inPlace: boolean
  migrateTables(): Promise<void>
}

export async function replaceFunctions(
  client: pg.Client,
  { applied, files, inPlace, migrateTables }: Replacement,
): Promise<void> {
  const own = applied.filter((name) => /^(?:citus\/)?functions\//.test(name)).map(functionOf)
  const former = await listFunctions(client, own)
  // What is in use cannot be dropped. It can be replaced if neither its parameters nor its result change.
  const kept = inPlace ? former : former.filter((row) => row.users !== null)
  if (!inPlace) await dropFunctions(client, former)
  await migrateTables()
  await requireFree(client, files, kept)
  await createFunctions(client, files, kept)
}

/** Drops those that nothing uses. */
async function dropFunctions(client: pg.Client, rows: readonly FunctionRow[]): Promise<void> {
  const unused = rows.filter((row) => row.users === null)
  if (unused.length > 0) await client.query(`drop function ${unused.map((row) => row.signature).join(', ')}`)
}

async function listFunctions(client: pg.Client, names: readonly string[]): Promise<FunctionRow[]> {
  const { rows } = await client.query<FunctionRow>(
    `select p.proname as name, p.oid::regprocedure::text as signature, d.users
     from pg_proc p
     cross join lateral (
       select string_agg(distinct pg_describe_object(d.classid, d.objid, 0), ', ') as users
       from pg_depend d where d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid
     ) d
     where p.pronamespace = quote_ident(current_schema())::regnamespace and p.proname = any ($1)`,
    [names],
  )
  return rows
}

async function requireFree(client: pg.Client, files: readonly SqlFile[], kept: readonly FunctionRow[]): Promise<void> {
  const names = files.map((file) => functionOf(file.name))
  const own = new Set(kept.map((row) => row.signature))
  const foreign = (await listFunctions(client, names)).find((row) => !own.has(row.signature))
  if (foreign !== undefined) {
    throw new MigrationError(
      `The schema has a function ${foreign.signature} that Cardstock did not create. Rename it, or give Cardstock a database of its own.`,
    )
  }
}

async function createFunctions(
  client: pg.Client,
  files: readonly SqlFile[],
  kept: readonly FunctionRow[],
): Promise<void> {
  // Files are in alphabetical order, so a function may call one that is created after it. A test checks the bodies.
  await client.query('set local check_function_bodies = off')
  for (const file of files) {
    const former = kept.filter((row) => row.name === functionOf(file.name))
    try {
      await createFunction(client, file, former)
    } catch (error) {
      requireUnused(former)
      throw new MigrationError(`${file.name} failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const now = await listFunctions(
    client,
    files.map((file) => functionOf(file.name)),
  )
  // A second function with the name means that the parameters have changed.
  const obsolete = kept.filter((row) => now.filter(({ name }) => name === row.name).length !== 1)
  requireUnused(obsolete)
  await dropFunctions(client, obsolete)
}

/** PostgreSQL's code for a change that CREATE OR REPLACE cannot make, such as another result. */
const CANNOT_REPLACE = '42P13'

async function createFunction(client: pg.Client, { text }: SqlFile, former: readonly FunctionRow[]): Promise<void> {
  await client.query('savepoint before_function')
  try {
    await client.query(text)
  } catch (error) {
    const isReplaceable = former.length > 0 && former.every((row) => row.users === null)
    if (!isReplaceable || (error as { code?: string }).code !== CANNOT_REPLACE) throw error
    await client.query('rollback to savepoint before_function')
    await dropFunctions(client, former)
    await client.query(text)
  }
  await client.query('release savepoint before_function')
}

/** Refuses to change or remove what something else uses. */
function requireUnused(changed: readonly FunctionRow[]): void {
  const row = changed.find(({ users }) => users !== null)
  if (row === undefined) return
  throw new MigrationError(
    `This version changes or removes the function ${row.signature}, but ${row.users} uses it. Drop that, start again, and create it anew.`,
  )
}
