// The craft of the console: amounts and times as people write and read them, nothing cut off, and a focus that is never lost.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD } from '../../api/people/people.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, makeConsoleObjects } from '../../support/console-objects.ts'
import { openBrowser, openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('the craft of the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let objects: ConsoleObjects

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('an amount is understood with separators of thousands, or refused beside the field, and its price is in view', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards/issue')
    const amount = page.getByLabel('Amount', { exact: false }).first()
    await amount.pressSequentially('1,000')
    await page.getByText('Enter 1000 or 1.00: “1,000” can mean either.').waitFor()
    await amount.pressSequentially('.50')
    await searchFor(page, 'Holder', 'Ada Lovelace')
    expect(await amount.inputValue()).toBe('1000.50')
    const button = page.getByRole('button', { name: /^Issue for 1,00\d\.\d\d USD$/ })
    await button.waitFor()
    for (const part of [button, page.getByRole('heading', { name: 'Price' })]) {
      const box = await part.boundingBox()
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(900)
    }
    await amount.fill('1.000,00')
    await page.getByRole('button', { name: /^Issue for 1,00\d\.\d\d USD$/ }).waitFor()
  })

  test('all times follow the zone that the person chose, which is named, also in another browser', async () => {
    const { page, email } = await openConsole(browser, server, { company })
    await page.goto('/my-account')
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await page.getByText('Time zone saved.').waitFor()
    await page.goto(`/transactions/${objects['/transactions']}`)
    await untilShown(page)
    await page.locator('time').first().waitFor()
    const times = await page.locator('time').allTextContents()
    for (const time of times) expect(time).toMatch(/GMT\+9$/)
    await page.goto('/operations')
    await untilShown(page)
    for (const time of await page.locator('time').allTextContents()) expect(time).toMatch(/GMT\+9$/)
    const { page: other } = await openBrowser(browser, server)
    await other.goto('/operations')
    await other.getByLabel('E-mail').fill(email)
    await other.getByLabel(/^Password/).fill(PASSWORD)
    await other.getByRole('button', { name: 'Sign in', exact: true }).click()
    await other.locator('time').first().waitFor()
    for (const time of await other.locator('time').allTextContents()) expect(time).toMatch(/GMT\+9$/)
  })

  test('a day is typed as it is shown, and a day that can be two days is refused', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/operations')
    const from = page.getByRole('textbox', { name: 'From (UTC)' })
    await from.fill('03/04/2026')
    await page.getByText('Enter a day such as 15 Nov 2026.').waitFor()
    await from.fill('3 Apr 2026')
    await expect.poll(() => new URL(page.url()).search).toBe('?from=2026-04-03')
    await from.blur()
    expect(await from.inputValue()).toBe('3 Apr 2026')
  })

  const focused = (page: Page) => page.evaluate<string>('document.activeElement.tagName')

  test('the focus stays on the page after the row with the button was removed', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/team')
    await page.getByRole('button', { name: 'Invite person', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('new@example.com')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).not.toBe('BODY')
    await page
      .getByRole('button', { name: /^Revoke/ })
      .first()
      .click()
    await page.getByText('Invitation revoked.').waitFor()
    await expect.poll(() => focused(page)).not.toBe('BODY')
  })

  test('the local time of the last row is not cut off', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/operations')
    await untilShown(page)
    const time = page.getByRole('row').last().locator('time')
    await time.focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    const clipping = await page.evaluate<string[]>(`(() => {
      const around = []
      for (let each = document.activeElement.parentElement; each !== document.body; each = each.parentElement)
        if (getComputedStyle(each).overflowY !== 'visible') around.push(each.outerHTML.slice(0, 100))
      return around
    })()`)
    expect(clipping).toEqual([])
  })
})
