// A statement names the object that each entry belongs to, whatever kind of object it is.
import type { StatementEntry } from '@cardstock/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, fund, issueCard, operate, readCard, settled } from '../../books/steps.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { complete, expectSoundLedger, openInvoice, pay, resolve } from '../../support/invoices.ts'

let server: TestServer
let company: TestCompany
beforeAll(async () => {
  server = await TestServer.start()
  company = await server.createCompany()
})
afterAll(async () => {
  await expectSoundLedger(server)
  await server.stop()
})

let seen = 0
/** Returns kind and reference of the entries since the last call. */
async function newEntries(): Promise<string[]> {
  const { body } = await server.get<{ data: StatementEntry[] }>(
    '/api/v1/account-statements?from=2026-03-10&to=2026-03-10',
    company.key,
  )
  const entries = body.data.slice(seen).map(({ kind, reference }) => `${kind} ${reference}`)
  seen = body.data.length
  return entries
}

it('sandbox funding refers to its deposit', async () => {
  await fund(server, company, '1000')
  expect(await newEntries()).toEqual([expect.stringMatching(/^deposit fund_[0-9a-f]{32}$/)])
})

it('an operation refers to itself, in every entry', async () => {
  const body = { type: 'service', productId: 'prod_service_esim', amount: '20.00', recipient: 'ada@example.com' }
  const { id } = await settled(server, company, await operate(server, company, body))
  expect(await newEntries()).toEqual([`reservation ${id}`, `capture ${id}`, `fee ${id}`])
  const failed = await settled(server, company, await operate(server, company, { ...body, recipient: 'fail' }))
  expect(await newEntries()).toEqual([`reservation ${failed.id}`, `release ${failed.id}`])
})

it('an entry of an invoice refers to the invoice, and an entry of later money to the review that credited it', async () => {
  const { id } = await openInvoice(server, company, '100')
  await complete(server, company, id)
  expect(await newEntries()).toEqual([`deposit ${id}`, `fee ${id}`])
  await pay(server, company, id, { amount: '50' })
  const reviews = await server.get<{ data: { id: string }[] }>('/admin/v1/reviews?limit=100', server.operatorToken)
  const review = reviews.body.data.find((item) => item.id.startsWith('rev_'))?.id ?? ''
  expect((await resolve(server, review, { outcome: 'completed' })).status).toBe(200)
  expect(await newEntries()).toEqual([`deposit ${review}`, `fee ${review}`])
})

it('the balance of a closed card refers to the card', async () => {
  const card = await issueCard(server, company)
  await newEntries()
  await server.post(`/api/v1/cards/${card.id}/close`, company.key)
  await eventually(
    () => readCard(server, company, card.id),
    ({ status }) => status === 'closed',
  )
  expect(await newEntries()).toEqual([`adjustment ${card.id}`])
})
