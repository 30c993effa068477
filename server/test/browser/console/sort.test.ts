// The order of lists: the server sorts lists of any length, the browser tables that are whole, and the address has the choice.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addManyHolders } from '../../api/rows.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

describeInBrowser('the order of lists', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let page: Page

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await makeConsoleObjects(server, company)
    server.clock.advance(1)
    // More than the page reads at once.
    await addManyHolders(server, company.scope, 150)
    ;({ page } = await openConsole(browser, server, { company }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const head = (name: string) => page.getByRole('columnheader', { name })
  const firstRow = (name: RegExp) => page.getByRole('row').nth(1).and(page.getByRole('row', { name }))

  test('holders are sorted by name and by age over all of them, and a reload keeps it', async () => {
    await page.goto('/holders')
    await firstRow(/^Holder 150 /).waitFor()
    expect(await head('Name').getAttribute('aria-sort')).toBe('none')
    await head('Name').getByRole('button').click()
    // Neither of the two is among the newest hundred.
    await firstRow(/^Ada Lovelace /).waitFor()
    expect(await head('Name').getAttribute('aria-sort')).toBe('ascending')
    await head('Name').getByRole('button').click()
    await firstRow(/^Travel team /).waitFor()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('name_desc')
    await page.reload()
    await firstRow(/^Travel team /).waitFor()
    expect(await head('Name').getAttribute('aria-sort')).toBe('descending')
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Order').selectOption('Oldest first')
    await firstRow(/^Ada Lovelace /).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const [, first, ...others] = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(first).toContain('Ada Lovelace')
    expect(others.at(-1)).toContain('Holder 150')
  })

  test.each([
    ['/transactions', 'Time', /^Train tickets/, /^Corner Coffee/],
    ['/operations', 'Created', /Travel|Ada|Top-up/, /^Virtual card for Ada Lovelace/],
  ])('%s has the newest first, and the oldest after a click', async (path, title, newest, oldest) => {
    await page.goto(path)
    await firstRow(newest).waitFor()
    expect(await head(title).getAttribute('aria-sort')).toBe('descending')
    await head(title).getByRole('button').click()
    await firstRow(oldest).waitFor()
    expect(await head(title).getAttribute('aria-sort')).toBe('ascending')
    expect(new URL(page.url()).searchParams.get('sort')).toBe('oldest')
  })

  test('invoices and cards are sorted too', async () => {
    await page.goto('/fund?sort=oldest')
    await head('Created').waitFor()
    expect(await head('Created').getAttribute('aria-sort')).toBe('ascending')
    await page.goto('/cards?sort=name_asc')
    await page.getByRole('row').nth(1).getByText('Online tools', { exact: true }).waitFor()
    await head('Name').getByRole('button').click()
    await page.getByRole('row').nth(1).getByText('Travel', { exact: true }).waitFor()
  })

  test('a table that is whole is sorted by every figure and name in it', async () => {
    await page.goto('/spend?days=Last+90+days')
    await firstRow(/^Example Cloud/).waitFor()
    await head('Merchant').getByRole('button').click()
    await firstRow(/^Corner Coffee/).waitFor()
    await head('Spent').getByRole('button').click()
    await firstRow(/^Example Cloud/).waitFor()
    await head('Spent').getByRole('button').click()
    await firstRow(/^Train tickets/).waitFor()
    expect(new URL(page.url()).searchParams.get('sort')).toBe('spent')
    expect(await findViolations(page)).toEqual([])
  })
})
