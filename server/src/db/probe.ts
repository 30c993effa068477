// One connection that asks the database whether it answers and writes. Each question has a deadline, and a connection
// that missed one is never used again.
import type pg from 'pg'
import type { Clock } from '../lib/clock.ts'
import { createClientSet } from './client-set.ts'
import { DeadlineError, withDeadline } from '../lib/deadline.ts'
import { type Connection, toClientConfig, toQuery } from './pool.ts'
import { readClock, writeHeartbeat, writeTemporaryFile } from './queries.ts'
import type { Statement } from './sql.ts'

export interface Probe {
  /** Returns by how much the database's clock is ahead of ours, less half the time that asking took. */
  measureSkew(): Promise<number>
  /** Fails when the database cannot commit, or has no room for a file. */
  write(): Promise<void>
  drop(): void
}

/** A silent database is noticed after this, and the interval of the questions. */
const ANSWER_DEADLINE_MS = 2_000
/** Shorter than the deadline of an answer: an attempt begun before the end of an outage delays noticing the end. */
const CONNECT_DEADLINE_MS = 1_500

export function createProbe({ connection, clock }: { connection: Connection; clock: Clock }): Probe {
  const clients = createClientSet()
  let current: pg.Client | undefined

  const open = async () => {
    const client = new clients.Client(toClientConfig(connection))
    const forget = () => {
      if (current === client) current = undefined
    }
    client.on('error', forget).on('end', forget)
    await withDeadline(client.connect(), CONNECT_DEADLINE_MS)
    return client
  }
  const drop = () => {
    current = undefined
    clients.drop()
  }
  const fail = (error: unknown): never => {
    drop()
    throw error
  }
  const ask = async (statement: Statement) => {
    current ??= await open().catch(fail)
    return withDeadline(current.query<{ now: Date }>(toQuery(statement, connection)), ANSWER_DEADLINE_MS).catch(fail)
  }
  const measureOnce = async () => {
    // Connecting takes long compared with asking, and would blur the comparison.
    current ??= await open().catch(fail)
    const before = clock.now().getTime()
    const { rows } = await ask(readClock())
    const after = clock.now().getTime()
    return toSkew(before, rows[0]?.now.getTime() ?? after, after)
  }
  return {
    async measureSkew() {
      const wasOpen = current !== undefined
      try {
        return await measureOnce()
      } catch (error) {
        // The database may have closed an old connection for a reason that does not concern new ones.
        if (!wasOpen || error instanceof DeadlineError) throw error
        return measureOnce()
      }
    },
    async write() {
      await ask(writeHeartbeat())
      await ask(writeTemporaryFile())
    },
    drop,
  }
}

/** The database read its clock at some moment in between, so up to half the way's time proves nothing. */
function toSkew(before: number, there: number, after: number): number {
  const difference = there - (before + after) / 2
  const uncertainty = Math.abs(after - before) / 2
  return Math.sign(difference) * Math.max(0, Math.abs(difference) - uncertainty)
}
