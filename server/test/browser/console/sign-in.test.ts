// Coming in: an invitation, the password, what is refused, a session that ends in the middle of a form, and going out.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invite, join, PASSWORD } from '../../api/people/people.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openBrowser, openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { createLink } from './create-link.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('signing in to the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('an invitation asks for a name and a password, signs in, and leaves no token in the address', async () => {
    const { url } = await invite(server, 'owner', { company })
    const { page, offences } = await openBrowser(browser, server)
    await page.goto(url)
    await page.getByLabel('Your name').fill('Grace Hopper')
    expect(page.url()).not.toContain('#')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: 'Account of Grace Hopper' }).waitFor()
    // The link works once.
    const other = await openBrowser(browser, server)
    await other.page.goto(url)
    await other.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    expect(offences).toEqual([])
  })

  test('a link that cannot be read now is not called useless, and opens when the server answers', async () => {
    const { url } = await invite(server, 'owner', { company })
    const { page } = await openBrowser(browser, server)
    const useless = page.getByText('This link does not work')
    const reads = '**/console/v1/links/read'
    await page.route(reads, (route) => route.abort())
    await page.goto(url)
    await page.getByText('Connection lost. Trying again…').waitFor()
    expect(await useless.count()).toBe(0)
    await page.unroute(reads)
    await page.getByRole('heading', { name: 'Join Cardstock' }).waitFor()
    const refusal = { statusCode: 429, code: 'rate_limited', message: 'Too many requests.', requestId: 'req_1' }
    await page.route(reads, (route) => route.fulfill({ status: 429, json: refusal }))
    // Another fragment alone would not load the page again.
    await page.goto('about:blank')
    await page.goto(url)
    await page.getByText('Too many requests.').waitFor()
    expect(await useless.count()).toBe(0)
    await page.unroute(reads)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Join Cardstock' }).waitFor()
    await page.goto('about:blank')
    await page.goto('/sign-in#incomplete')
    await useless.waitFor()
  })

  test('the sign-in page says that the connection is lost while nobody knows who is signed in', async () => {
    const { page } = await openBrowser(browser, server)
    await page.route('**/console/v1/me', (route) => route.abort())
    await page.goto('/sign-in')
    await page.getByText('Connection lost. Trying again…').waitFor()
    await page.unroute('**/console/v1/me')
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.getByText('Connection lost.').count()).toBe(0)
  })

  test('a wrong password is refused with a message and a request id, and the right one leads to the page that was asked for', async () => {
    const { email } = await join(server, 'owner', company)
    const { page } = await openBrowser(browser, server)
    await page.goto('/cards')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel(/^Password/).fill('not the password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const refusal = page.getByRole('alert')
    await refusal.waitFor()
    expect(await refusal.textContent()).toMatch(/Request [\w-]+/)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Cards' }).waitFor()
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect((await page.request.get('/console/v1/me')).status()).toBe(401)
  })

  test('whoever cannot sign in reads the way back, and the link that an owner creates lets them in', async () => {
    const lost = await join(server, 'finance', company)
    const { page } = await openBrowser(browser, server)
    await page.goto('/')
    await page.getByText('Cannot sign in?').click()
    await page.getByText('Ask an owner of your company, or the operator, for a new link.').waitFor()
    await page.getByText('cardstock admin person reset you@example.com').waitFor()
    const owner = await openConsole(browser, server, { company })
    const url = await createLink(owner.page, lost.email)
    await page.goto(url)
    await page.getByLabel('New password').fill('eleven brown foxes')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect((await page.request.get(new URL('/console/v1/me', page.url()).href)).status()).toBe(200)
  })

  test('a session that ends asks to sign in over the page, and what was typed is still there and is sent', async () => {
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '500.00' })
    const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }
    await server.post('/api/v1/holders', company.key, holder)
    const { page, email } = await openConsole(browser, server, { company })
    await page.goto('/cards/issue')
    await page.getByLabel('Amount').fill('25')
    await searchFor(page, 'Holder', 'Ada Lovelace')
    const send = page.getByRole('button', { name: 'Issue for 28.05 USD' })
    await send.waitFor()
    await page.context().clearCookies()
    await send.click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe(email)
    await dialog.getByLabel(/^Password/).fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    const { body } = await server.get<{ data: unknown[] }>('/api/v1/operations', company.key)
    expect(body.data).toHaveLength(1)
  })

  test('a viewer sees no button that would be refused, and a page beyond the role says so', async () => {
    const { page } = await openConsole(browser, server, { company, role: 'viewer' })
    await page.goto('/cards')
    await untilShown(page)
    await expect.poll(() => page.getByRole('link', { name: 'Issue card' }).count()).toBe(0)
    await page.goto('/cards/issue')
    await page.getByText('Your role does not include this page').waitFor()
  })
})
