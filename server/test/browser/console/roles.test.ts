// Every page of the console for every role, from the table of pages: whoever lacks the right is told so, and is not offered
// a link. What the server refuses to each role is tested with the table of routes.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MeBody } from '../../api/people/people.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, fillConsolePath, makeConsoleObjects } from '../../support/console-objects.ts'
import { type ConsolePage, listConsolePages, openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

const PAGES = listConsolePages().filter(({ isPublic }) => !isPublic)
const ROLES = ['owner', 'developer', 'finance', 'viewer', 'operator', 'support'] as const

describeInBrowser('every page for every role', () => {
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

  const isProgramme = (role: string) => role === 'operator' || role === 'support'

  /** Goes to a page as a link does, because loading the console again for each would take most of the time. */
  async function expectRefusal(page: Page, { path, title }: ConsolePage): Promise<void> {
    const wanted = fillConsolePath(path, objects)
    await page.evaluate(`history.pushState({}, '', '${wanted}'); dispatchEvent(new PopStateEvent('popstate'))`)
    await page
      .locator('main')
      .filter({ has: page.getByRole('heading', { level: 1, name: title, exact: true }) })
      .getByText('Your role does not include this page')
      .waitFor()
    // Behind the company and the environment.
    expect(await page.evaluate('location.pathname')).toMatch(new RegExp(`^(/c/\\w+/sandbox)?${wanted}$`))
  }

  const mayOpen = (me: MeBody, { needs }: ConsolePage) => {
    if (needs === undefined) return true
    if (needs === 'programme') return me.programmeRole !== null
    return me.companies.some(({ permissions }) => permissions.sandbox.includes(needs))
  }

  test.each(ROLES)('%s', async (role) => {
    const { page, offences } = await openConsole(browser, server, { role, ...(isProgramme(role) ? {} : { company }) })
    await page.goto('/')
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
    const me = (await (await page.request.get('/console/v1/me')).json()) as MeBody
    // The overview leads whoever belongs to no company to the operator's pages.
    const forbidden = PAGES.filter((one) => !mayOpen(me, one) && !(isProgramme(role) && one.path === '/'))
    expect(forbidden.length).toBeGreaterThan(0)
    const links = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()
    const offered = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(offered.length).toBeGreaterThan(0)
    for (const one of forbidden) {
      expect(offered, `${role} is offered ${one.path}`).not.toContain(one.path)
      await expectRefusal(page, one)
    }
    expect(offences).toEqual([])
  })
})
