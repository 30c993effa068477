// The token bucket, with time moved by hand.
import { describe, expect, it } from 'vitest'
import { createRateLimiter, type RateDecision } from './rate-limit.ts'

function limiter(policy = { name: 'key', perSecond: 2, burst: 3 }) {
  let ms = 0
  const own = createRateLimiter(policy, () => ms)
  // Without a store the decision is there at once.
  const take = (key: string) => own.take(key) as RateDecision
  const allowed = (count: number, key = 'a') => Array.from({ length: count }, () => take(key).allowed)
  return { take, allowed, advance: (by: number) => (ms += by) }
}

describe('a bucket', () => {
  it('gives the burst, then refuses', () => {
    expect(limiter().allowed(5)).toEqual([true, true, true, false, false])
  })

  it('refills steadily and never exceeds the burst', () => {
    const { allowed, advance } = limiter()
    allowed(3)
    advance(499)
    expect(allowed(1)).toEqual([false])
    advance(1)
    expect(allowed(2)).toEqual([true, false])
    advance(60_000)
    expect(allowed(4)).toEqual([true, true, true, false])
  })

  it('is not emptied by refusals', () => {
    const { allowed, advance } = limiter()
    allowed(100)
    advance(500)
    expect(allowed(1)).toEqual([true])
  })

  it('belongs to one key', () => {
    const { allowed } = limiter()
    allowed(5)
    expect(allowed(1, 'b')).toEqual([true])
  })
})

describe('the headers', () => {
  it('state the policy, what is left and when the bucket is full again', () => {
    const { take } = limiter()
    expect(take('a').headers).toEqual({ 'ratelimit-policy': '"key";q=3;w=2', ratelimit: '"key";r=2;t=1' })
  })

  it('of a refusal say when to retry, in whole seconds, at least one', () => {
    const slow = limiter({ name: 'slow', perSecond: 0.1, burst: 1 })
    slow.take('a')
    expect(slow.take('a').headers['retry-after']).toBe('10')
    slow.advance(9500)
    expect(slow.take('a').headers['retry-after']).toBe('1')
  })
})

describe('very many keys', () => {
  /** More than are kept at a time. */
  const MANY = 120_000

  it('are dropped instead of growing without bound', () => {
    const { take, advance } = limiter()
    let refused = 0
    for (let index = 0; index < MANY; index += 1) {
      if (index % 1000 === 0) advance(10)
      if (!take(`key ${index}`).allowed) refused += 1
    }
    expect(refused).toBe(0)
  })

  it('do not make it forget who is blocked, nor who is nearly blocked', () => {
    // No token comes back during the test.
    const { allowed, take } = limiter({ name: 'slow', perSecond: 0.000_001, burst: 10 })
    expect(allowed(11, 'blocked').at(-1)).toBe(false)
    allowed(9, 'nearly')
    for (let index = 0; index < MANY; index += 1) take(`key ${index}`)
    expect(allowed(1, 'blocked')).toEqual([false])
    expect(allowed(2, 'nearly')).toEqual([true, false])
  })

  it('that are all blocked are forgotten one by one, the longest unused first', () => {
    const { allowed, take } = limiter({ name: 'slow', perSecond: 0.000_001, burst: 1 })
    take('first')
    take('used again')
    for (let index = 0; index < 60_000; index += 1) take(`key ${index}`)
    expect(allowed(1, 'used again')).toEqual([false])
    for (let index = 60_000; index < 120_000; index += 1) take(`key ${index}`)
    expect([...allowed(1, 'used again'), ...allowed(1, 'key 119999')]).toEqual([false, false])
    expect(allowed(1, 'first')).toEqual([true])
  })
})
