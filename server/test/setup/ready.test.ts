// Ready means ready: a server that is starting for the first time says so only when everything is there.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, it } from 'vitest'
import { ask, readCredentials, startServer, until } from '../chaos/server.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase } from '../support/harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'cardstock ready '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The file is written before the demonstration company is made, and again with its key. */
function areCredentialsWhole(): boolean {
  if (!existsSync(join(folder, 'credentials.json'))) return false
  const { operatorToken, demo } = readCredentials(folder)
  return operatorToken !== undefined && demo?.sandboxKey !== undefined
}

it('the first start answers 200 on /readyz and prints its address only when credentials.json is whole', async () => {
  const port = await findFreePort()
  const seen: { status: number | undefined; isWhole: boolean }[] = []
  let printed = ''
  const watching = { over: false }
  // Asks from the first moment on, so that every state of the start is seen.
  const watch = async () => {
    while (!watching.over) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
      // Read after the answer: what makes the server ready happened before it.
      seen.push({ status: answer?.status, isWhole: areCredentialsWhole() })
      await answer?.body?.cancel()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const watched = watch()
  const addressAt: boolean[] = []
  const server = await startServer({ DATA_DIR: folder, PORT: String(port), LOG_LEVEL: 'info' }, [], {
    onOutput: (text) => {
      printed += text
      if (/listens on/.test(text)) addressAt.push(areCredentialsWhole())
    },
  })
  watching.over = true
  await watched
  try {
    expect(seen.filter(({ status, isWhole }) => status === 200 && !isWhole)).toEqual([])
    expect(addressAt).toEqual([true])
    const { demo } = readCredentials(folder)
    const balance = await ask(server, 'GET', '/api/v1/balance', { token: demo.sandboxKey })
    expect(balance?.status).toBe(200)
    expect(printed).not.toMatch(/\n\s+at /)
  } finally {
    await server.stop()
  }
})

it('a database that does not answer while the links for signing in are made does not end the first start', async () => {
  const database = await createDatabase()
  const [blocker, watcher] = [new pg.Client(database.connection), new pg.Client(database.connection)]
  await Promise.all([blocker.connect(), watcher.connect()])
  await blocker.query('begin')
  await blocker.query('lock table one_time_link')
  let printed = ''
  const environ = { DATA_DIR: join(folder, 'blocked'), DATABASE_URL: toDatabaseUrl(database.connection) }
  const server = await startServer(environ, undefined, {
    onOutput: (text) => {
      printed += text
    },
  })
  try {
    // As the database does when a statement has taken too long.
    await until('the first link waits and is given up', async () => {
      const { rows } = await watcher.query(`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%create_person_link%'`)
      return rows.length > 0
    })
    await blocker.query('rollback')
    await until('the links are printed', () => printed.includes('as the operator:'))
    expect(await server.stop()).toBe(0)
  } finally {
    await server.kill()
    await Promise.all([blocker.end(), watcher.end()])
    await database.drop()
  }
})
