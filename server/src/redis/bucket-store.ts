// Token buckets in a Redis or Valkey, shared by all processes that use it. One script takes a token, so that concurrent
// requests never take the same one. The server's clock counts, so the clocks of the processes need not agree.
import { createHash } from 'node:crypto'
import { Counter, Gauge, type Registry } from 'prom-client'
import { withDeadline } from '../db/deadline.ts'
import type { BucketStore, RatePolicy, Taken } from '../http/buckets.ts'
import type { Log } from '../lib/log.ts'
import { openRedis } from './connection.ts'
import { RedisError, type Reply } from './resp.ts'

export interface RedisBuckets extends BucketStore {
  addMetrics(registry: Registry): void
  close(): void
}

/** A request waits no longer for its bucket. An answer on the same network takes a fraction of a millisecond. */
const ANSWER_DEADLINE_MS = 5

// A bucket that is full again needs no key, because a new bucket is full too. A cost of -1 gives a token back.
const SCRIPT = `
local burst, rate, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = tonumber(bucket[1]) or burst
local at = tonumber(bucket[2]) or now
tokens = math.min(burst, tokens + math.max(0, now - at) * rate / 1000)
local allowed = 0
if tokens >= cost then
  allowed = 1
  tokens = math.min(burst, tokens - cost)
end
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', tostring(now))
redis.call('PEXPIRE', KEYS[1], math.ceil((burst - tokens) / rate * 1000) + 1000)
return {allowed, tostring(tokens)}
`
const DIGEST = createHash('sha1').update(SCRIPT).digest('hex')

/** A test may give an answer more time than a request has. */
export function createRedisBuckets(
  url: string,
  { log, deadlineMs = ANSWER_DEADLINE_MS }: { log: Log; deadlineMs?: number },
): RedisBuckets {
  const redis = openRedis(url, { log, prepare: (opened) => opened.send('SCRIPT', 'LOAD', SCRIPT) })
  let fallbacks = 0
  const run = async (policy: RatePolicy, key: string, cost: number): Promise<Reply> => {
    const values = ['1', keyOf(policy, key), String(policy.burst), String(policy.perSecond), String(cost)]
    try {
      return await redis.send('EVALSHA', DIGEST, ...values)
    } catch (error) {
      // Somebody flushed the scripts.
      if (!(error instanceof RedisError) || !error.message.startsWith('NOSCRIPT')) throw error
      return redis.send('EVAL', SCRIPT, ...values)
    }
  }
  return {
    async take(policy, key) {
      if (redis.isOpen()) {
        const taken = await withDeadline(run(policy, key, 1), deadlineMs).then(toTaken, () => undefined)
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

function toTaken(reply: Reply): Taken | undefined {
  if (!Array.isArray(reply)) return undefined
  const [allowed, tokens] = reply
  return { allowed: allowed === 1, tokens: Number(tokens) }
}
