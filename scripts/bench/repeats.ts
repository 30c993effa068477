// Measures what one client that only repeats known idempotency keys, at its rate limit, costs everyone else.
import { keepLoad } from './cores.ts'
import { type Bench, type Listening, runLoad } from './bench.ts'
import { startChild } from './processes.ts'
import type { Rounds } from './rounds.ts'
import { type Company, issueRequest } from './seed.ts'
import { KEY_SLOT, type LoadResult } from './wire.ts'

const CREATED = 201
const CONNECTIONS = 64
/** The default rate limit of a key. */
const REPEATS_PER_SECOND = 100
const KNOWN_KEYS = 200
const REPEATER_CONNECTIONS = 8

export const ALONE = 'alone, 64 connections'
export const BESIDE_REPEATS = 'beside a client that repeats keys, 64 connections'

export async function measureRepeats(
  bench: Bench,
  rounds: Rounds,
  { port }: Listening,
  { others, repeater }: { others: string[]; repeater: Company },
): Promise<void> {
  const { plan, note } = bench
  const load = startChild('./load.ts', bench.children)
  keepLoad(load.pid)
  const request = issueRequest(repeater)
  const known = Array.from({ length: KNOWN_KEYS }, (_, index) =>
    request.replaceAll(KEY_SLOT, `known-${index}`.padEnd(KEY_SLOT.length, '-')),
  )
  const repeat = (seconds: number) => {
    const job = { port, connections: REPEATER_CONNECTIONS, seconds, requests: known, rate: REPEATS_PER_SECOND }
    return load.ask<LoadResult>(job)
  }
  const order = async () => {
    const job = { port, connections: CONNECTIONS, seconds: plan.sprintSeconds, requests: others }
    return (await runLoad(bench, job, [CREATED])).rate
  }
  // Every key is known after its first request.
  await repeat(KNOWN_KEYS / REPEATS_PER_SECOND)
  const beside = async () => {
    const repeats = repeat(plan.sprintSeconds)
    const rate = await order()
    await repeats
    return rate
  }
  const variants = [
    { name: ALONE, measure: order },
    { name: BESIDE_REPEATS, measure: beside },
  ]
  await rounds.run(variants, plan.sprints, note)
  await load.stop()
}
