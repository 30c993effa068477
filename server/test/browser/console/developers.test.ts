// The developers' pages: endpoints with their attempts, events, and the log of requests as code.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { type Receiver, startReceiver } from '../../webhooks/receiver.ts'
import { openAs } from './open-as.ts'

describeInBrowser('developers in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let receiver: Receiver

  beforeAll(async () => {
    server = await TestServer.start({ WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'true' })
    browser = await launchBrowser()
    company = await server.createCompany()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await browser.close()
    await receiver.close()
    await server.stop()
  })

  test('an endpoint is added, pinged, and its attempt shows request and answer', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/webhooks')
    await page.getByText('cardstock listen').waitFor()
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(receiver.url)
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    expect(
      await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent(),
    ).toMatch(/^whsec_/)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('heading', { level: 1, name: receiver.url }).waitFor()
    await page.getByRole('button', { name: 'Ping' }).click()
    await page.getByText('1 of the last 1 attempt delivered').waitFor()
    await page.locator('summary', { hasText: 'Delivered, 200' }).first().click()
    await page.getByRole('region', { name: 'Body of the request' }).filter({ hasText: 'webhook.ping' }).waitFor()
    await page.getByRole('button', { name: 'Send this event again' }).click()
    await page.getByText('2 of the last 2 attempts delivered').waitFor()
    expect(receiver.arrivals).toHaveLength(2)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable endpoint' }).click()
    await page.getByText('This endpoint is disabled').waitFor()
  })

  test('an address that the server refuses says why, and the form keeps what was typed', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/webhooks')
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('ftp://example.com')
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await dialog.getByRole('alert').waitFor()
    expect(await dialog.getByLabel('Address').inputValue()).toBe('ftp://example.com')
  })

  test('a request of a key is in the log, with code that makes it again', async () => {
    await server.post('/api/v1/holders', company.key, { name: 'Ada', email: 'ada@example.com', kind: 'individual' })
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/logs?path=/api/v1/holders')
    await page.getByRole('button', { name: 'POST /api/v1/holders' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('As curl').click()
    await dialog.getByRole('region', { name: 'As curl' }).filter({ hasText: "curl -X POST 'http" }).waitFor()
    await dialog.getByText('With the SDK').click()
    await dialog.getByRole('region', { name: 'With the SDK' }).filter({ hasText: 'holders.create' }).waitFor()
    expect(await dialog.textContent()).not.toContain(company.key)
  })

  test('an event shows what it says and can be sent again', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/events?type=webhook.ping')
    await page.getByRole('link', { name: 'webhook.ping' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'webhook.ping' }).waitFor()
    await page.getByRole('button', { name: 'Send again to all endpoints' }).click()
    await page.getByText('No endpoint receives this type of event.').waitFor()
    expect(await page.getByRole('region', { name: 'The event' }).first().textContent()).toContain('webhook.ping')
  })

  test('finance has no developer pages', async () => {
    const page = await openAs(browser, server, 'finance', company)
    await page.goto('/developers/webhooks')
    await page.getByText('Your role does not include this page').waitFor()
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  })
})
