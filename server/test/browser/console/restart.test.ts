// A server that restarts while somebody works: the console says that the connection is lost, keeps the page and what was
// typed, and goes on without a reload.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openConsole } from '../../support/console.ts'
import { createDatabase, TestServer } from '../../support/harness.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('a server that restarts', () => {
  let browser: Browser
  let database: Awaited<ReturnType<typeof createDatabase>>
  let server: TestServer

  const start = (port?: number) =>
    TestServer.start(
      {},
      { database: { ...database, drop: () => Promise.resolve() }, ...(port === undefined ? {} : { port }) },
    )

  beforeAll(async () => {
    database = await createDatabase()
    server = await start()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    await database.drop()
  })

  test('is told and healed, and the order that was being filled in is sent once', async () => {
    const company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
    await server.post('/api/v1/holders', company.key, { name: 'Ada', email: 'ada@example.com', kind: 'individual' })
    const { page, offences } = await openConsole(browser, server, { company })
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.goto('/cards/issue')
    await page.getByLabel('Amount').fill('25')
    await searchFor(page, 'Holder', 'Ada')
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).waitFor()
    const port = Number(new URL(server.baseUrl).port)
    await server.stop()
    const lost = page.getByText('Connection lost.')
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByRole('alert').filter({ hasText: 'The server did not answer' }).waitFor()
    server = await start(port)
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    await page.getByRole('link', { name: 'Open card' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()

    await server.stop()
    await lost.waitFor()
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    server = await start(port)
    await lost.waitFor({ state: 'detached' })
    const { body } = await server.get<{ data: unknown[] }>('/api/v1/operations', company.key)
    expect(body.data).toHaveLength(1)
    expect(loads).toBe(1)
    expect(offences).toEqual([])
  })
})
