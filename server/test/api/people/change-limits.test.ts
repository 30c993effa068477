// How much people can write to the audit log, which is kept for ever: a number of changes per hour, above which changes are refused.
import { afterAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { expectError } from '../expect-error.ts'
import type { TestAnswer } from '../../support/harness.ts'
import { TestServer } from '../../support/harness.ts'
import { type Browser, join } from './people.ts'

const PER_HOUR = 20
const server = await TestServer.start({ PERSON_CHANGES_PER_HOUR: String(PER_HOUR) })
afterAll(() => server.stop())

const HOLDER = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
const countRecords = async () => (await server.db.find<{ count: bigint }>(sql`select count(*) from audit_log`))?.count

/** Repeats a change until it is refused, and returns how often it was made. */
async function exhaust(change: (turn: number) => Promise<TestAnswer>): Promise<number> {
  for (let made = 0; made <= PER_HOUR; made += 1) {
    const answer = await change(made)
    if (answer.status < 300) continue
    expectError(answer, 'rate_limited')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const before = await countRecords()
    expectError(await change(made), 'rate_limited')
    expect(await countRecords()).toBe(before)
    return made
  }
  throw new Error('It was never refused.')
}
const rename = (browser: Browser) => (turn: number) =>
  browser.send('PATCH', '/console/v1/me', { body: { name: `Name ${turn}` } })
const addHolder = (browser: Browser) => () => browser.post('/api/v1/holders', HOLDER)

describe('the changes of a person within an hour', () => {
  it('are limited for their own account, while they can still read, prove themselves and sign out', async () => {
    const company = await server.createCompany()
    const person = await join(server, 'viewer', company)
    expect(await exhaust(rename(person))).toBe(PER_HOUR / 10)
    expect((await person.get('/console/v1/me')).status).toBe(200)
    const wrong = await person.post('/console/v1/second-factor/verify', { code: '000000' })
    expectError(wrong, 'invalid_second_factor')
    expect((await person.send('DELETE', '/console/v1/sessions')).status).toBe(204)
    expect((await person.post('/console/v1/sign-out')).status).toBe(204)
    const other = await join(server, 'viewer', company)
    expect((await rename(other)(1)).status).toBe(200)
  })

  it('are limited in a company, while quotes and reads go on, and so do keys and other people', async () => {
    const company = await server.createCompany()
    const person = await join(server, 'owner', company)
    expect(await exhaust(addHolder(person))).toBe(PER_HOUR)
    const quote = { type: 'service', productId: 'prod_service_esim', amount: '20.00', recipient: 'ada' }
    expect((await person.post('/api/v1/quotes', quote)).status).toBe(200)
    expect((await person.get('/api/v1/holders')).status).toBe(200)
    expect((await server.post('/api/v1/holders', company.key, HOLDER)).status).toBe(201)
    expect((await addHolder(await join(server, 'owner', company))()).status).toBe(201)
  })

  it('are limited for an operator', async () => {
    const operator = await join(server, 'operator')
    const create = (turn: number) =>
      operator.post('/admin/v1/companies', { name: `Company ${turn}`, kind: 'corporate' })
    expect(await exhaust(create)).toBe(PER_HOUR)
    expect((await operator.get('/admin/v1/companies?limit=1')).status).toBe(200)
  })

  it('do not count what was refused before', async () => {
    const company = await server.createCompany()
    const viewer = await join(server, 'viewer', company)
    for (let turn = 0; turn <= PER_HOUR; turn += 1) expectError(await addHolder(viewer)(), 'scope_missing')
  })
})

it('all people of a company together have a limit, and stopping cards does not count in it', async () => {
  const company = await server.createCompany()
  const team = await Promise.all(Array.from({ length: 11 }, () => join(server, 'owner', company)))
  let made = 0
  for (const person of team) {
    for (let turn = 0; turn < PER_HOUR; turn += 1) {
      if ((await addHolder(person)()).status === 201) made += 1
    }
  }
  // A company gets back one every 18 seconds, so that a slow machine makes a few more.
  expect(made).toBeGreaterThanOrEqual(10 * PER_HOUR)
  expect(made).toBeLessThan(11 * PER_HOUR)
  const first = await join(server, 'owner', company)
  expect(await exhaust(addHolder(first))).toBeLessThan(PER_HOUR)
  expectError(await first.post('/api/v1/cards/no-such-card/freeze'), 'not_found')
})

it('ending the other sessions is recorded when there was one', async () => {
  const person = await join(server, 'viewer', await server.createCompany())
  const before = await countRecords()
  for (let turn = 0; turn < 3; turn += 1) {
    expect((await person.send('DELETE', '/console/v1/sessions')).status).toBe(204)
  }
  expect(await countRecords()).toBe(before)
})
