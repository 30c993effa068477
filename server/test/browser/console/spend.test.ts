// How much and for what: the page Spend with its file, the figures of the overview, and the warning that the balance is low.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATEGORY_IDS, categoryOf } from '../../../src/transactions/rules.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

/** What the server calls the groups, by their ids. */
const NAMES = new Map<string, string>(
  [null, ...Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0'))]
    .map((code) => categoryOf(code))
    .map(({ id, name }) => [id, name]),
)

describeInBrowser('spend in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let page: Page

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await makeConsoleObjects(server, company)
    ;({ page } = await openConsole(browser, server, { company }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('payments are added up by what is chosen, without those that were declined, and saved as CSV', async () => {
    await page.goto('/spend?days=Last+90+days')
    await page.getByRole('row', { name: /Example Cloud 1 .*88\.10/ }).waitFor()
    // It was declined.
    expect(await page.getByText('Grand Hotel').count()).toBe(0)
    await page.getByRole('region', { name: '110.40 USD in 3 payments' }).waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('Example Cloud,,1,88.10,USD\r\n')
    const group = page.getByLabel('Group by', { exact: true })
    await group.selectOption('Card')
    await page.getByRole('row', { name: /^Online tools ·· \d{4} Ada Lovelace 3 .*110\.40/ }).waitFor()
    await group.selectOption('Month')
    await page.getByRole('row', { name: /^Apr 2026 3 .*110\.40/ }).waitFor()
    await group.selectOption('Holder')
    await page
      .getByRole('row', { name: /Ada Lovelace 3 .*110\.40/ })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('payments are added up by what the merchants sell, which a payment and the file of the list say too', async () => {
    await page.goto('/spend?days=Last+90+days&by=category')
    await page.getByRole('row', { name: /Software and online services 1 .*88\.10/ }).waitFor()
    await page.getByRole('row', { name: /Local transport 1 .*9\.90/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    // A group leads to its payments in these days.
    await page
      .getByRole('row', { name: /Local transport/ })
      .getByRole('link')
      .click()
    await page.getByRole('link', { name: 'Train tickets' }).waitFor()
    expect(await page.getByRole('link', { name: 'Example Cloud' }).count()).toBe(0)
    const category = page.getByLabel('Category')
    expect((await category.getByRole('option').allTextContents()).slice(1)).toEqual(
      CATEGORY_IDS.map((id) => NAMES.get(id)),
    )
    await category.selectOption('Software and online services')
    await page.getByRole('link', { name: 'Example Cloud' }).waitFor()
    expect(await page.getByRole('link', { name: 'Train tickets' }).count()).toBe(0)
    // The list remembers its filters.
    await category.selectOption({ index: 0 })
    await page.getByRole('link', { name: 'Train tickets' }).waitFor()
    await page.goto('/transactions')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const [head = '', ...lines] = readFileSync(await (await saved).path(), 'utf8').split('\r\n')
    const column = head.split(',').indexOf('category.name')
    expect(lines.find((line) => line.includes('Corner Coffee'))?.split(',')[column]).toBe('Restaurants')
    await page.getByRole('link', { name: 'Train tickets' }).click()
    await page.getByText('Local transport (4112)').waitFor()
  })

  test('the overview shows what is on cards and what was spent, and the chart says its value under the pointer', async () => {
    await page.goto('/')
    await untilShown(page)
    const { body } = await server.get<{ balance: string }>('/api/v1/cards/totals', company.key)
    const figure = page.locator('main').getByText('On cards').locator('..')
    await figure.getByText(body.balance.replace(/\B(?=(\d{3})+\.)/, ',')).waitFor()
    await page.getByText('Spent this month').waitFor()
    const plot = page.locator('figure svg')
    const box = await plot.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 2, (box?.y ?? 0) + 20)
    const value = page.getByText(/^\d+ \w{3} \d{4}: 12,500\.00 USD$/)
    await value.waitFor()
    expect(await value.count()).toBe(1)
  })

  test('a balance below the chosen amount is warned of until there is more', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Set low-balance warning' }).click()
    await page.getByLabel('Warn below').fill('50000')
    await page.getByRole('button', { name: 'Save warning' }).click()
    await page.getByText('Less than 50,000.00 USD is available.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '50000.00' })
    await page.reload()
    await page.getByRole('button', { name: 'Change low-balance warning (50,000.00 USD)' }).waitFor()
    expect(await page.getByText('Less than').count()).toBe(0)
  })
})
