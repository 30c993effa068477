// The script that takes a token from a bucket in Redis. It is one command, so that concurrent requests never take the same token.
import { defineScript } from '@redis/client'
import type { RatePolicy, Taken } from '../http/limits/buckets.ts'

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

/** The package sends the script's digest, and the script itself if somebody flushed it. */
export const takeToken = defineScript({
  SCRIPT,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser, key: string, { burst, perSecond }: RatePolicy, cost: 1 | -1) {
    parser.pushKey(key)
    parser.push(String(burst), String(perSecond), String(cost))
  },
  transformReply(reply: unknown): Taken | undefined {
    if (!Array.isArray(reply)) return undefined
    const [allowed, tokens] = reply as unknown[]
    return { allowed: allowed === 1, tokens: Number(tokens) }
  },
})
