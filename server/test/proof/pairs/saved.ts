// A copy of the world, and a list of the tables that were changed since, so that the world is compared and brought back without
// reading all of it.
import type pg from 'pg'

interface Table {
  readonly name: string
  readonly columns: string
}

/** The tables that a request reads, and those that it changes. */
export interface Footprint {
  readonly read: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

export interface Saved {
  /** Brings back the rows of the tables that were changed. */
  restore(): Promise<void>
}

const TABLES = `
  select c.relname as name, string_agg(format('%I', a.attname), ', ' order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' group by c.relname`

/** Without a key, so that two transactions that change the same table do not wait for each other here. */
const MARKS = `
  create schema saved;
  create table saved.changed (name text not null);
  create function saved.mark() returns trigger language plpgsql as $$
  begin
    insert into saved.changed values (tg_table_name);
    return null;
  end $$`

export async function saveWorld(client: pg.Client): Promise<Saved> {
  const { rows: tables } = await client.query<Table>(TABLES)
  await client.query(MARKS)
  for (const { name } of tables) {
    await client.query(`create table saved.${name} as table ${name}`)
    await client.query(`create trigger mark after insert or update or delete on ${name} execute function saved.mark()`)
  }
  return {
    async restore() {
      const { rows } = await client.query<{ name: string }>('select distinct name from saved.changed')
      if (rows.length === 0) return
      const undo = tables
        .filter(({ name }) => rows.some((row) => row.name === name))
        .map(
          ({ name, columns }) =>
            `delete from ${name}; insert into ${name} (${columns}) select ${columns} from saved.${name};`,
        )
      // Neither the triggers of the server nor the marks see this.
      await client.query(
        `begin; set local session_replication_role = replica; ${undo.join(' ')} delete from saved.changed; commit`,
      )
    },
  }
}
