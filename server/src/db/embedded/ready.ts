// Waits until the database answers, and makes our database in it on the first start. Fails as soon as PostgreSQL is gone.

import { Client, escapeIdentifier } from 'pg'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedError, errorCode, messageOf } from './error.ts'
import type { Postmaster } from './postmaster.ts'

export interface Connection {
  host: string
  port: number
  user: string
  database: string
  password: string
}

/** A start takes a fraction of a second; a machine that swaps, some more. */
const SILENCE_MS_MAX = 60_000

/**
 * While PostgreSQL answers "the database system is starting up" it replays its log after a crash. To give up too early
 * would be worse than to wait: the next start would have to begin again, and might never come to an end.
 */
const RECOVERY_MS_MAX = 15 * 60_000

/** Longer than an ordinary start: now somebody may wonder. */
const NOTICE_MS = 3_000

/** Two tries lie within the shortest start seen. */
const POLL_MS = 20

/** One try; the socket is local, so an answer takes milliseconds. */
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
    if (postmaster.hasExited()) throw new EmbeddedError('PostgreSQL stopped while it was starting.')
    const error = await tryStatement(connection, 'select 1')
    if (error === undefined) return
    last = messageOf(error)
    const code = errorCode(error)
    if (code === WRONG_PASSWORD) {
      throw new EmbeddedError('PostgreSQL refuses the password kept beside it. Put that file back from your backup.')
    }
    if (code === NO_SUCH_DATABASE) await createDatabase(connection)
    if (code === STARTING_UP) limitMs = RECOVERY_MS_MAX
    if (!noticed && Date.now() - begin > NOTICE_MS) {
      noticed = true
      log(`Still waiting for PostgreSQL (${last}); after a crash it first replays its log`)
    }
    await Promise.race([delay(POLL_MS), postmaster.exited])
  }
  throw new EmbeddedError(`PostgreSQL was not ready within ${limitMs / 1000} s (${last}).`)
}

async function createDatabase(connection: Connection): Promise<void> {
  const error = await tryStatement(
    { ...connection, database: 'postgres' },
    `create database ${escapeIdentifier(connection.database)}`,
  )
  if (error !== undefined && errorCode(error) !== DUPLICATE_DATABASE) throw error
}

/** The error, or undefined when it worked. */
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
