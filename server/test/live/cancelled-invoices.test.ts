// A company that cancels its invoices and makes new ones leaves the issuer's addresses to the others: an address stays with an invoice for
// an hour and a day, also when the invoice was cancelled.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { findId, newId } from '../../src/lib/ids.ts'
import { expectError } from '../api/expect-error.ts'
import type { TestCompany } from '../support/harness.ts'
import { INVOICES, openInvoice, readInvoice } from '../support/invoices.ts'
import { LiveWorld } from '../support/live.ts'

/** Of one company, within the time for which each keeps its address. */
const INVOICES_MAX = 100
const HOUR_MS = 3_600_000

let world: LiveWorld
let company: TestCompany
let other: TestCompany
beforeAll(async () => {
  world = await LiveWorld.start()
  company = await world.createCompany()
  other = await world.createCompany()
})
afterAll(() => world.stop())

const cancel = ({ key }: TestCompany, id: string) =>
  world.server.request<Invoice>('POST', `${INVOICES}/${id}/cancel`, { token: key })

/** Adds invoices that went as this one: to create and cancel them would take long. */
async function repeat({ id: wireId }: Invoice, count: number): Promise<void> {
  const select = <Row>(text: string, ...values: unknown[]) =>
    world.server.db.many<Row>({ name: undefined, text, values })
  const [found] = await select<{ row: object }>(
    'select to_json(i) as row from invoice i where id = $1',
    findId('inv', wireId),
  )
  const rows = Array.from({ length: count }, () => {
    const id = newId(world.server.clock.now())
    return { ...found?.row, id, idempotency_key: id }
  })
  await select('insert into invoice select * from json_populate_recordset(null::invoice, $1)', JSON.stringify(rows))
}

it('a company cannot take address after address by cancelling its invoices', async () => {
  const { server } = world
  const first = await openInvoice(server, company)
  expect((await cancel(company, first.id)).body.status).toBe('expired')
  await repeat(first, INVOICES_MAX - 2)
  const last = await openInvoice(server, company)
  const refused = await cancel(company, last.id)
  expect(expectError(refused, 'rate_limited').message).toContain('wait until it expires')
  expect(refused.headers.get('retry-after')).toBe('3600')
  expect((await readInvoice(server, company, last.id)).body.status).toBe('pending')
  expect((await cancel(other, (await openInvoice(server, other)).id)).body.status).toBe('expired')

  // It never stands in the way for longer than it is payable, and may be cancelled again when the addresses are free.
  server.clock.advance(HOUR_MS)
  expect((await cancel(company, last.id)).body.status).toBe('expired')
  const next = await openInvoice(server, company)
  expectError(await cancel(company, next.id), 'rate_limited')
  server.clock.advance(24 * HOUR_MS)
  const later = await openInvoice(server, company)
  expect((await cancel(company, later.id)).body).toMatchObject({ status: 'expired', cancelledBy: { kind: 'key' } })
})
