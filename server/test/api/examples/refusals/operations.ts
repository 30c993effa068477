// What is refused when a company moves money: operations, funding, invoices and statements.
import { findId } from '../../../../src/lib/ids.ts'
import { sql } from '../../../../src/db/sql.ts'
import { archiveBefore } from '../../../books/archive.ts'
import { fillDeposits } from '../../../books/statements.ts'
import {
  createCard,
  createCustomer,
  createHolder,
  issueBody,
  send,
  serviceBody,
  topupBody,
  VPN,
} from '../../../support/operations.ts'
import { complete, INVOICES, openInvoice, pay, resolve } from '../../../support/invoices.ts'
import type { LiveWorld } from '../../../support/live.ts'
import type { Recorder } from '../recorder.ts'

const HOUR_MS = 3_600_000
/** The most cards that an individual may issue in a month. */
const QUOTA = 500

export async function refuseOperations({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const customer = await createCustomer(server, { funds: '100.00' })
  const ask = (body: unknown) => send(server, customer, body)
  recorder.refuse('amount_below_minimum', await ask(issueBody(customer, { amount: '5.00' })))
  recorder.refuse('amount_above_maximum', await ask(serviceBody({ amount: '200.01' })))
  recorder.refuse('amount_not_price', await ask(serviceBody({ productId: VPN, amount: '48.99' })))
  recorder.refuse('insufficient_funds', await ask(issueBody(customer, { amount: '500.00' })))
  recorder.refuse('quote_changed', await ask(issueBody(customer, { expectedTotal: '10.00' })))
  const card = await createCard(server, customer)
  recorder.refuse('product_mismatch', await ask(topupBody(card, { productId: 'prod_card_advertising' })))
  await server.post(`/api/v1/cards/${card}/freeze`, customer.key)
  recorder.refuse('card_not_active', await ask(topupBody(card)))
  const holderId = await createHolder(server, customer)
  await server.db.run(sql`update holder set status = 'blocked' where id = ${findId('hld', holderId)}`)
  recorder.refuse('holder_not_active', await ask(issueBody(customer, { holderId })))
}

export async function refuseIssuance({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const customer = await createCustomer(server, { funds: '100000.00', kind: 'individual' })
  const issues = Array.from({ length: QUOTA }, () => send(server, customer, issueBody(customer)))
  await Promise.all(issues)
  recorder.refuse('issuance_quota_exceeded', await send(server, customer, issueBody(customer)))
}

/** The clock moves by an hour. */
export async function refuseFunding({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const invoice = (amount: string) => server.post(INVOICES, company.key, { amount })
  recorder.refuse('amount_not_whole', await invoice('100.50'))
  const first = await openInvoice(server, company)
  recorder.refuse('invoice_unresolved', await invoice('10'))
  server.clock.advance(HOUR_MS)
  recorder.refuse('invoice_not_payable', await complete(server, company, first.id))
  const second = await openInvoice(server, company)
  await pay(server, company, second.id, { amount: '1' })
  await resolve(server, second.id, { outcome: 'completed' })
  recorder.refuse('already_resolved', await resolve(server, second.id, { outcome: 'failed' }))
  const fund = () => server.post('/api/v1/sandbox/funding', company.key, { amount: '9999999999.99' })
  for (let count = 0; count < 10; count += 1) await fund()
  recorder.refuse('balance_limit_exceeded', await fund())
}

export async function refuseStatements({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const ask = (from: string, to: string) => server.get(`/api/v1/account-statements?from=${from}&to=${to}`, company.key)
  recorder.refuse('statement_range_too_large', await ask('2025-01-01', '2026-03-10'))
  await fillDeposits(server, company, 1, new Date('2026-03-09T10:00:00Z'))
  await fillDeposits(server, company, 10_000, new Date('2026-03-10T10:00:00Z'))
  recorder.refuse('statement_too_many_entries', await ask('2026-03-09', '2026-03-10'))
  await archiveBefore(server.db, company.scope, new Date('2026-03-10'))
  recorder.refuse('entries_archived', await ask('2026-03-09', '2026-03-10'))
}
