// What the tests of deliveries begin with: a company, an endpoint, an event.
import { createHmac, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { claimQueues } from '../../src/webhooks/queries.ts'
import type { TestCompany, TestServer } from './harness.ts'
import { until } from './receiver.ts'

export interface Endpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'enabled' | 'disabled'
  disabledReason: string | null
  health: { lastSuccessAt: string | null; failingSince: string | null; failures: number }
  secret: string
}

export interface Attempt {
  number: number
  endpointId: string
  statusCode: number | null
  error: string | null
  succeeded: boolean
  latencyMs: number
  response: string | null
  createdAt: string
  nextAttemptAt: string | null
}

export const ENDPOINTS = '/api/v1/webhook-endpoints'

export async function register(
  server: TestServer,
  company: TestCompany,
  url: string,
  events?: string[],
): Promise<Endpoint> {
  const answer = await server.post<Endpoint>(ENDPOINTS, company.key, events === undefined ? { url } : { url, events })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** An event of a card that was changed, as any function of the server emits it. */
export async function emit(server: TestServer, company: TestCompany, object = randomUUID(), type = 'card.updated') {
  await server.db.find(sql`
    select emit_event(${company.id}, ${company.scope.environment}, ${type}, ${object}, ${{ id: object }}, ${server.clock.now()})`)
  return object
}

export async function attemptsOf(server: TestServer, company: TestCompany, eventId: string): Promise<Attempt[]> {
  const { body } = await server.get<{ data: Attempt[] }>(`/api/v1/events/${eventId}/attempts`, company.key)
  return body.data.toReversed()
}

/** Returns the attempts of an event as soon as there are this many. */
export function waitForAttempts(
  server: TestServer,
  company: TestCompany,
  eventId: string,
  count: number,
): Promise<Attempt[]> {
  return until(async () => {
    const attempts = await attemptsOf(server, company, eventId)
    return attempts.length >= count ? attempts : undefined
  })
}

export async function getEndpoint(server: TestServer, company: TestCompany, id: string): Promise<Endpoint> {
  return (await server.get<Endpoint>(`${ENDPOINTS}/${id}`, company.key)).body
}

/** Reports whether a worker would find a delivery of this company now. The lease of its claim ends immediately. */
export async function isDue(server: TestServer, { id }: TestCompany): Promise<boolean> {
  const now = server.clock.now()
  const claims = [false, true].map((isFailing) => claimQueues(server.db, now, now, randomUUID(), isFailing))
  return (await Promise.all(claims)).flat().some((queue) => queue.company_id === id)
}

/** Returns how many of the company's deliveries are still pending. */
export async function waitingOf(server: TestServer, { id }: TestCompany): Promise<number> {
  const row = await server.db.find<{ waiting: number }>(sql`
    select count(*)::int as waiting from delivery where company_id = ${id} and status = 'pending'`)
  return row?.waiting ?? 0
}

/** Checks a signature as the specification says, without using the server's code. */
export function isServiceSignature(header: string, secret: string, raw: Buffer): boolean {
  const fields = header.split(',').map((field) => field.split('='))
  const t = fields.find(([name]) => name === 't')?.[1] ?? ''
  const expected = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${t}.`), raw]))
    .digest('hex')
  return fields.some(([name, value]) => name === 'v1' && value === expected)
}
