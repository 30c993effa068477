// Token buckets in a Redis or Valkey, shared by all processes that use it. The server's clock counts, so the clocks of the processes
// need not agree. Import it only when REDIS_URL is set: its package takes a quarter of a second and 20 MB to load.
import { createHash } from 'node:crypto'
import { Counter, Gauge, type Registry } from 'prom-client'
import { withDeadline } from '../lib/deadline.ts'
import type { BucketStore, RatePolicy } from '../http/limits/buckets.ts'
import type { Log } from '../lib/log.ts'
import { openRedis } from './reconnect.ts'

export interface RedisBuckets extends BucketStore {
  addMetrics(registry: Registry): void
  close(): void
}

/** A request waits no longer for its bucket. An answer on the same network takes a fraction of a millisecond. */
const ANSWER_DEADLINE_MS = 5

/** A test may give an answer more time than a request has. */
export function createRedisBuckets(
  url: string,
  { log, deadlineMs = ANSWER_DEADLINE_MS }: { log: Log; deadlineMs?: number },
): RedisBuckets {
  const redis = openRedis(url, log)
  let fallbacks = 0
  const run = (policy: RatePolicy, key: string, cost: 1 | -1) =>
    redis.run((client) => client.takeToken(keyOf(policy, key), policy, cost))
  return {
    async take(policy, key) {
      if (redis.isOpen()) {
        const taken = await withDeadline(run(policy, key, 1), deadlineMs).catch(() => undefined)
        if (taken !== undefined) return taken
      }
      fallbacks += 1
      return undefined
    },
    giveBack(policy, key) {
      if (redis.isOpen()) void run(policy, key, -1).catch(() => undefined)
    },
    addMetrics(registry) {
      const up: Gauge = new Gauge({
        name: 'rate_limit_store_up',
        help: '1 while the rate limits are shared through Redis; 0 while this process counts alone',
        aggregator: 'min',
        registers: [registry],
        collect: () => up.set(redis.isOpen() ? 1 : 0),
      })
      const counter: Counter = new Counter({
        name: 'rate_limit_fallbacks_total',
        help: 'Requests whose rate this process counted alone, because Redis did not answer in time',
        registers: [registry],
        collect() {
          counter.reset()
          counter.inc(fallbacks)
        },
      })
    },
    close: () => redis.close(),
  }
}

/** Hashed, because a key may be an e-mail address or an IP address. */
function keyOf({ name }: RatePolicy, key: string): string {
  return `cardstock:rate:${name}:${createHash('sha256').update(key).digest('base64url')}`
}
