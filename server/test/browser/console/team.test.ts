// People in the console: the company's own keys, invitations whose link is shown once, and roles.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { openAs } from './open-as.ts'
import { saveCsv } from './save-csv.ts'

describeInBrowser('keys and people in the console', () => {
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

  test('a developer makes a key, rotates it without overlap, and the old key is refused', async () => {
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/keys')
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Shop')
    await dialog.getByRole('button', { name: 'Read only' }).click()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const old =
      (await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect((await server.get('/api/v1/balance', old)).status).toBe(200)
    await page.getByRole('button', { name: 'Rotate Shop' }).click()
    await dialog.getByLabel('The old key stops working').selectOption('0')
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
    await dialog.getByText('Copy it now').waitFor()
    const next =
      (await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent()) ?? ''
    expect((await server.get('/api/v1/balance', next)).status).toBe(200)
    expect((await server.get('/api/v1/balance', old)).status).toBe(401)
  })

  test('a developer is offered in live only what their role includes, and rotates no key that can do more', async () => {
    await server.createKey(company.id, { environment: 'live' })
    const page = await openAs(browser, server, 'developer', company)
    await page.goto('/developers/keys')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    expect(await page.getByRole('button', { name: 'Rotate test' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Create key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Everything you can give' }).click()
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(6)
    expect(await dialog.getByRole('checkbox').count()).toBe(6)
    await dialog.getByText('cards:write, services:write, funding:write, holders:write here. Ask an owner').waitFor()
  })

  test('an owner invites somebody by a link that is shown once, and revokes the invitation', async () => {
    const page = await openAs(browser, server, 'owner', company)
    await page.goto('/team')
    const [head, ...people] = await saveCsv(page, 'Download CSV: People')
    expect([head, people.length > 0]).toEqual([expect.stringContaining('email'), true])
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('grace@example.com')
    await dialog.getByLabel('Role').selectOption('finance')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    expect(
      await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent(),
    ).toContain('/sign-in#')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke the invitation for grace@example.com' }).click()
    await page.getByText('No open invitations').waitFor()
  })

  test('a viewer sees the team and changes nothing', async () => {
    const page = await openAs(browser, server, 'viewer', company)
    await page.goto('/team')
    await page.getByRole('row', { name: /The viewer \(you\)/ }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Invite person' }).count()).toBe(0)
  })

  test('an operator token is shown once and refused when it is revoked', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/people')
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Nightly report')
    await dialog.getByRole('button', { name: 'Create token' }).click()
    const token =
      (await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect((await server.get('/admin/v1/companies', token)).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
    await dialog.getByLabel('Type Nightly report to confirm').fill('Nightly report')
    await dialog.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('row', { name: /Nightly report.*Revoked/ }).waitFor()
    expect((await server.get('/admin/v1/companies', token)).status).toBe(401)
  })
})
