// `npm run chaos -- --rails --minutes N`: kills the server and the issuer again and again, with a simulated Lithic that loses answers and a
// simulated TRON, and says whether every deposit and every card is where it belongs.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPrivatePostgres } from '@cardstock/private-postgres'
import pg from 'pg'
import type { Connection } from '../server/src/db/pool.ts'
import { PROGRAM } from '../server/src/db/private-postgres.ts'
import { RailsGround } from '../server/test/proof/chaos/rails-ground.ts'
import { RailsChaos, type RailsReport } from '../server/test/proof/chaos/rails.ts'
import { toDatabaseUrl } from '../server/test/support/database-url.ts'

/** With and without an effect at Lithic; in none of them the issuer learns which. */
const MODES = ['lost', 'acted_500', 'garbage', 'unfit', 'cut', '500', '429'] as const
const pickMode = () => MODES[randomInt(MODES.length)] ?? 'lost'

/** Returns whether the books agree. */
export async function runRails(minutes: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-chaos-'))
  const postgres = await startPrivatePostgres({ program: PROGRAM, folder, durable: true, log: () => {} })
  const ground = new RailsGround(() => createDatabase(postgres.superuser))
  const close = async () => {
    await ground.close()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const interrupt = () => {
    process.exitCode = 130
    void close().finally(() => process.exit())
  }
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    await ground.open()
    const chaos = new RailsChaos(ground)
    await chaos.prepare()
    const startedMs = performance.now()
    for (let round = 1; performance.now() < startedMs + minutes * 60_000; round += 1) {
      const modes = { card: pickMode(), transfer: pickMode() }
      await chaos.round(modes)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
      console.log(`${seconds} s: round ${round} (a card: ${modes.card}, a transfer: ${modes.transfer}) is settled`)
    }
    const report = await chaos.judge()
    print(report)
    return report.problems.length === 0
  } finally {
    await close()
  }
}

let databases = 0
async function createDatabase(superuser: Connection): Promise<string> {
  const database = `rails_${(databases += 1)}`
  const client = new pg.Client(superuser)
  await client.connect()
  await client.query(`create database ${database}`)
  await client.end()
  return toDatabaseUrl({ ...superuser, database })
}

function print({ issued, toppedUp, failed, deposits, strays, kills, problems }: RailsReport): void {
  console.log(`${kills} kills of the server and the issuer`)
  console.log(`${issued} cards issued, ${toppedUp} top-ups completed, ${failed} orders failed and were paid back`)
  console.log(`${deposits} deposits credited, ${strays} transfers to nobody listed`)
  for (const problem of problems.slice(0, 50)) console.log(`VIOLATION ${problem}`)
  console.log(problems.length === 0 ? 'The books agree three ways.' : `${problems.length} violations.`)
}
