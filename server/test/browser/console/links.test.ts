// Links between colleagues: an address names its company and its environment, and leaks nothing to people of other companies.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser as Person, invite } from '../../api/people/people.ts'
import { addHolder } from '../../api/rows.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

describeInBrowser('links in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let other: TestCompany

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    other = await server.createCompany()
    await addHolder(server, other.scope, { name: 'Ada of the other company' })
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('an address without a company gets one, keeps its filters, and every link keeps it', async () => {
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/cards?status=active')
    await untilShown(page)
    await expect.poll(() => page.url()).toBe(`${server.baseUrl}/c/${company.wireId}/sandbox/cards?status=active`)
    const link = page.getByRole('link', { name: 'Operations' })
    expect(await link.getAttribute('href')).toBe(`/c/${company.wireId}/sandbox/operations`)
    await link.click()
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/c/${company.wireId}/sandbox/operations`)
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('real money of').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/c/${company.wireId}/live/operations`)
    await page.goBack()
    await page.getByText('nothing here is real money').waitFor()
    expect(offences).toEqual([])
  })

  test('a link shows its own company and environment to a colleague, and live does not become where new tabs begin', async () => {
    const { page, email, cookie } = await openConsole(browser, server, { company })
    const { token } = await invite(server, 'owner', { company: other, email })
    const person = Object.assign(new Person(server), { cookie })
    const joined = await person.post('/console/v1/me/invitations', { token })
    expect(joined.status, joined.text).toBe(200)
    await page.goto(`/c/${other.wireId}/sandbox/holders`)
    await page.getByRole('row', { name: /Ada of the other company/ }).waitFor()
    await page.goto(`/c/${other.wireId}/live/holders`)
    await page.getByText('real money of').waitFor()
    await page.getByText('No holders yet').waitFor()
    const tab = await page.context().newPage()
    await tab.goto('/cards')
    await tab.getByText('nothing here is real money').waitFor()
  })

  test('somebody else is told where the link leads, and nothing of that company is asked for', async () => {
    const { page } = await openConsole(browser, server, { company })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.headers()['cardstock-company'] ?? ''))
    await page.goto(`/c/${other.wireId}/live/holders`)
    await page.getByRole('heading', { level: 1, name: 'This link belongs to another company' }).waitFor()
    await page.getByText(`live of the company ${other.wireId}`).waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await page.getByText('Ada of the other company').count()).toBe(0)
    expect(asked).not.toContain(other.wireId)
    await page.getByText('nothing here is real money').waitFor()
    await page.getByRole('link', { name: 'Cards', exact: true }).click()
    await page.getByText('No cards yet').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/c/${company.wireId}/sandbox/cards`)
  })

  test('an unknown address is a page', async () => {
    const { page } = await openConsole(browser, server, { company })
    const answer = await page.goto('/no/such/page')
    expect(answer?.status()).toBe(404)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByRole('link', { name: 'Go to overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })
})
