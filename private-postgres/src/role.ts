// The role that the server itself uses in its private database. It owns what the server stores and nothing else; the
// superuser is for the launcher, which keeps the cluster. A cluster of an earlier version gets the role at its next start.
import { createHmac } from 'node:crypto'
import { Client, escapeIdentifier, escapeLiteral } from 'pg'
import type { Connection } from './ready.ts'

/** Local and short; only a cluster with many objects of an earlier version has anything to do. */
const STATEMENTS_MS_MAX = 60_000

/** Returns the connection of the server's own role, after making sure that the role exists and owns everything. */
export async function ensureServerRole(superuser: Connection): Promise<Connection> {
  const server = serverConnection(superuser)
  const client = new Client({ ...superuser, query_timeout: STATEMENTS_MS_MAX })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(createRole(server))
    await client.query(handOver(server.user))
  } finally {
    await client.end()
  }
  return server
}

export function serverConnection(superuser: Connection): Connection {
  const user = `${superuser.user}_server`
  return { ...superuser, user, password: passwordOf(user, superuser.password) }
}

/** Made from the superuser's, so that there is one secret to keep; the other cannot be found from it. */
function passwordOf(role: string, superuserPassword: string): string {
  return createHmac('sha256', superuserPassword).update(role).digest('base64url')
}

function createRole({ user, password, database }: Connection): string {
  const role = escapeIdentifier(user)
  return `
    do $$ begin
      if not exists (select from pg_roles where rolname = ${escapeLiteral(user)}) then create role ${role}; end if;
    end $$;
    alter role ${role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password ${escapeLiteral(password)};
    alter database ${escapeIdentifier(database)} owner to ${role};`
}

/**
 * Hands over what an earlier version made as superuser. One by one: REASSIGN OWNED refuses the cluster's first role.
 * Sequences of identity columns follow their table, and parts of extensions stay.
 */
function handOver(role: string): string {
  return `
    do $$ declare change text;
    begin
      for change in
        with ours as (
          select oid, nspname from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'
        ), part as (
          select objid from pg_depend where deptype = 'e' or (deptype in ('a', 'i') and classid = 'pg_class'::regclass)
        )
        select format('alter schema %I owner to ${role}', nspname) from pg_namespace join ours using (oid, nspname)
         where nspowner = current_user::regrole
        union all
        select format('alter %s %s owner to ${role}',
                      case relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end, oid::regclass)
          from pg_class
         where relnamespace in (select oid from ours) and relkind in ('r', 'p', 'S', 'v')
           and relowner = current_user::regrole and oid not in (select objid from part)
        union all
        select format('alter routine %s owner to ${role}', oid::regprocedure) from pg_proc
         where pronamespace in (select oid from ours) and proowner = current_user::regrole
           and oid not in (select objid from part)
        union all
        select format('alter type %s owner to ${role}', t.oid::regtype) from pg_type t left join pg_class c on c.oid = t.typrelid
         where t.typnamespace in (select oid from ours) and t.typowner = current_user::regrole
           and (t.typtype in ('e', 'd') or c.relkind = 'c')
      loop
        execute change;
      end loop;
    end $$;`
}
