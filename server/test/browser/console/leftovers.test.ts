// What one form, environment or person leaves behind must not reach the next: choices, typed text, cached data, sessions.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join, PASSWORD } from '../../api/people/people.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('what is left behind in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  const holders: Record<string, string> = {}

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '500.00' })
    for (const name of ['Ada', 'Grace']) {
      const holder = { name, email: `${name}@example.com`, kind: 'individual' }
      holders[name] = (await server.post<{ id: string }>('/api/v1/holders', company.key, holder)).body.id
    }
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const signOut = async (page: Page) => {
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const signIn = async (page: Page, email: string) => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const stored = (page: Page) => page.evaluate<string>('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)')
  const nameOn = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })

  test("a card issued from a holder's page goes to that holder, whoever was chosen before", async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards/issue')
    await page.getByLabel('Amount').fill('25')
    await searchFor(page, 'Holder', 'Ada')
    // The choice survives a reload.
    await page.reload()
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).waitFor()
    await page.goto(`/holders/${holders['Grace']}`)
    await page.getByRole('link', { name: 'Issue card' }).first().click()
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    const { body } = await server.get<{ data: { holderId: string }[] }>('/api/v1/cards', company.key)
    expect(body.data.map(({ holderId }) => holderId)).toEqual([holders['Grace']])
  })

  test('what was typed for one object is not on the page of the next', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/services/prod_service_esim')
    await page.getByLabel('Recipient').waitFor()
    await page.getByRole('link', { name: 'Services' }).first().click()
    const other = page.locator('a[href*="/services/prod_"]:not([href$=esim])').first()
    await other.click()
    await page.getByLabel('Recipient').fill('for the other service')
    // Directly from one service to the other.
    await page.evaluate('history.go(-2)')
    await page.waitForURL('**/prod_service_esim')
    await untilShown(page)
    expect(await page.getByLabel('Recipient').inputValue()).toBe('')
  })

  test('typed text stays in its environment, is gone after signing out, in every tab, and is not there for the next person', async () => {
    const { page, email } = await openConsole(browser, server, { company })
    const other = await join(server, 'owner', company)
    await page.goto('/holders/add')
    await nameOn(page).fill('Typed in the sandbox')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await expect.poll(() => nameOn(page).inputValue()).toBe('')
    await page.getByRole('button', { name: `Account of` }).waitFor()
    await page.reload()
    await nameOn(page).waitFor()
    expect(await nameOn(page).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Test company' }).click()
    await page.getByRole('menuitem', { name: 'Switch to sandbox' }).click()
    await expect.poll(() => nameOn(page).inputValue()).toBe('Typed in the sandbox')

    const second = await page.context().newPage()
    await second.goto('/holders/add')
    await nameOn(second).fill('Typed in the second tab')
    await signOut(page)
    for (const each of [page, second]) {
      await each.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      expect(await stored(each)).not.toContain('Typed')
    }

    await signIn(page, email)
    await nameOn(page).fill('Typed before the session ended')
    await page.context().clearCookies()
    await page.reload()
    await signIn(page, other.email)
    await nameOn(page).waitFor()
    expect(await nameOn(page).inputValue()).toBe('')
    expect(await stored(page)).not.toContain('Typed')
  })

  test('another person who signs in over the page does not send what the first one left on it', async () => {
    const { page } = await openConsole(browser, server, { company })
    const other = await join(server, 'owner', company)
    const count = async () =>
      (await server.get<{ data: unknown[] }>('/api/v1/holders?limit=100', company.key)).body.data.length
    const before = await count()
    await page.goto('/holders/add')
    await nameOn(page).fill('Typed by the first')
    await page.getByLabel('E-mail').fill('first@example.com')
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Add holder' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('E-mail').fill(other.email)
    await dialog.getByLabel(/^Password/).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect.poll(() => stored(page).catch(() => 'Typed')).not.toContain('Typed')
    await dialog.waitFor({ state: 'detached' })
    await nameOn(page).waitFor()
    expect(await nameOn(page).inputValue()).toBe('')
    expect(await count()).toBe(before)
  })

  test('a sign-out that failed says so and can be tried again, and the person stays signed in until it worked', async () => {
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/holders/add')
    await nameOn(page).fill('Typed')
    await page.route('**/console/v1/sign-out', (route) => route.abort())
    await signOut(page)
    const failed = page.getByRole('alert').filter({ hasText: 'You may still be signed in.' })
    await failed.waitFor()
    expect(await nameOn(page).inputValue()).toBe('Typed')
    expect((await page.request.get('/console/v1/me')).status()).toBe(200)
    await page.unroute('**/console/v1/sign-out')
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect((await page.request.get('/console/v1/me')).status()).toBe(401)
    expect(await stored(page)).not.toContain('Typed')
    expect(offences).toEqual([])
  })
})
