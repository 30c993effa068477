// A Citus cluster for a run of the tests. A distributed database is a database of the same name on every node; copying it on every
// node gives a distributed copy, because Citus keeps its catalogue in the database.
import pg from 'pg'
import { closeDatabase, parseTestUrl, query, type TestConnection, type TestPostgres } from './postgres.ts'

/** Few, because every test file copies them. */
const SHARDS = 4

/** A port on which nothing listens. */
const CLOSED_PORT = 9

/**
 * The address names a database of the coordinator in which the nodes are registered. With `isOneAway`, the last worker has no shards
 * and cannot be reached: whatever fails then, fails for the companies of every node while one is away.
 */
export async function openCitus(url: string, { isOneAway }: { isOneAway: boolean }): Promise<TestPostgres> {
  const admin = parseTestUrl(url)
  const workers = await listWorkers(admin)
  if (workers.length === 0) throw new Error('The coordinator in TEST_CITUS_URL knows no worker; call citus_add_node.')
  const nodes = [admin, ...workers]
  const away = isOneAway ? workers.at(-1) : undefined
  const created: string[] = []
  return {
    admin,
    workers,
    isGiven: true,
    create: async (database) => {
      for (const node of nodes) await query(node, `create database ${database} template template0`)
      created.push(database)
      for (const node of nodes) await query({ ...node, database }, 'create extension citus')
      await query(admin, `alter database ${database} set citus.shard_count = ${SHARDS}`)
      const coordinator = { ...admin, database }
      await query(coordinator, `select citus_set_coordinator_host('${admin.host}', ${admin.port})`)
      for (const { host, port } of workers) await query(coordinator, `select citus_add_node('${host}', ${port})`)
      if (away !== undefined) {
        const node = `'${away.host}', ${away.port}`
        await query(coordinator, `select citus_set_node_property(${node}, 'shouldhaveshards', false)`)
      }
    },
    // A database that somebody uses cannot be copied.
    finish: async (database) => {
      if (away !== undefined) {
        const move = `update pg_dist_node set nodeport = ${CLOSED_PORT} where nodeport = ${away.port}`
        for (const node of nodes) await query({ ...node, database }, move)
      }
      await closeDatabase(nodes, database)
    },
    close: async () => {
      for (const database of created) {
        for (const node of nodes) await query(node, `drop database ${database} with (force)`)
      }
    },
  }
}

export async function listWorkers(admin: TestConnection): Promise<TestConnection[]> {
  const client = new pg.Client(admin)
  await client.connect()
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 and isactive order by nodeid',
    )
    return rows.map(({ host, port }) => ({ ...admin, host, port }))
  } finally {
    await client.end()
  }
}
