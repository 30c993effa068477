// Many cards from a file in the console: every row is shown with its price before anything is sent, and the same file repeats nothing.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

describeInBrowser('cards from a file', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let page: Page
  let offences: string[]
  let rows: string

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
    const holder = { name: 'Ada', email: 'ada@example.com', kind: 'individual' }
    const { id } = (await server.post<{ id: string }>('/api/v1/holders', company.key, holder)).body
    rows = [
      'holderId,productId,amount,name',
      `${id},prod_card_virtual,25.00,=1+1`,
      `${id},prod_card_virtual,5.00,Tea`,
    ].join('\n')
    ;({ page, offences } = await openConsole(browser, server, { company }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const countOperations = async () =>
    (await server.get<{ data: unknown[] }>('/api/v1/operations', company.key)).body.data.length

  async function check(text: string): Promise<void> {
    await page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await page.getByRole('button', { name: 'Check file' }).click()
  }

  async function download(name: string): Promise<string> {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    return readFileSync(await (await saved).path(), 'utf8')
  }

  test('a template can be downloaded, and a file that is none is refused with the reason', async () => {
    await page.goto('/cards')
    await page.getByRole('link', { name: 'Upload CSV' }).click()
    expect(await download('Download issue template')).toMatch(/^holderId,productId,amount,name\r\n/)
    await check('name,surname\nAda,Lovelace\n')
    await page.getByText('The first line must name the columns').waitFor()
  })

  test('every row shows its price or its refusal, and sending it makes one operation, also when the file comes again', async () => {
    await check(rows)
    await page.getByRole('row', { name: /Row 2 Ready .*28\.05/ }).waitFor()
    await page.getByRole('row', { name: /Row 3 Refused .*at least/ }).waitFor()
    expect(await countOperations()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Issue 1 card for 28.05 USD' }).click()
    // The status is that of now, not that at which the row was accepted.
    await page.getByRole('row', { name: /Row 2 Accepted Completed/ }).waitFor()
    const result = await download('Download result')
    expect(result).toContain(`'=1+1`)
    // As somebody who closed the tab would: the same file again.
    await page.reload()
    await check(rows)
    await page.getByRole('row', { name: /Row 2 Sent before/ }).waitFor()
    expect(await page.getByRole('button', { name: /^Issue/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await check(result.replace(',5.00,', ',15.00,'))
    await page.getByRole('button', { name: 'Issue 1 card for 18.03 USD' }).click()
    await page.getByRole('row', { name: /Row 3 Accepted/ }).waitFor()
    expect(await countOperations()).toBe(2)
    expect(offences).toEqual([])
  })

  const ORDERS = '**/api/v1/operations'

  test('a row whose answer was lost is said to be in doubt, and the same file tells what became of it', async () => {
    await page.reload()
    const file = rows.replace(/\n.*Tea$/, '').replace('25.00', '11.00')
    await check(file)
    await page.route(ORDERS, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: /^Issue 1 card/ }).click()
    await page
      .getByText('No answer came for 1 row: it may have been carried out. Do not order it in another way.')
      .waitFor()
    expect(await page.getByText('Some rows were not sent').count()).toBe(0)
    await page.unroute(ORDERS)
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await check(file)
    await page.getByRole('row', { name: /Row 2 Sent before/ }).waitFor()
  })

  test('whoever leaves the page while rows are sent is asked first, and what was left is sent with the same file', async () => {
    await page.reload()
    const file = rows.replace(/\n.*Tea$/, '').replace('25.00', '12.00')
    await check(file)
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route(ORDERS, async (route) => {
      if (route.request().method() === 'POST') await held
      return route.continue()
    })
    await page.getByRole('button', { name: /^Issue 1 card/ }).click()
    await page.getByText('Keep this page open: leaving it stops the sending.').waitFor()
    const dialog = page.getByRole('dialog', { name: 'Stop sending?' })
    const leave = () => page.getByRole('link', { name: 'Holders', exact: true }).click()
    await leave()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await leave()
    await dialog.waitFor()
    // The question ends when there is nothing left to stop.
    answer()
    await page.getByRole('row', { name: /Row 2 Accepted/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await page.unroute(ORDERS)
    await page.getByRole('button', { name: 'Choose another file' }).click()
    const other = file.replace('12.00', '13.00')
    await check(other)
    await page.route(ORDERS, (route) => (route.request().method() === 'POST' ? undefined : route.continue()))
    await page.getByRole('button', { name: /^Issue 1 card/ }).click()
    await page.getByText('Keep this page open').waitFor()
    await leave()
    await dialog.getByRole('button', { name: 'Stop and leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Holders' }).waitFor()
    await page.unroute(ORDERS)
    await page.goto('/cards/bulk')
    await check(other)
    await page.getByRole('row', { name: /Row 2 Ready/ }).waitFor()
    expect(offences).toEqual([])
  })

  test('a file that costs more than is available cannot be sent', async () => {
    await page.reload()
    await check(rows.replace('25.00', '80.00'))
    await page.getByText('Not enough is available in the card account for all rows').waitFor()
    expect(await page.getByRole('button', { name: /^Issue 1 card/ }).isDisabled()).toBe(true)
    expect(await findViolations(page)).toEqual([])
  })
})
