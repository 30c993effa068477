// Opens the world in a database of its own, and starts servers in it.
import { type App, createApp } from '../../../src/app.ts'
import { readConfig } from '../../../src/config.ts'
import type { Route } from '../../../src/http/route.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createDatabase, TestServer } from '../../support/harness.ts'
import { callsOf, type PairCall } from './calls.ts'
import type { Laboratory } from './run.ts'
import { Snapshots } from './snapshot.ts'
import type { OpenPlay } from './plays.ts'
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

export type OpenLaboratory = Laboratory & { readonly calls: readonly PairCall[]; close(): Promise<void> }

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
  const play = await open(database.connection)
  const { db } = play.stage
  const config = readConfig({ ...ENVIRONMENT, ...LIMITS })
  const options = { config, secretKey: SECRET_KEY, clock: { now: () => now }, log: createLog({ level: 'silent' }) }
  const serves = (route: Route) => calls.some((call) => call.route === route || call.route.id === route.id)
  const start = () => createApp({ ...options, db, role: 'api', serves, passwordCostBits: 10 })
  let app: App | undefined
  const stop = async () => {
    await app?.close()
    app = undefined
  }
  return {
    play,
    calls,
    snapshots: await Snapshots.open(db),
    async use(served) {
      // A server remembers keys until it is told, and the catalogue until its version in the database changes.
      if (served.some(({ route }) => route.tag === 'products')) await stop()
      app ??= await start()
      app.keyring.forget()
      // Two requests share the look-up of a key, so that the second would wait for the first for ever.
      for (const key of [world.key, world.otherKey]) await app.keyring.callers.now(key)
      await app.keyring.operators.now(world.operatorToken)
      return app
    },
    async close() {
      await stop()
      await play.close()
      await database.drop()
    },
  }
}
