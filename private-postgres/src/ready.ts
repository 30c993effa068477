// Waits until PostgreSQL answers, and creates our database on the first start. Fails as soon as PostgreSQL exits.

import { Client, escapeIdentifier } from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import { PrivatePostgresError, errorCode, messageOf } from './error.ts'
import type { Postmaster } from './postmaster.ts'

export interface Connection {
  host: string
  port: number
  user: string
  database: string
  password: string
}

/** A start takes a fraction of a second, or longer on a machine that swaps. */
const SILENCE_MS_MAX = 60_000

/**
 * While PostgreSQL answers "the database system is starting up", it replays its log after a crash. Giving up too early is
 * worse than waiting: the next start would begin again and might never finish.
 */
const RECOVERY_MS_MAX = 15 * 60_000

/** Longer than an ordinary start, so tell the operator why it takes so long. */
const NOTICE_MS = 3_000

/** Two attempts fit into the shortest start that was measured. */
const POLL_MS = 20

/** The time limit of one attempt. The socket is local, so an answer takes milliseconds. */
const CONNECT_MS_MAX = 5_000

const STARTING_UP = '57P03'
const NO_SUCH_DATABASE = '3D000'
const DUPLICATE_DATABASE = '42P04'
const WRONG_PASSWORD = '28P01'

export async function waitUntilReady(
  connection: Connection,
  postmaster: Postmaster,
  log: (message: string) => void,
): Promise<void> {
  const begin = Date.now()
  let limitMs = SILENCE_MS_MAX
  let last = 'no answer'
  let noticed = false
  while (Date.now() - begin < limitMs) {
    if (postmaster.hasExited()) throw new PrivatePostgresError('PostgreSQL stopped while it was starting.')
    const error = await tryStatement(connection, 'select 1')
    if (error === undefined) return
    last = messageOf(error)
    const code = errorCode(error)
    if (code === WRONG_PASSWORD) {
      throw new PrivatePostgresError(
        'PostgreSQL refuses the password kept beside it. Put that file back from your backup.',
      )
    }
    if (code === NO_SUCH_DATABASE) await createDatabase(connection)
    if (code === STARTING_UP) limitMs = RECOVERY_MS_MAX
    if (!noticed && Date.now() - begin > NOTICE_MS) {
      noticed = true
      log(`Still waiting for PostgreSQL (${last}); after a crash it first replays its log`)
    }
    await Promise.race([delay(POLL_MS), postmaster.exited])
  }
  throw new PrivatePostgresError(`PostgreSQL was not ready within ${limitMs / 1000} s (${last}).`)
}

async function createDatabase(connection: Connection): Promise<void> {
  const error = await tryStatement(
    { ...connection, database: 'postgres' },
    `create database ${escapeIdentifier(connection.database)}`,
  )
  if (error !== undefined && errorCode(error) !== DUPLICATE_DATABASE) throw error
}

/** Returns the error, or undefined if it worked. */
async function tryStatement(connection: Connection, statement: string): Promise<unknown> {
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS_MAX })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(statement)
    return undefined
  } catch (error) {
    return error ?? new Error('unknown')
  } finally {
    await client.end().catch(() => undefined)
  }
}
