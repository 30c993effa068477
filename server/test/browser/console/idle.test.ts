// A page that nobody touches: few requests, whatever the role, and each event is read once.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '../../../src/access/permissions.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

const MINUTE_MS = 60_000
const MINUTES = 3
const STEP_MS = 5_000

describeInBrowser('an idle page', () => {
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

  /** Lists the requests for data. A stream is one request, however long it lasts. */
  function watchRequests(page: Page): string[] {
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (/^\/(?:api|admin|console)\/|^\/metrics/.test(pathname)) asked.push(pathname + search)
    })
    return asked
  }

  /** Lets time pass for the page, step by step, so that each answer arrives before the next request is due. */
  async function pass(page: Page, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await page.clock.runFor(STEP_MS)
      await page.evaluate<unknown>('fetch("/healthz").then((answer) => answer.text())')
    }
  }

  test.each<readonly [Role, string]>([
    ['owner', '/'],
    ['viewer', '/'],
    ['finance', '/operations'],
    ['viewer', '/cards/$id'],
    ['developer', '/developers/webhooks/$id'],
    ['operator', '/operator'],
    ['operator', '/operator/reviews'],
    ['operator', '/operator/reviews/$id'],
    ['operator', '/operator/health'],
    ['support', '/operator/companies'],
  ])('of the %s at %s makes at most four requests a minute', async (role, path) => {
    const { page } = await openConsole(browser, server, { role, ...(path.startsWith('/operator') ? {} : { company }) })
    await page.clock.install({ time: server.clock.now() })
    const asked = watchRequests(page)
    await page.goto(path.replace('/$id', () => `/${objects[path.replace('/$id', '')]}`))
    await untilShown(page)
    await pass(page, 2 * MINUTE_MS)
    asked.length = 0
    await pass(page, MINUTES * MINUTE_MS)
    // The server does not know that the page's minutes are short, so the page takes its stream for dead and opens it again.
    const reads = asked.filter((read) => read !== '/api/v1/changes')
    expect(reads.length, reads.join('\n')).toBeLessThanOrEqual(4 * MINUTES)
    expect(reads.length).toBeGreaterThan(0)
  })

  test('what an order touches is read again once, although it makes several events', async () => {
    const { page } = await openConsole(browser, server, { role: 'viewer', company })
    await page.goto('/operations?type=topup')
    await untilShown(page)
    const asked = watchRequests(page)
    const order = { type: 'topup', cardId: objects['/cards'], amount: '11.00' }
    const answer = await server.post<{ total: string }>('/api/v1/operations', company.key, order)
    expect(answer.status, answer.text).toBe(201)
    await page.getByRole('row', { name: new RegExp(`Completed.*${answer.body.total}`) }).waitFor({ timeout: 30_000 })
    // The order is accepted and completed by the server in two steps, which may be further apart than one refresh.
    const lists = asked.filter((path) => path.startsWith('/api/v1/operations?type=topup'))
    expect(lists.length).toBeLessThanOrEqual(2)
  })
})
