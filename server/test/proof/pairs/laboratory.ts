// Opens the world in a database of its own, and starts servers in it.
import { type App, createApp } from '../../../src/app/app.ts'
import { readConfig } from '../../../src/config/config.ts'
import type { Route } from '../../../src/http/route.ts'
import { must } from '../../../src/lib/invariant.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createDatabase, TestServer } from '../../support/harness.ts'
import { callsOf, type PairCall } from './calls.ts'
import { connect, type OpenPlay, type Play, playBetween } from './plays.ts'
import { footprintOf, type Laboratory } from './run.ts'
import { type Footprint, saveWorld } from './saved.ts'
import { Snapshots } from './snapshot.ts'
import type { Side } from './stage.ts'
import { furnishWorld, ORIGIN } from './world.ts'

const ENVIRONMENT = { PUBLIC_URL: ORIGIN, REQUEST_LOG: 'false', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' }
const MANY = '100000'
const LIMITS = {
  RATE_LIMIT_PER_SECOND: MANY,
  RATE_LIMIT_BURST: MANY,
  FAILED_AUTHENTICATION_PER_MINUTE: MANY,
  FAILED_SIGN_INS_PER_ACCOUNT: MANY,
  FAILED_SIGN_INS_PER_ADDRESS: MANY,
  SIGN_INS_PER_ACCOUNT: MANY,
  SIGN_INS_PER_ADDRESS: MANY,
  PERSON_CHANGES_PER_HOUR: MANY,
}
const SECRET_KEY = Buffer.alloc(32, 7)

export interface OpenLaboratory extends Laboratory {
  readonly calls: readonly PairCall[]
  /** Reports whether one of two calls changes a table that the other one reads or changes. */
  canTouch(one: PairCall, other: PairCall): boolean
  close(): Promise<void>
}

/** `open` opens the play on the database of the world. */
export async function openLaboratory(open: OpenPlay): Promise<OpenLaboratory> {
  const database = await createDatabase()
  const server = await TestServer.start(ENVIRONMENT, {
    database: { connection: database.connection, drop: async () => {} },
    secretKey: SECRET_KEY,
  })
  const world = await furnishWorld(server)
  const calls = callsOf(server.app.routes, world)
  const now = server.clock.now()
  await server.stop()
  const client = await connect(database.connection)
  const saved = await saveWorld(client)
  const openOn = async (openPlay: OpenPlay) => enterWorld(await openPlay(database.connection, saved), { calls, now })
  const footprints = await measureFootprints(await openOn(playBetween), calls)
  const laboratory = await openOn(open)
  return {
    ...laboratory,
    calls,
    canTouch(one, other) {
      const [a, b] = [must(footprints.get(one)), must(footprints.get(other))]
      const touches = (by: Footprint, of: Footprint) =>
        [...by.written].some((name) => of.read.has(name) || of.written.has(name))
      return touches(a, b) || touches(b, a)
    },
    async close() {
      await laboratory.close()
      await client.end()
      await database.drop()
    },
  }
}

async function measureFootprints(laboratory: Laboratory & { close(): Promise<void> }, calls: readonly PairCall[]) {
  const footprints = new Map<PairCall, Footprint>()
  for (const call of calls) footprints.set(call, await footprintOf(laboratory, call))
  await laboratory.close()
  return footprints
}

/** Starts servers in a world. */
async function enterWorld(
  play: Play,
  { calls, now }: { calls: readonly PairCall[]; now: Date },
): Promise<Laboratory & { close(): Promise<void> }> {
  const config = readConfig({ ...ENVIRONMENT, ...LIMITS })
  const options = { config, secretKey: SECRET_KEY, clock: { now: () => now }, log: createLog({ level: 'silent' }) }
  const serves = (route: Route) => calls.some((call) => call.route.id === route.id)
  const start = (side: Side) =>
    createApp({ ...options, db: play.stage.dbOf(side), role: 'api', serves, passwordCostBits: 10 })
  let servers: Record<Side, App> | undefined
  const stop = async () => {
    for (const app of Object.values(servers ?? {})) await app.close()
    servers = undefined
  }
  return {
    play,
    snapshots: await Snapshots.open(play.stage.dbOf(undefined)),
    async use(served) {
      // A server remembers keys until it is told, and the catalogue until its version in the database changes.
      if (served.some(({ route }) => route.tag === 'products')) await stop()
      servers ??= { first: await start('first'), second: await start('second') }
      for (const app of Object.values(servers)) app.keyring.forget()
      return servers
    },
    async close() {
      await stop()
      await play.close()
    },
  }
}
