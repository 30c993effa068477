// The pure rules: signatures compared with the shared vectors, the schedule, and the meaning of an answer.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakerPauseMs, judge, parseRetryAfter } from '../../src/webhooks/schedule.ts'
import { signatureHeaders, signingKeys } from '../../src/webhooks/sign.ts'

interface Signed {
  name: string
  secrets: string[]
  id: string
  timestamp: number
  body: string
  serviceSignature: string
  webhookSignature: string
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../vectors/webhook-signatures.json', import.meta.url), 'utf8'),
) as {
  signed: Signed[]
}
const NOW = new Date('2026-01-15T10:00:00.000Z')

test.each(vectors.signed)('signs like the vectors: $name', (vector) => {
  const message = { id: vector.id, at: new Date(vector.timestamp * 1000 + 999), body: Buffer.from(vector.body) }
  expect(signatureHeaders(vector.secrets.map(signingKeys), message)).toEqual({
    'service-signature': vector.serviceSignature,
    'webhook-id': vector.id,
    'webhook-timestamp': String(vector.timestamp),
    'webhook-signature': vector.webhookSignature,
  })
})

describe('judge', () => {
  const at = (number: number, random = 0.5) => ({ number, now: NOW, random })
  const answered = (statusCode: number, retryAfter?: string) => ({ kind: 'answered', statusCode, retryAfter }) as const

  test('any 2xx is delivered, and any other answer or none is tried again nine times, then failed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), fc.integer({ min: 1, max: 10 }), (statusCode, number) => {
        const { status, dueAt } = judge(answered(statusCode), at(number))
        const isSuccess = statusCode >= 200 && statusCode <= 299
        expect(status).toBe(isSuccess ? 'delivered' : number < 10 ? 'pending' : 'failed')
        expect(dueAt === null).toBe(status !== 'pending')
      }),
    )
    expect(judge({ kind: 'unanswered' }, at(1))).toMatchObject({
      status: 'pending',
      dueAt: new Date(NOW.getTime() + 5000),
    })
  })

  test('the jitter stays within a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        const waitMs = (judge({ kind: 'unanswered' }, at(3, random)).dueAt?.getTime() ?? 0) - NOW.getTime()
        expect(Math.abs(waitMs - 1_800_000)).toBeLessThanOrEqual(180_000)
      }),
    )
  })

  test.each([
    [429, '60', 60_000],
    [503, '60', 60_000],
    [503, 'Thu, 15 Jan 2026 10:02:00 GMT', 120_000],
    [503, '999999999', 86_400_000],
    [503, 'soon', 5000],
    [503, '-5', 5000],
    [503, undefined, 5000],
    [500, '60', 5000],
  ])('%i with Retry-After %s waits %i ms', (statusCode, retryAfter, waitMs) => {
    expect(judge(answered(statusCode, retryAfter), at(1)).dueAt).toEqual(new Date(NOW.getTime() + waitMs))
  })

  test('only 410 means gone', () => {
    expect(judge(answered(410), at(1)).isGone).toBe(true)
    expect(judge(answered(404), at(1)).isGone).toBe(false)
  })
})

test('a Retry-After in the past causes no wait', () => {
  expect(parseRetryAfter('Thu, 15 Jan 2026 09:00:00 GMT', NOW)).toBe(0)
})

test('the breaker pauses from the fifth failure on, longer each time, up to a minute', () => {
  expect([0, 4, 5, 6, 7, 8, 9, 1000].map(breakerPauseMs)).toEqual([0, 0, 5000, 10_000, 20_000, 40_000, 60_000, 60_000])
})
