// The whole programme in the console: what waits, the people and holders of a company, kept checks, and how the issuer answers. For the company: its
// holders edited, its audit log, and who changed a card or a key.
import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addIssuerMinute } from '../../../src/issuer/queries.ts'
import { addServerMinute } from '../../../src/programme/queries.ts'
import { addHolder } from '../../api/rows.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { startReceiver } from '../../support/receiver.ts'
import { until } from '../../support/wait.ts'
import { openAs } from './open-as.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('the programme in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let objects: Awaited<ReturnType<typeof makeConsoleObjects>>

  beforeAll(async () => {
    server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
    browser = await launchBrowser()
    company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** A delivery that its receiver refuses. */
  async function failOnce(of: TestCompany): Promise<void> {
    const receiver = await startReceiver()
    receiver.answer = 500
    const { body } = await server.post<{ id: string }>('/api/v1/webhook-endpoints', of.key, { url: receiver.url })
    await server.post(`/api/v1/webhook-endpoints/${body.id}/ping`, of.key, {})
    await until('the delivery has failed', async () => {
      const path = `/api/v1/webhook-endpoints/${body.id}/attempts`
      return (await server.get<{ data: unknown[] }>(path, of.key)).body.data.length > 0
    })
    await receiver.close()
  }

  test('an operator starts with what waits and the money of the programme', async () => {
    await server.post('/admin/v1/companies', server.operatorToken, { name: 'Northwind', kind: 'corporate' })
    const other = await server.createCompany()
    await addHolder(server, { ...other.scope, environment: 'live' }, { name: 'Lise Meitner', status: 'pending' })
    await failOnce(other)
    const page = await openAs(browser, server, 'operator')
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'Programme' }).waitFor()
    await page.getByRole('row', { name: /^Reviews to decide 1 / }).waitFor()
    await page.getByRole('row', { name: /^Companies to verify 1 / }).waitFor()
    await page.getByRole('row', { name: /^Holders to approve 1 / }).waitFor()
    await page.getByRole('row', { name: /^Failing webhook endpoints 1 / }).waitFor()
    await page.getByRole('row', { name: /^Sandbox 3 [\d,.]+ USD [\d,.]+ USD [\d,.]+ USD$/i }).waitFor()
    await page.getByRole('link', { name: /^Companies 2 waiting/ }).waitFor()
    await page.getByRole('link', { name: 'Holders to approve' }).click()
    // The company with the holder who has waited the longest.
    await page.getByRole('button', { name: 'Approve Lise Meitner' }).waitFor()
    await page.goto('/operator')
    await page.getByRole('link', { name: 'Companies to verify' }).click()
    await page.getByRole('row', { name: /^Northwind / }).waitFor()
    expect(new URL(page.url()).search).toBe('?verification=pending')
  })

  test('an operator invites the first owner of a company, approves a holder, and blocks one', async () => {
    const key = await server.createKey(company.id, { environment: 'live' })
    const add = (name: string) =>
      server.post('/api/v1/holders', key, { name, email: 'h@example.com', kind: 'individual' })
    await add('Grace Hopper')
    const page = await openAs(browser, server, 'operator')
    await page.goto(`/operator/companies/${company.wireId}`)
    await page.getByRole('button', { name: 'Approve Grace Hopper' }).click()
    await page.getByText('No holders waiting').waitFor()
    await page.getByLabel('Show').selectOption('All')
    await page.getByRole('button', { name: 'Block Grace Hopper' }).click()
    await page.getByRole('row', { name: /^Grace Hopper .* Blocked/ }).waitFor()
    await page.getByRole('button', { name: /^Invite/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('first@owner.example')
    await dialog.getByLabel('Role').selectOption('Owner')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('row', { name: /^first@owner\.example Owner / }).waitFor()
  })

  test('an audit is kept with its result, and a product is renamed', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/ledger')
    await page.getByRole('button', { name: 'Run audit' }).click()
    await page.getByRole('row', { name: /^Ledger audited No differences \d+ accounts, \d+ entries/ }).waitFor()
    await page.goto('/operator/catalogue/prod_service_esim')
    await page.getByRole('button', { name: 'Edit product' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Travel eSIM')
    await dialog.getByRole('button', { name: 'Save product' }).click()
    await page.getByRole('heading', { level: 1, name: 'Travel eSIM' }).waitFor()
    await page.getByRole('button', { name: 'Set price' }).click()
    await searchFor(page, 'Company', 'Test company')
    await dialog.getByRole('button', { name: 'Compare prices' }).click()
    await page.getByText(/for Test company only/).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('the health page is filled when it is opened, and has a gap where nothing is known', async () => {
    const dayAgo = server.clock.now().getTime() - 23 * 3_600_000
    const counts = { serverErrors: 0, webhookAttempts: 6, webhookFailures: 3, callsInFlight: 1, areCallsStopped: false }
    // Two other processes, of which one had ended a few minutes before the other.
    for (const [id, minutes] of [1, 4].entries()) {
      for (let minute = 0; minute < minutes; minute += 1) {
        const at = new Date(Math.floor(dayAgo / 300_000) * 300_000 + minute * 60_000)
        const writer = { processId: randomUUID(), measurer: null }
        await addServerMinute(server.db, { minute: at, requests: 120 * (id + 1), ...counts }, writer)
      }
    }
    // This server begins a minute, which then ends.
    await server.get('/admin/v1/health', server.operatorToken)
    server.clock.advance(65_000)
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/health')
    await page.getByText(/^Each process writes its figures once a minute\. They are shown from /).waitFor()
    const table = page.getByRole('region', { name: 'Requests per second' })
    await page.getByText('Requests per second, as a table').click()
    const values = await table.locator('td:last-child').allTextContents()
    // 120 + 4 × 240 requests in four minutes.
    expect(values.at(-1)).toBe('4.5')
    expect(values.filter((value) => value === 'Not known').length).toBe(values.length - 2)
    const chart = page.locator('figure', { has: page.getByText('Requests per second, as a table') })
    // Two dots, with nothing between them.
    expect(await chart.locator('svg circle').count()).toBe(2)
    await chart.locator('svg').hover({ position: { x: 58, y: 60 } })
    const figure = page.getByRole('heading', { name: 'Requests per second' }).locator('xpath=following-sibling::p[1]')
    await expect.poll(() => figure.textContent()).toBe('4.5 per second')
    await page.getByText('Operations in review, as a table').click()
    const reviews = await page
      .getByRole('region', { name: 'Operations in review' })
      .locator('td:last-child')
      .allTextContents()
    // Nobody measured what waited a day ago.
    expect([reviews.at(0), reviews.at(-1)]).toEqual(['1', 'Not known'])
    expect(await findViolations(page)).toEqual([])
  })

  test('the health page starts with the last day, and says since when the issuer has not answered', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/health')
    const panel = page.getByRole('region', { name: 'Sandbox issuer, last 24 hours' })
    await panel
      .getByRole('definition')
      .filter({ hasText: /^0% of calls$/ })
      .waitFor()
    const at = server.clock.now()
    await addIssuerMinute(server.db, {
      environment: 'sandbox',
      minute: new Date(Math.ceil(at.getTime() / 60_000) * 60_000),
      answered: 0,
      unanswered: 2,
      answeredMs: 0,
      lastAnswerAt: null,
      firstUnansweredAt: new Date(at.getTime() + 1),
      lastUnansweredAt: new Date(at.getTime() + 1),
    })
    await page.getByText(/^The sandbox issuer has not answered since .* UTC$/).waitFor()
    expect(await findViolations(page)).toEqual([])
  })

  test('an owner edits a holder and finds that in the audit log, and sees who froze a card', async () => {
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto(`/holders/${objects['/holders']}`)
    await page.getByRole('button', { name: 'Edit holder' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Ada King')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save holder' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada King' }).waitFor()
    await page.goto('/team/audit-log')
    await page.getByRole('row', { name: /^Holder updated The owner / }).waitFor()
    await page.goto('/team')
    await page
      .getByRole('region', { name: 'Roles' })
      .getByText('Can see balances, cards, holders, operations and the team, but change nothing.')
      .waitFor()
    await page.goto(`/cards/${objects['/cards']}`)
    await untilShown(page)
    await page.getByRole('button', { name: 'Freeze card', exact: true }).click()
    await page.getByRole('row', { name: /^Freeze Completed The owner \(console\) / }).waitFor()
    await page.getByRole('button', { name: 'Close card' }).click()
    await dialog.getByRole('button', { name: 'Close card' }).click()
    await page.getByRole('row', { name: /^Close Completed The owner \(console\) .* [\d.]+ USD$/ }).waitFor()
    expect(offences).toEqual([])
  })

  test('a rotated key and its successor name each other', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/developers/keys')
    await page.getByRole('button', { name: 'Rotate test' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText(/^Replaced by …/).waitFor()
    expect(await page.getByText(/^Replaces …/).count()).toBe(1)
  })
})
