// A newcomer's first five minutes, clicked: from the link that the first start prints to a card that was paid with. The
// checklist on the overview leads from each step to the next.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDemoOwner, makeFirstLinks } from '../../../src/setup/first-people.ts'
import { PASSWORD } from '../../api/people/people.ts'
import { byName } from '../../api/people/software-authenticator.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { openBrowser } from '../../support/console.ts'
import { TestServer } from '../../support/harness.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('the first five minutes', () => {
  let server: TestServer
  let browser: Browser

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('lead from the printed link to a card that was paid with', async () => {
    const { db, clock, app, baseUrl } = server
    const company = await server.createCompany()
    await createDemoOwner({ db, clock }, company.id)
    const { demoOwner = '' } = await makeFirstLinks({ db, clock, keyring: app.keyring, baseUrl: () => baseUrl })
    const { page, offences } = await openBrowser(browser, byName(server))
    await page.goto(demoOwner)
    await page.getByRole('button', { name: 'Open console' }).click()
    await page.getByRole('heading', { name: 'How will you sign in next time?' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByText('When this session ends, you will need a new link').waitFor()
    await page.getByRole('textbox', { name: 'New password' }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    const steps = page.getByRole('region', { name: 'Your first card' })
    const done = (title: string) => steps.getByRole('listitem').filter({ hasText: `${title} (done)` })
    await steps.waitFor()
    expect(page.url()).not.toContain('#')
    expect(await steps.getByText('(done)').count()).toBe(0)

    await steps.getByRole('button', { name: 'Add 1,000.00 USD' }).click()
    await done('Add funds').waitFor()
    await steps.getByRole('link', { name: 'Add holder' }).click()
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('button', { name: 'Add holder' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()

    await page.getByRole('link', { name: 'Overview' }).first().click()
    await done('Add a holder').waitFor()
    await steps.getByRole('link', { name: 'Issue card' }).click()
    await page.getByLabel('Amount').fill('100')
    await searchFor(page, 'Holder', 'Ada Lovelace')
    await page.getByRole('button', { name: 'Issue for 103.20 USD' }).click()
    await page.getByText('Completed. 103.20 USD was charged.').waitFor()

    await page.getByRole('link', { name: 'Overview' }).first().click()
    await done('Issue a card').waitFor()
    await steps.getByRole('link', { name: 'Open card' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor()
    await page.getByRole('button', { name: 'Simulate a payment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('12.40')
    await dialog.getByLabel('Merchant').fill('Corner Coffee')
    await dialog.getByRole('button', { name: 'Simulate payment' }).click()
    await page.getByRole('row', { name: /Corner Coffee Settled .* −12\.40 USD/ }).waitFor()

    await page.getByRole('link', { name: 'Overview' }).first().click()
    await page.getByRole('row', { name: /Corner Coffee/ }).waitFor()
    await steps.waitFor({ state: 'detached' })
    await page.getByText('896.80').first().waitFor()
    expect(offences).toEqual([])
  })
})
