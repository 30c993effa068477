// GET /pay/{token} without a browser: each link shows its own invoice and company, and an unknown link says so.
import { afterAll, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { must } from '../../../src/lib/invariant.ts'
import { complete, openInvoice } from '../../support/invoices.ts'
import { TestServer } from '../../support/harness.ts'
import { expectError } from '../expect-error.ts'

const server = await TestServer.start()
afterAll(() => server.stop())

const open = (url: string) => fetch(url, { headers: { accept: 'text/html,*/*' } })

test('two pages that are asked for together name their own company, amount and address', async () => {
  const names = ['Analytical Engines', 'Difference & Sons']
  const invoices = []
  for (const name of names) {
    const company = await server.createCompany()
    await server.db.run(sql`update company set name = ${name} where id = ${company.id}`)
    invoices.push(await openInvoice(server, company, '100'))
  }
  const pages = await Promise.all(invoices.map(async ({ payUrl }) => (await open(must(payUrl))).text()))
  expect(pages[0]).toContain('the card account of Analytical Engines.')
  expect(pages[1]).toContain('the card account of Difference &amp; Sons.')
  for (const [index, { payAmount, address }] of invoices.entries()) {
    expect(pages[index]).toContain(`>${must(payAmount)} USDT<`)
    expect(pages[index]).toContain(`>${must(address)}<`)
  }
})

test('the page of a paid invoice says what was credited', async () => {
  const company = await server.createCompany()
  const invoice = await openInvoice(server, company, '100')
  await open(must(invoice.payUrl))
  await complete(server, company, invoice.id)
  await expect
    .poll(async () => (await open(must(invoice.payUrl))).text())
    .toContain('98.50 USD was credited to the card account of Test company')
})

test('an unknown link is answered with a page for a browser, and with the error body for a program', async () => {
  const url = `${server.baseUrl}/pay/${'A'.repeat(43)}`
  const page = await open(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expectError(await server.get(`/pay/${'A'.repeat(43)}`, ''), 'not_found')
})
