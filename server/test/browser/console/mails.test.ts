// E-mail in the console: what whoever invites is told about the mail, and what each person chooses to be told.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from '../../api/people/people.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { openBrowser } from '../../support/console.ts'
import { findFreePort } from '../../support/free-port.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { MailServer } from '../../support/mail-server.ts'
import { createLink } from './create-link.ts'
import { openAs } from './open-as.ts'

describeInBrowser('e-mail in the console', () => {
  let mailServer: MailServer
  let server: TestServer
  let browser: Browser
  let company: TestCompany

  beforeAll(async () => {
    mailServer = await MailServer.start()
    const port = await findFreePort()
    server = await TestServer.start({ ...mailServer.settings, PUBLIC_URL: `http://127.0.0.1:${port}` }, { port })
    browser = await launchBrowser()
    company = await server.createCompany()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    await mailServer.close()
  })

  test('whoever invites sees that the link is mailed, and later that it was sent', async () => {
    const page = await openAs(browser, server, 'owner', company)
    await page.goto('/team')
    await page.getByRole('button', { name: 'Invite person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('grace@example.com')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    await dialog.getByText('We are sending the link to grace@example.com.').waitFor()
    await expect.poll(() => mailServer.to('grace@example.com').length).toBe(1)
    const shown = await dialog.locator('code', { hasText: /^http/ }).first().textContent()
    expect(mailServer.to('grace@example.com')[0]?.text).toContain(shown)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect
      .poll(async () => {
        await page.reload()
        return page
          .getByRole('row', { name: /grace@example.com.*Sent/ })
          .waitFor({ timeout: 2_000 })
          .then(
            () => true,
            () => false,
          )
      })
      .toBe(true)
  })

  test('the link for somebody who cannot sign in is mailed to them, and lets them in', async () => {
    const lost = await join(server, 'finance', company)
    await createLink(await openAs(browser, server, 'owner', company), lost.email)
    const text = () => mailServer.to(lost.email).find(({ subject }) => subject === 'Your link to sign in again')?.text
    await expect.poll(text).toContain('cstk_reset_')
    const [url = ''] = /http\S+/.exec(text() ?? '') ?? []
    const { page } = await openBrowser(browser, server)
    await page.goto(url)
    await page.getByLabel('New password').fill('eleven brown foxes')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  test('everybody chooses among the mails of their role, and the choice is kept', async () => {
    const page = await openAs(browser, server, 'finance', company)
    await page.goto('/my-account')
    const low = page.getByRole('checkbox', { name: 'Low balance' })
    await low.waitFor()
    expect(await low.isChecked()).toBe(true)
    // Neither keys and endpoints nor reviews are for finance.
    expect(await page.getByRole('checkbox').count()).toBe(1)
    await low.click()
    await page.getByText('Choices saved.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.reload()
    await low.waitFor()
    expect(await low.isChecked()).toBe(false)
  })
})
