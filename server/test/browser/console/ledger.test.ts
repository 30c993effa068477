// The page of the ledger with a live issuer: a reconciliation runs from the page, and its result is kept with the audits.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { untilShown } from '../../support/console.ts'
import type { TestCompany } from '../../support/harness.ts'
import { expectSoundLedger, INVOICES } from '../../support/invoices.ts'
import { LiveWorld } from '../../support/live.ts'
import { openAs } from './open-as.ts'

describeInBrowser('the ledger in the console, with a live issuer', () => {
  let world: LiveWorld
  let company: TestCompany
  let browser: Browser

  beforeAll(async () => {
    world = await LiveWorld.start()
    company = await world.createCompany()
    await world.fund(company, '1000')
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await expectSoundLedger(world.server)
    await world.stop()
  })

  test('a reconciliation says whether both books agree, and its result is listed and stays', async () => {
    const page = await openAs(browser, world.server, 'operator')
    await page.goto('/operator/ledger')
    await page.getByText('No runs yet').waitFor()
    await page.getByRole('button', { name: 'Run reconciliation' }).click()
    await page.getByText('The records agree.').waitFor()
    const runs = page.getByRole('table', { name: 'Runs' })
    const agreed = runs.getByRole('row', { name: /Ledger reconciled.*No difference/ })
    await agreed.waitFor()

    // The issuer sees a payment that it does not report.
    const { body: invoice } = await world.server.post<{ id: string }>(INVOICES, company.key, { amount: '70' })
    await world.sendEvents('hold')
    await world.seePayment(invoice.id)
    await page.getByRole('button', { name: 'Run reconciliation' }).click()
    await page.getByRole('table', { name: 'Differences with the issuer' }).getByText(invoice.id).waitFor()
    const differs = runs.getByRole('row', { name: /Ledger reconciled.*1 difference/ })
    await differs.waitFor()
    expect(await findViolations(page)).toEqual([])

    await page.reload()
    await untilShown(page)
    await differs.waitFor()
    await agreed.waitFor()
    expect(await runs.getByRole('row').count()).toBe(3)
    await world.sendEvents('normal')
    await world.waitForInvoice(company, invoice.id, 'completed')
  })
})
