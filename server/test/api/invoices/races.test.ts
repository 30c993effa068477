// Two races that must not affect money: a review that is decided on outdated figures, and the exact amount of an open
// invoice that is given to another one.
import pg from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { beginInvoice, settleInvoice } from '../../../src/funding/queries.ts'
import { claimPaymentSlot } from '../../../src/issuer/queries.ts'
import { findId, formatId, newId } from '../../../src/lib/ids.ts'
import { parseMicros } from '../../../src/tron/usdt.ts'
import type { TestCompany } from '../../support/harness.ts'
import { selectWaiting } from '../../support/on-citus.ts'
import { balanceOf, complete, openInvoice, pay, readInvoice, resolve } from '../../support/invoices.ts'
import { expectError } from '../expect-error.ts'
import { startServer } from './server.ts'

const HOUR_MS = 3_600_000
const server = await startServer()

let company: TestCompany
beforeEach(async () => {
  company = await server.createCompany()
})

/** Holds the lock of the company's account while `work` runs, then runs `last` in the same transaction and commits. */
async function whileLocked<Value>(work: () => Promise<Value>, last: string, values: unknown[]): Promise<Value> {
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select 1 from account where company_id = $1 and environment = 'sandbox' for no key update`, [
      company.id,
    ])
    const pending = work()
    await expect.poll(() => server.db.many(selectWaiting())).toHaveLength(1)
    await client.query(last, values)
    await client.query('commit')
    return await pending
  } finally {
    await client.end()
  }
}

test.each(['completed', 'failed', 'expired'])(
  'a review is not decided as %s when more money came after it was read',
  async (outcome) => {
    const { id } = await openInvoice(server, company)
    await pay(server, company, id, { amount: '60' })
    const answer = await whileLocked(
      () => resolve(server, id, { outcome }),
      `select record_payment($1, $2, 'sandbox', $3, 'late money', 50000000, $2, gen_random_uuid(), 'https://pay.example/x')`,
      [company.id, server.clock.now(), findId('inv', id)],
    )
    expect(expectError(answer, 'already_resolved').message).toContain('More money')
    const { body } = await readInvoice(server, company, id)
    expect([body.status, body.receivedAmount]).toEqual(['manual_review', '110.000000'])
    expect(await balanceOf(server, company)).toBe('0.00')
    expect((await resolve(server, id, { outcome: 'completed' })).body).toMatchObject({ creditAmount: '108.35' })
    expect(await balanceOf(server, company)).toBe('108.35')
  },
)

test("an issuer's answer with the exact amount of another open invoice goes to review and does not affect that invoice", async () => {
  const open = await openInvoice(server, company, '100')
  const slotOf = () =>
    server.db.find<{ invoice_id: string; expires_at: Date }>(sql`
      select invoice_id, expires_at from payment_slot
      where address = ${open.address} and pay_amount = ${parseMicros(open.payAmount ?? '')}`)
  const before = await slotOf()

  const second = await server.createCompany()
  const now = server.clock.now()
  const id = newId(now)
  const wanted = {
    id,
    idempotencyKey: 'second',
    digest: '00',
    amount: 10_000n,
    fee: 150n,
    leaseUntil: new Date(now.getTime() + HOUR_MS),
    linkDigest: '11'.repeat(32),
  }
  await beginInvoice(server.db, second.scope, now, wanted)
  const expiresAt = new Date(now.getTime() + HOUR_MS)
  const creation = {
    status: 'pending',
    address: open.address ?? '',
    payAmount: parseMicros(open.payAmount ?? ''),
    expiresAt,
    freeAt: new Date(now.getTime() + 25 * HOUR_MS),
  } as const
  await settleInvoice(server.db, second.scope, id, now, creation, 'https://pay.example/x')

  expect((await readInvoice(server, second, formatId('inv', id))).body).toMatchObject({
    status: 'manual_review',
    reasons: ['issuer_unknown'],
    address: null,
    payAmount: null,
  })
  // Without an exact amount, every amount above the requested one and below the next cent is right.
  const paid = await pay(server, second, formatId('inv', id), { amount: '100.01' })
  expect(paid.body).toMatchObject({ reasons: ['overpaid', 'issuer_unknown'], receivedAmount: '100.010000' })
  expect(await slotOf()).toEqual(before)
  expect((await complete(server, company, open.id)).body.status).toBe('completed')
  expect([await balanceOf(server, company), await balanceOf(server, second)]).toEqual(['98.50', '0.00'])
})

test('claiming an exact amount never takes the amount of another invoice, however crowded the address is', async () => {
  const open = await openInvoice(server, company, '10')
  const now = server.clock.now()
  const times = { expiresAt: new Date(now.getTime() + HOUR_MS), freeAt: new Date(now.getTime() + 25 * HOUR_MS) }
  await server.db.run(sql`
    insert into payment_slot (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
    select ${open.address}, 10000000 + t, ${company.id}, 'sandbox', gen_random_uuid(), ${times.expiresAt}, ${times.freeAt}
    from generate_series(1, 9999) t
    on conflict do nothing`)
  const slots = () =>
    server.db.many(sql`select pay_amount, invoice_id from payment_slot where address = ${open.address} order by 1`)
  const before = await slots()
  const claim = { invoiceId: newId(now), deposit: 1_000n, addresses: [open.address ?? ''], ...times }
  expect(await claimPaymentSlot(server.db, company.scope, now, claim)).toMatchObject({ address: null })
  expect(await slots()).toEqual(before)
})
