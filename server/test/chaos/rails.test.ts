// Real rails under kills, a short form of `npm run chaos -- --rails`: four rounds, each of which loses other answers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RailsGround } from '../proof/chaos/rails-ground.ts'
import { RailsChaos } from '../proof/chaos/rails.ts'
import { toDatabaseUrl } from '../support/database-url.ts'
import { createDatabase } from '../support/harness.ts'

const ROUNDS = [
  { card: 'lost', transfer: 'cut' },
  { card: 'acted_500', transfer: 'lost' },
] as const

const databases: Awaited<ReturnType<typeof createDatabase>>[] = []
const ground = new RailsGround(async () => {
  const database = await createDatabase()
  databases.push(database)
  return toDatabaseUrl(database.connection)
})
beforeAll(() => ground.open())
afterAll(async () => {
  await ground.close()
  for (const { drop } of databases) await drop()
})

test(
  'kills of server and issuer, and answers that Lithic loses, change nothing that anyone was told',
  { timeout: 900_000 },
  async () => {
    const chaos = new RailsChaos(ground)
    await chaos.prepare()
    for (const modes of [...ROUNDS, ...ROUNDS]) await chaos.round(modes)
    const report = await chaos.judge()
    expect(report.problems).toEqual([])
    expect(report).toMatchObject({ deposits: 5, strays: 4, kills: 13 })
    expect(report.issued).toBeGreaterThan(4)
  },
)
