// What the issuer needs to know of a live holder, entered on the holder's page and by an operator. The reference issuer asks for an address.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId } from '../../../src/lib/ids.ts'
import { addHolder } from '../../api/rows.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { listEveryRow } from '../../support/every-row.ts'
import type { TestCompany } from '../../support/harness.ts'
import { LiveWorld } from '../../support/live.ts'
import { expectFocus, expectMessage, fieldOf } from '../../support/refused-fields.ts'
import { openProved } from './open-as.ts'

describeInBrowser('the details of a holder in the console', () => {
  let world: LiveWorld
  let browser: Browser
  let company: TestCompany
  let holderId: string

  beforeAll(async () => {
    world = await LiveWorld.start([0], {}, { needsHolderDetails: true })
    company = await world.createCompany()
    holderId = await addHolder(world.server, company.scope)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await world.stop()
  })

  test('the form has the fields of the issuer, shows refusals beside them, and never shows what was entered', async () => {
    const page = await openProved(browser, world.server, 'owner', company)
    await page.goto('/holders')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.goto(`/holders/${holderId}`)
    await page.getByText('This holder can get a card once these details are entered.').waitFor()
    await page.getByRole('button', { name: 'Enter details' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Street and number').fill('1 Navy Way')
    await dialog.getByLabel('Postal code, five digits').fill('none')
    await dialog.getByLabel('City').fill('Arlington')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send details' }).click()
    const code = fieldOf(dialog, 'Postal code, five digits')
    await expectMessage(code, 'Postal code, five digits: this is not in the expected format.')
    await expectFocus(code)
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await dialog.getByLabel('Postal code, five digits').fill('22202')
    await dialog.getByRole('button', { name: 'Send details' }).click()
    await page.getByText('The issuer keeps them; they are not shown again.').waitFor()
    await page.getByRole('button', { name: 'Enter details again' }).click()
    expect(await dialog.getByLabel('City').inputValue()).toBe('')
    expect(await page.content()).not.toContain('Navy Way')
    const rows = await listEveryRow(world.server)
    expect(rows.some(({ table, line }) => table === 'audit_log' && line.includes('holder.details_sent'))).toBe(true)
    expect(rows.filter(({ line }) => line.includes('Navy Way') || line.includes('22202'))).toEqual([])
  })

  test('an operator sees that they were entered, and removes them', async () => {
    const page = await openProved(browser, world.server, 'operator')
    await page.goto(`/operator/companies/${formatId('co', company.id)}`)
    await page.getByRole('combobox', { name: 'Show' }).selectOption('all')
    await page.getByRole('button', { name: /^Details of / }).click()
    await page.getByText('The issuer keeps them; they are not shown again.').waitFor()
    await page.getByRole('button', { name: 'Remove details' }).click()
    await page
      .getByRole('dialog', { name: /^Remove the details/ })
      .getByRole('button', { name: 'Remove details' })
      .click()
    await page.getByText('This holder can get a card once these details are entered.').waitFor()
    expect(await page.getByRole('button', { name: 'Remove details' }).count()).toBe(0)
  })
})
