// Lists: their head stays in view, their counts are true, their filters are remembered, and each can be saved as CSV.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addHolder, addManyHolders } from '../../api/rows.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

describeInBrowser('lists in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await makeConsoleObjects(server, company)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('the filters that a person chose are there again, in the same environment only, until they are cleared', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards')
    await page.getByText('2 results').waitFor()
    await page.getByLabel('Status').selectOption('frozen')
    await page.getByText('1 result', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Overview' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Cards', exact: true }).click()
    await page.getByText('1 result', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=frozen')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('real money of').waitFor()
    await page.goto('/cards')
    await page.getByText('No cards yet').waitFor()
    await page.getByRole('button', { name: 'Switch to sandbox' }).click()
    await page.goto('/cards')
    await page.getByText('1 result', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('2 results').waitFor()
    await page.reload()
    await page.getByText('2 results').waitFor()
  })

  test('on a phone the search stays, and the other filters are behind one button that counts those in use', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/cards?status=frozen')
    await page.getByText('1 result', { exact: true }).waitFor()
    await page.getByLabel('Search').waitFor()
    expect(await page.getByLabel('Status').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters (1)' }).click()
    await page.getByLabel('Product').selectOption('Virtual card')
    await page.getByRole('button', { name: 'Filters (2)' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('2 results').waitFor()
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByLabel('Status').waitFor({ state: 'hidden' })
  })

  test('a link with filters shows exactly those, and a search is not remembered', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards')
    await page.getByLabel('Status').selectOption('frozen')
    await page.getByText('1 result', { exact: true }).waitFor()
    await page.goto('/cards?status=active')
    await page.getByRole('row', { name: /Online tools/ }).waitFor()
    await page.goto('/holders')
    await page.getByLabel('Search').fill('Ada')
    await page.keyboard.press('Enter')
    await page.getByText('1 result', { exact: true }).waitFor()
    await page.goto('/holders')
    await page.getByText('2 results').waitFor()
    expect(await page.getByLabel('Search').inputValue()).toBe('')
  })

  test('a list is saved as CSV with its filters, and no cell of it is a formula', async () => {
    await addHolder(server, company.scope, { name: '=SUM(A1)' })
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/holders?q=%3DSUM')
    await page.getByText('1 result', { exact: true }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^holders-\d{4}-\d\d-\d\d\.csv$/)
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('name')
    expect(lines[1]).toContain("'=SUM(A1)")
    await page.getByText('1 row saved.').waitFor()
  })

  test('rows of the former filter are marked as such, without a count, until those of the new one are there', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards')
    await page.getByText('2 results').waitFor()
    let answer = () => {}
    const held = new Promise<void>((resolve) => (answer = resolve))
    await page.route('**/api/v1/cards?*status=frozen*', async (route) => {
      await held
      return route.continue()
    })
    await page.getByLabel('Status').selectOption('frozen')
    await page
      .locator('[aria-busy=true]')
      .getByRole('row', { name: /Online tools/ })
      .waitFor()
    expect(await page.getByText('2 results').count()).toBe(0)
    answer()
    await page.getByText('1 result', { exact: true }).waitFor()
    expect(await page.locator('[aria-busy=true]').count()).toBe(0)
    // An empty list of the former filter says nothing of the new one.
    await page.getByLabel('Status').selectOption('closed')
    await page.getByText('No results for these filters').waitFor()
    let again = () => {}
    const later = new Promise<void>((resolve) => (again = resolve))
    await page.route('**/api/v1/cards?*status=active*', async (route) => {
      await later
      return route.continue()
    })
    await page.getByLabel('Status').selectOption('active')
    await page.getByText('No results for these filters').waitFor({ state: 'detached' })
    again()
    await page.getByRole('row', { name: /Online tools/ }).waitFor()
  })

  test('a file that ends before the list says so in its name and on the page, for as long as the page is open', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/holders')
    await untilShown(page)
    const row = { id: 'hld_1', name: 'Ada' }
    await page.route('**/api/v1/holders?*', (route) =>
      route.fulfill({ json: { data: Array.from({ length: 100 }, () => row), nextCursor: 'more' } }),
    )
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toMatch(/^holders-\d{4}-\d\d-\d\d-first-10000\.csv$/)
    const told = page.getByRole('alert').filter({
      hasText:
        'The file is incomplete: only the first 10,000 rows were saved. For the rest, use filters or the cardstock command.',
    })
    await told.waitFor()
    expect(await page.getByText('rows saved.').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.unroute('**/api/v1/holders?*')
    // A whole file takes the notice away.
    await page.getByRole('button', { name: 'Download CSV' }).click()
    await told.waitFor({ state: 'detached' })
  })

  test('the count of a long list says that there is more, and its head stays in view', async () => {
    await addManyHolders(server, company.scope, 105)
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/holders?status=active')
    await page.getByText('100+ results').waitFor()
    await page.mouse.wheel(0, 2_000)
    const head = page.getByRole('columnheader').first()
    await expect.poll(async () => (await head.boundingBox())?.y).toBe(0)
    await page.mouse.wheel(0, 20_000)
    await page.getByText(/^10\d results$/).waitFor()
  })

  test('a click anywhere in a row opens its object', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards')
    await untilShown(page)
    const row = page.getByRole('row', { name: /Online tools/ })
    const box = await row.boundingBox()
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.y ?? 0) + 10)
    await page.getByRole('heading', { level: 1, name: 'Online tools' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/cards\/card_\w+$/)
  })
})
