// What callers without a key can make the server do: under load they share answers, and a body is parsed only after its
// signature was checked.
import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start({ ISSUER_URL: 'http://127.0.0.1:9', ISSUER_SECRET: 's'.repeat(32) })
afterAll(() => server.stop())

const REQUESTS = 300
/** At most ten fresh answers and ten shared look-ups per second, with a margin for the seconds at both ends. */
const mostIn = (elapsedMs: number) => 25 * (elapsedMs / 1000 + 2)

/** Sends many requests at once and counts the statements they caused. */
async function countStatements(pathOf: () => string, pattern: RegExp) {
  const spies = [vi.spyOn(server.db, 'find'), vi.spyOn(server.db, 'many')]
  try {
    const startedMs = performance.now()
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => server.request('GET', pathOf())))
    const most = mostIn(performance.now() - startedMs)
    const statements = spies.flatMap((spy) => spy.mock.calls).filter(([{ text }]) => pattern.test(text))
    return { statuses: new Set(answers.map(({ status }) => status)), statements: statements.length, most }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

describe('concurrent callers', () => {
  it('get the answer of /readyz from the monitor, without a statement', async () => {
    const { statuses, statements } = await countStatements(() => '/readyz', /^\s*select (1|clock_timestamp)/)
    expect(statuses).toEqual(new Set([200]))
    expect(statements).toBe(0)
  })
  it('share the answer of /metrics', async () => {
    const compute = vi.spyOn(server.app.metrics.registry, 'metrics')
    const startedMs = performance.now()
    await Promise.all(Array.from({ length: REQUESTS }, () => server.request('GET', '/metrics')))
    expect(compute.mock.calls.length).toBeLessThan(mostIn(performance.now() - startedMs))
    compute.mockRestore()
  })
  it('find no company in /metrics, which anyone can read here', async () => {
    const { text } = await server.request('GET', '/metrics')
    expect(text).toContain('# TYPE operation_queue_age_seconds')
    expect(text).not.toContain('operation_queue_company_age_seconds')
  })
  it('share the look-ups of payment links, even of unknown links', async () => {
    const guess = () => `/pay/${randomBytes(32).toString('base64url')}`
    const { statuses, statements, most } = await countStatements(guess, /from pay_link/)
    expect(statuses).toEqual(new Set([404]))
    expect(statements).toBeLessThan(most)
  })
})

describe('an issuer event without a valid signature', () => {
  it.each([
    ['broken', '{"broken"'],
    ['empty', '{}'],
    ['deeply nested', '['.repeat(60_000)],
  ])('answers 401 although its body is %s', async (_name, body) => {
    const answer = await server.request('POST', '/issuer/v1/events', { body })
    expectError(answer, 'invalid_issuer_signature')
  })
  it('answers 401 without a body', async () => {
    expectError(await server.request('POST', '/issuer/v1/events'), 'invalid_issuer_signature')
  })
})
