// What the database itself guarantees: the states of an invoice, its JSON, and exact amounts that no two invoices share.
import { afterAll, describe, expect, test } from 'vitest'
import { findInvoice } from '../../src/funding/queries.ts'
import { toInvoice } from '../../src/funding/schema.ts'
import { INVOICE_STATUSES, INVOICE_TRANSITIONS } from '../../src/funding/states.ts'
import { claimPaymentSlot } from '../../src/issuer/queries.ts'
import { findId, newId } from '../../src/lib/ids.ts'
import { makeUnownedAddress } from '../../src/tron/address.ts'
import { complete, expectSoundLedger, openInvoice, pay, readInvoice, resolve } from '../support/invoices.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'
import { isDistributed } from '../support/on-citus.ts'

const HOUR_MS = 3_600_000
const server = await TestServer.start()
afterAll(async () => {
  await expectSoundLedger(server)
  await server.stop()
})

const run = (text: string, values: unknown[]) => server.db.many({ name: undefined, text, values })

test('the database allows exactly the transitions of INVOICE_TRANSITIONS', async () => {
  const company = await server.createCompany()
  const invoice = await openInvoice(server, company)
  const id = findId('inv', invoice.id)
  // The triggers are on the nodes.
  const forNodes = isDistributed() ? `set local citus.propagate_set_commands = 'local';` : ''
  for (const from of INVOICE_STATUSES) {
    for (const to of INVOICE_STATUSES) {
      // Use one statement that always fails at the end, so that the attempt leaves nothing behind.
      const attempt = run(
        `do $$ begin
           ${forNodes}
           set local session_replication_role = replica;
           update invoice set status = '${from}', failure_code = case when '${from}' = 'failed' then 'x' end where id = '${id}';
           set local session_replication_role = origin;
           update invoice set status = '${to}', failure_code = case when '${to}' = 'failed' then 'x' end where id = '${id}';
           raise exception 'allowed';
         end $$`,
        [],
      )
      const isAllowed = from === to || INVOICE_TRANSITIONS[from].includes(to)
      await expect(attempt, `${from} → ${to}`).rejects.toThrow(isAllowed ? 'allowed' : 'does not go from')
    }
  }
  await complete(server, company, invoice.id)
})

describe('invoice_json', () => {
  async function expectSame(company: TestCompany, wireId: string): Promise<void> {
    const id = findId('inv', wireId) ?? ''
    // In two statements: Citus has no such row of an invoice on its nodes.
    const [found] = await run(
      `select to_json(i)::text as row from invoice i where company_id = $1 and environment = $2 and id = $3`,
      [company.id, 'sandbox', id],
    )
    const [row] = await run(`select invoice_json(json_populate_record(null::invoice, $1::json), $2) as json`, [
      (found as { row: string }).row,
      'https://pay.example/x',
    ])
    const invoice = await findInvoice(server.db, company.scope, id)
    if (invoice === undefined) throw new Error('no such invoice')
    expect((row as { json: unknown }).json).toEqual(toInvoice(invoice, 'https://pay.example/x'))
  }

  test('returns the wire form in every state', async () => {
    const company = await server.createCompany()
    const first = await openInvoice(server, company, '12345')
    await expectSame(company, first.id)
    await pay(server, company, first.id, { amount: '0.05' })
    await expectSame(company, first.id)
    await resolve(server, first.id, { outcome: 'completed' })
    await expectSame(company, first.id)
    const second = await openInvoice(server, company)
    await pay(server, company, second.id, { amount: '1', at: '2026-01-01T00:00:00.001Z' })
    await resolve(server, second.id, { outcome: 'failed' })
    await expectSame(company, second.id)
    const third = await openInvoice(server, company)
    server.clock.advance(HOUR_MS)
    expect((await readInvoice(server, company, third.id)).body.status).toBe('expired')
    await expectSame(company, third.id)
    const bare = newId(server.clock.now())
    await run(
      `insert into invoice (company_id, environment, id, requested, deposit, fee, idempotency_key, request_digest, created_at, status_at)
       values ($1, 'sandbox', $2, 1000, 1000, 15, 'bare', '', $3, $3)`,
      [company.id, bare, server.clock.now()],
    )
    await run(
      `insert into issuer_request (company_id, environment, id, kind, status, due_at, held)
       values ($1, 'sandbox', $2, 'invoice', 'processing', $3, 0)`,
      [company.id, bare, server.clock.now()],
    )
    await expectSame(company, `inv_${bare.replaceAll('-', '')}`)
  })
})

describe('exact amounts', () => {
  test('200 invoices of 200 companies have 200 different pairs of address and amount', async () => {
    const companies: TestCompany[] = []
    for (let made = 0; made < 200; made += 10) {
      companies.push(...(await Promise.all(Array.from({ length: 10 }, () => server.createCompany()))))
    }
    const invoices = await Promise.all(companies.map((company) => openInvoice(server, company, '100')))
    expect(new Set(invoices.map(({ address, payAmount }) => `${address} ${payAmount}`)).size).toBe(200)
    expect(new Set(invoices.map(({ address }) => address)).size).toBeGreaterThan(1)
  })

  const wanted = (invoiceId: string, now: Date, address: string) => ({
    invoiceId,
    deposit: 1_000n,
    addresses: [address],
    expiresAt: new Date(now.getTime() + HOUR_MS),
    freeAt: new Date(now.getTime() + 25 * HOUR_MS),
  })

  test('a crowded address gives each amount once, then none, and reuses an amount only one day after it expired', async () => {
    const { scope } = await server.createCompany()
    const address = makeUnownedAddress('crowded')
    const now = server.clock.now()
    await run(
      `insert into payment_slot (address, pay_amount, company_id, environment, invoice_id, expires_at, free_at)
       select $1, 10000000 + t, $2, 'sandbox', gen_random_uuid(), $3, $4 from generate_series(1, 9999) t where t not in (17, 4711)`,
      [address, scope.companyId, new Date(now.getTime() + HOUR_MS), new Date(now.getTime() + 25 * HOUR_MS)],
    )
    const claim = (at: Date) => claimPaymentSlot(server.db, scope, at, wanted(newId(at), at, address))
    const both = await Promise.all([claim(now), claim(now)])
    expect(new Set(both.map((slot) => slot && 'pay_amount' in slot && slot.pay_amount))).toEqual(
      new Set([10_000_017n, 10_004_711n]),
    )
    expect(await claim(now)).toMatchObject({ address: null })
    expect(await claim(new Date(now.getTime() + 25 * HOUR_MS - 1))).toMatchObject({ address: null })
    expect(await claim(new Date(now.getTime() + 25 * HOUR_MS))).toMatchObject({ address })
  })

  test('asking again with the same token gets the same pair', async () => {
    const { scope } = await server.createCompany()
    const now = server.clock.now()
    const slot = wanted(newId(now), now, makeUnownedAddress('again'))
    const first = await claimPaymentSlot(server.db, scope, now, slot)
    expect(await claimPaymentSlot(server.db, scope, now, slot)).toEqual(first)
  })
})

test('the worker expires unpaid invoices even if nobody reads them', async () => {
  const company = await server.createCompany()
  const { id } = await openInvoice(server, company)
  server.clock.advance(HOUR_MS)
  await expect
    .poll(async () => (await findInvoice(server.db, company.scope, findId('inv', id) ?? ''))?.status)
    .toBe('expired')
})
