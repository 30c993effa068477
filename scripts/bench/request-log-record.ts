// Measures the CPU time of one record of the request log without a server around it: redacting, serialising and inserting. On a
// busy machine this can be told from noise, which the difference between two servers cannot.
import type { Answered } from '../../server/src/http/server.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { formatId, newId } from '../../server/src/lib/ids.ts'
import { createLog } from '../../server/src/lib/log.ts'
import { createRequestLog, SUCCESSES_PER_FLUSH } from '../../server/src/request-log/record.ts'
import type { Bench } from './bench.ts'
import { databaseCpuMs, findPostmaster } from './cpu.ts'
import { median } from './rounds.ts'
import type { Company } from './seed.ts'

/** The first ones are not counted, because the code is not compiled yet. */
const WARM_UP_FLUSHES = 40
const FLUSHES = 40
const ROUNDS = 7

export interface RecordCost {
  readonly serverUs: number
  readonly databaseUs: number
}

/** Returns the medians of several rounds, each of as many records as the log writes in 40 seconds at its limit. */
export async function measureRecord(bench: Bench, companies: readonly Company[]): Promise<RecordCost> {
  const postmaster = await findPostmaster(bench.db)
  const log = createRequestLog({ db: bench.db, clock: systemClock, log: createLog({ level: 'silent' }) })
  // Built beforehand, because only what the log does with them counts.
  const answers = companies.map(toAnswered)
  let turn = 0
  const record = async (flushes: number): Promise<void> => {
    for (let flush = 0; flush < flushes; flush += 1) {
      for (let count = 0; count < SUCCESSES_PER_FLUSH; count += 1) {
        turn += 1
        log.record(answers[turn % answers.length] as Answered)
      }
      await log.flush()
    }
  }
  await record(WARM_UP_FLUSHES)
  const costs: RecordCost[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = { server: process.cpuUsage(), database: databaseCpuMs(postmaster) }
    await record(FLUSHES)
    const { user, system } = process.cpuUsage(before.server)
    const records = FLUSHES * SUCCESSES_PER_FLUSH
    costs.push({
      serverUs: (user + system) / records,
      databaseUs: (1000 * (databaseCpuMs(postmaster) - before.database)) / records,
    })
  }
  await log.close()
  if (log.dropped() > 0) throw new Error(`${log.dropped()} records were dropped, so the cost of a record is not known.`)
  return {
    serverUs: median(costs.map(({ serverUs }) => serverUs)),
    databaseUs: median(costs.map(({ databaseUs }) => databaseUs)),
  }
}

/** Returns an accepted operation, as the server tells the log of it. */
function toAnswered({ id, holderId }: Company): Answered {
  const at = systemClock.now()
  const order = { type: 'issue', productId: 'prod_card_virtual', holderId: formatId('hld', holderId), amount: '10.00' }
  return {
    caller: {
      by: { keyId: holderId },
      scope: { companyId: id, environment: 'sandbox' },
    } as unknown as Answered['caller'],
    method: 'POST',
    url: '/api/v1/operations',
    status: 201,
    durationMs: 12.3,
    requestId: newId(at),
    address: '127.0.0.1',
    errorCode: null,
    idempotencyKey: newId(at),
    requestBody: order,
    hasRequestBody: true,
    responseBody: {
      ...order,
      id: formatId('op', newId(at)),
      status: 'queued',
      fee: '3.02',
      total: '13.02',
      currency: 'USD',
      cardId: null,
      name: null,
      failure: null,
      result: null,
      reviewId: null,
      idempotencyKey: 'bench',
      environment: 'sandbox',
      createdAt: at,
      updatedAt: at,
    },
  }
}
