// The pages of a company's money in the console: the card account, funding, holders, services and transactions. What the
// server refuses is shown with what to do.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Statement } from '@cardstock/sdk'
import { DAY_MS, dayOf, verifyStatement } from '@cardstock/sdk/statements'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveEntries } from '../../../src/archive/archive.ts'
import { sealEntries } from '../../../src/ledger/queries.ts'
import { forge } from '../../books/forge.ts'
import { fund } from '../../books/steps.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { saveCsv } from './save-csv.ts'
import { searchFor } from './search-for.ts'

describeInBrowser("a company's money in the console", () => {
  let server: TestServer
  let browser: Browser
  /** Has cards, operations and payments. No test changes it. */
  let busy: TestCompany

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    busy = await server.createCompany()
    await makeConsoleObjects(server, busy)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const choose = async (page: Page, menu: string, item: RegExp | string) => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  async function openInvoice(amount: string): Promise<{ page: Page; company: TestCompany; offences: string[] }> {
    const company = await server.createCompany()
    const opened = await openConsole(browser, server, { company })
    await opened.page.goto('/fund')
    await opened.page.getByRole('textbox', { name: 'Amount', exact: true }).fill(amount)
    await opened.page.getByRole('button', { name: /^Create invoice/ }).click()
    return { company, ...opened }
  }

  test('the card account shows every entry with its balance, filters them in the address, and verifies itself', async () => {
    const { page, offences } = await openConsole(browser, server, { company: busy })
    await page.goto('/account')
    await page.getByRole('row', { name: /Sandbox funding .* \+12,500\.00 USD .* 12,500\.00 USD/ }).waitFor()
    await page.getByLabel('Kind').selectOption('Deposits')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?kind=deposit')
    await page.reload()
    await page.getByRole('row', { name: /Sandbox funding/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    const lines = await saveCsv(page, 'Download CSV: Entries')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/Sandbox funding/)
    await page.getByLabel('Kind').selectOption('All')
    await page
      .getByRole('row', { name: /^Virtual card for .* ·· \d{4}/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /^Reserved: / })
      .first()
      .waitFor()
    await page.getByLabel('Reservations').selectOption('Hidden')
    await page
      .getByRole('row', { name: /^Reserved: / })
      .first()
      .waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /^Virtual card for .* ·· \d{4}/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Verify this statement' }).click()
    await page.getByText('This statement is consistent').waitFor()
    expect(offences).toEqual([])
  })

  test('the figures of one period never stand under the days of another', async () => {
    const { page } = await openConsole(browser, server, { company: busy })
    await page.goto('/account')
    const figures = page.getByText('Closing balance')
    await figures.waitFor()
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(/\/api\/v1\/statements/, async (route) => {
      await held
      return route.continue()
    })
    await page.getByLabel('Period').selectOption('Last month')
    await figures.waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { level: 1, name: 'Card account' }).count()).toBe(1)
    answer()
    await figures.waitFor()
  })

  test('a downloaded statement has its proof, and one that was altered or made up is refused in the browser', async () => {
    const { page } = await openConsole(browser, server, { company: busy })
    await page.goto('/account')
    await untilShown(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose(page, 'Download statement', 'JSON with proof'),
    ])
    expect(download.suggestedFilename()).toMatch(/^statement-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.json$/)
    const path = await download.path()
    const text = await readFile(path, 'utf8')
    expect(verifyStatement(JSON.parse(text)).problems).toEqual([])
    const verify = async (file: string) => {
      await page.getByLabel('Statement saved as JSON').setInputFiles([])
      await page.getByLabel('Statement saved as JSON').setInputFiles(file)
    }
    await verify(path)
    await page.getByText('matches this server’s records').waitFor()
    const forged = forge(JSON.parse(text) as Statement, '9000.00')
    expect(verifyStatement(forged).problems).toEqual([])
    await writeFile(`${path}-forged.json`, JSON.stringify(forged))
    await verify(`${path}-forged.json`)
    await page.getByText('does not match this server’s records').waitFor()
    await page.getByText('is 21500.00, but the server has 12500.00').first().waitFor()
    // Whoever may not read the account cannot compare, and is told so.
    const stranger = await openConsole(browser, server, { company: await server.createCompany() })
    await stranger.page.goto('/account')
    await untilShown(stranger.page)
    await stranger.page.getByLabel('Statement saved as JSON').setInputFiles(path)
    await stranger.page.getByText('is consistent, but was not compared with the server').waitFor()
    const altered = `${path}-altered.json`
    await writeFile(altered, text.replace('"closingBalance":"1', '"closingBalance":"9'))
    await verify(altered)
    await page.getByText('was changed').waitFor()
    await page.getByText(/closingBalance/).waitFor()
    await writeFile(altered, 'no statement')
    await verify(altered)
    await page.getByText('The file is not a statement in JSON.').waitFor()
  })

  test.each([
    ['CSV for spreadsheets', 'id,reference,kind'],
    ['PDF for printing', '%PDF-'],
  ])('a statement is downloaded as %s', async (item, start) => {
    const { page } = await openConsole(browser, server, { company: busy })
    await page.goto('/account')
    await untilShown(page)
    const [download] = await Promise.all([page.waitForEvent('download'), choose(page, 'Download statement', item)])
    expect((await readFile(await download.path(), 'latin1')).slice(0, start.length)).toBe(start)
  })

  test('days without movement are named, and a range that is too long is refused with what to do', async () => {
    const { page } = await openConsole(browser, server, { company: busy })
    await page.goto('/account?from=2020-01-01&to=2020-01-31')
    await page.getByText('No movement between 1 Jan 2020 and 31 Jan 2020').waitFor()
    await page.getByLabel('To (UTC)').fill('2025-01-31')
    await page.getByRole('button', { name: 'Show entries' }).click()
    await page.getByText(/at most 366 days.*Ask for a shorter range/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Download statement' }).count()).toBe(0)
  })

  test('an invoice shows exactly what to pay, and the page follows the payment until it is credited', async () => {
    const { page, offences } = await openInvoice('100')
    await page.getByRole('heading', { level: 1, name: 'Invoice for 100.00 USD' }).waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy amount' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^100\.00\d{4}$/)
    await page.getByRole('img', { name: 'QR code with the address and the exact amount' }).waitFor()
    expect(await page.getByRole('timer').textContent()).toMatch(/^[\d:]+ left$/)
    await choose(page, 'Simulate a payment', /^Exact amount/)
    await page
      .getByText(/USDT arrived, and 98\.50 USD was credited to the card account after a fee of 1\.50 USD/)
      .waitFor()
    await page.goto('/account')
    await page.getByRole('row', { name: /^Deposit by invoice: 100\.00 USD, .* \+100\.00 USD/ }).waitFor()
    expect(offences).toEqual([])
  })

  test('an invoice shows when it was paid and what was credited, and an open one is cancelled', async () => {
    const { page, offences } = await openInvoice('100')
    await page.getByRole('button', { name: 'Cancel invoice' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel invoice' }).click()
    await page.getByText(/cancelled this invoice\. Do not pay it\./).waitFor()
    const timeline = page.getByRole('listitem')
    await timeline.filter({ hasText: /^Cancelled/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.goto('/fund')
    await page.getByRole('row', { name: /100\.00 USD Expired .* – –$/ }).waitFor()
    await page.getByLabel('Status').selectOption('Expired')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    const [head = '', ...rows] = await saveCsv(page)
    const status = head.split(',').indexOf('status')
    expect(rows.map((row) => row.split(',')[status])).toEqual(['expired'])
    await page.getByLabel('Status').selectOption('All')
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('200')
    await page.getByRole('button', { name: /^Create invoice/ }).click()
    await choose(page, 'Simulate a payment', /^Exact amount/)
    await timeline.filter({ hasText: /200\.00(?:\d{0,3}[1-9])? USDT paid on the network/ }).waitFor()
    await timeline.filter({ hasText: /200\.00(?:\d{0,3}[1-9])? USDT confirmed by the issuer/ }).waitFor()
    await timeline.filter({ hasText: '197.00 USD credited, after a fee of 3.00 USD' }).waitFor()
    expect(offences).toEqual([])
  })

  test.each([
    ['Too little', /99\.00(?:\d{0,3}[1-9])? USDT arrived instead of 100\.00(?:\d{0,3}[1-9])?\. That is too little\./],
    ['Too much', /101\.00(?:\d{0,3}[1-9])? USDT arrived instead of 100\.00(?:\d{0,3}[1-9])?\. That is too much\./],
    ['One minute late', /USDT arrived\. It arrived too late\./],
  ])('%s is explained, and decided in the sandbox', async (title, sentence) => {
    const { page } = await openInvoice('100')
    await choose(page, 'Simulate a payment', new RegExp(`^${title}`))
    await page.getByText(sentence).waitFor()
    await page.getByText('do not pay again').waitFor()
    await choose(page, 'Decide review', /^Credit the/)
    await page.getByText(/USD was credited to the card account after a fee/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Simulate a payment|Decide review/ }).count()).toBe(0)
  })

  test('a page that lost the server asks nobody to pay after the time is over', async () => {
    const { page } = await openInvoice('100')
    const heading = page.getByRole('heading', { name: 'How to pay' })
    await heading.waitFor()
    const at = server.clock.now().getTime()
    // A device whose clock is wrong still shows how to pay, as long as the server answers.
    await page.clock.setFixedTime(at + 2 * 3_600_000)
    await page.reload()
    await heading.waitFor()
    await page.route('**/api/v1/**', (route) => route.abort())
    await page.clock.setFixedTime(at + 3 * 3_600_000)
    await page.getByText('Do not pay this invoice any more. If it was paid already').waitFor()
    expect(await heading.count()).toBe(0)
    await page.unroute('**/api/v1/**')
    await page.reload()
    await heading.waitFor()
  })

  test('amounts that the server refuses say why, and an open invoice takes the place of the form', async () => {
    const { page } = await openInvoice('5')
    await page.getByText('The amount must be at least 10.00.').waitFor()
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('100.50')
    await page.getByRole('button', { name: /^Create invoice/ }).click()
    await page.getByText(/must be whole US dollars/).waitFor()
    await page.getByRole('textbox', { name: 'Amount', exact: true }).fill('100')
    await page.getByRole('button', { name: 'Create invoice for 100 USD' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoice for 100.00 USD' }).waitFor()
    await page.getByRole('link', { name: 'Invoices' }).first().click()
    await page.getByRole('link', { name: 'View payment details' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Create invoice/ }).count()).toBe(0)
  })

  test('a holder is added once, found again, and offered a card', async () => {
    const company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/holders')
    await page.getByText('No holders yet').waitFor()
    await page.getByRole('link', { name: 'Add holder' }).first().click()
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: 'Add holder' }).dblclick()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('link', { name: 'Issue card' }).first().click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Holder' }).inputValue()).toContain('Ada Lovelace')
    await page.goto('/holders')
    await page.getByRole('textbox', { name: 'Search' }).fill('ADA@')
    await page.getByRole('textbox', { name: 'Search' }).press('Enter')
    await expect.poll(() => new URL(page.url()).search).toBe('?q=ADA%40')
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expect(offences).toEqual([])
  })

  test('a service is ordered with a live quote, at a fixed price or in its limits', async () => {
    const company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/services')
    await page.getByRole('link', { name: 'Order Travel eSIM' }).click()
    await page.getByLabel('Recipient').fill('ada@example.com')
    await page.getByLabel('Amount').fill('1')
    await page.getByText(/at least 3\.00/).waitFor()
    await page.getByLabel('Amount').fill('12')
    await page.getByRole('button', { name: 'Order for 12.62 USD' }).click()
    await page.getByText('Completed. 12.62 USD was charged.').waitFor()
    await page.goto('/services/prod_service_vpn')
    await page.getByLabel('Recipient').fill('ada@example.com')
    await page.getByRole('button', { name: 'Order for 49.00 USD' }).waitFor()
    await page.goto('/services/prod_none')
    await page.getByText('This service can no longer be ordered.').waitFor()
    expect(offences).toEqual([])
  })

  test('payments are filtered, simulated, and settled', async () => {
    const { page, offences } = await openConsole(browser, server, { company: busy })
    await page.goto('/transactions')
    await page.getByRole('button', { name: 'Simulate a payment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('9.90')
    await searchFor(dialog, 'Card', '••••')
    await dialog.getByLabel('Status').selectOption('Pending')
    await dialog.getByLabel('Merchant').fill('Slow Shop')
    await dialog.getByRole('button', { name: 'Simulate payment' }).click()
    await page
      .getByRole('row', { name: /Slow Shop Purchase/ })
      .getByRole('link')
      .click()
    await page.getByText('has not collected it yet').waitFor()
    await page.getByRole('button', { name: 'Settle payment' }).click()
    await page.getByText('The merchant collected the amount from the card.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^(Settle|Reverse|Expire) payment/ }).count()).toBe(0)
    await page.goto('/transactions')
    await page.getByLabel('Status').selectOption('Declined')
    await page.getByRole('row', { name: /Slow Shop/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /Grand Hotel .*Declined ?Insufficient balance .* Not charged: / }).waitFor()
    await page.getByLabel('Status').selectOption('All')
    await page.getByText('Totals of these transactions').click()
    await page.getByRole('table', { name: 'Totals' }).waitFor()
    expect(await page.getByRole('table', { name: 'Totals' }).getByText('Declined').count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('a viewer sees the money and is offered nothing that the server would refuse', async () => {
    const { page } = await openConsole(browser, server, { company: busy, role: 'viewer' })
    for (const path of ['/account', '/fund', '/holders', '/services', '/transactions']) {
      await page.goto(path)
      await untilShown(page)
      await expect.poll(() => page.getByRole('link', { name: /^(Add|Issue|Order|Create)/ }).count()).toBe(0)
      await expect.poll(() => page.getByRole('button', { name: /^(Create|Simulate|Add)\b/ }).count()).toBe(0)
    }
    await page.goto('/holders/add')
    await page.getByText('Your role does not include this page').waitFor()
  })

  // The last test, because it archives the entries of every company of the server.
  test('days whose entries are archived are refused with the day from which on there are statements', async () => {
    const company = await server.createCompany()
    await fund(server, company, '100')
    await sealEntries(server.db, { company_id: company.id, environment: 'sandbox' }, server.clock.now(), 100)
    const folder = await mkdtemp(join(tmpdir(), 'cardstock-console-'))
    const tomorrow = new Date(server.clock.now().getTime() + DAY_MS)
    await archiveEntries({ db: server.db, clock: server.clock, before: tomorrow, folder, note: () => {} })
    await rm(folder, { recursive: true })
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/account')
    await page.getByText(`Entries before ${dayOf(tomorrow)} are archived`).waitFor()
    await page.getByText(/ask the operator for the archive/).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Download statement' }).count()).toBe(0)
  })
})
