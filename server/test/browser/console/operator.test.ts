// The operator's pages: reviews decided once and with a reason, companies, their keys, the catalogue, the books and the log.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCustomer, type Customer, expectCleanAudit, perform, serviceBody } from '../../support/operations.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { TestServer } from '../../support/harness.ts'
import { openAs } from './open-as.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('the operator in the console', () => {
  let server: TestServer
  let browser: Browser
  let customer: Customer

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    customer = await createCustomer(server, { funds: '1000.00' })
  })
  afterAll(async () => {
    await browser.close()
    await expectCleanAudit(server)
    await server.stop()
  })

  const makeReview = async () => (await perform(server, customer, serviceBody({ recipient: 'unknown' }))).id
  const statusOf = async (id: string) =>
    (await server.get<{ status: string }>(`/api/v1/operations/${id}`, customer.key)).body.status

  async function fillDecision(page: Page, id: string, choice: string, reason: string): Promise<void> {
    await page.goto(`/operator/reviews/${id}`)
    await page.getByRole('radio', { name: choice }).check()
    await page.getByLabel('Reason').fill(reason)
  }

  test('a review is told as a story and decided with a reason', async () => {
    const id = await makeReview()
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/reviews')
    await page
      .getByRole('row', { name: /^Travel eSIM for unknown Sandbox / })
      .first()
      .waitFor()
    await page.goto(`/operator/reviews/${id}`)
    for (const name of ['What we asked', 'What came back', 'What we know now'])
      await page.getByRole('region', { name }).waitFor()
    const button = page.getByRole('button', { name: /^Decide/ })
    await page.getByRole('radio', { name: /It did not happen/ }).check()
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('Reason').fill('The issuer has no record of it.')
    await button.click()
    await page.getByText(/^Decided by The operator/).waitFor()
    await page.getByText('The issuer has no record of it.').waitFor()
    expect(await statusOf(id)).toBe('failed')
  })

  test('of two operators who decide one review, the second sees the decision of the first', async () => {
    const id = await makeReview()
    const [first, second] = [await openAs(browser, server, 'operator'), await openAs(browser, server, 'operator')]
    // The second page learns nothing by itself, so that its decision reaches the server.
    await fillDecision(second, id, 'It did not happen', 'I believe that it did not happen.')
    await second.route(`**/admin/v1/reviews/${id}`, (route) => route.abort())
    await fillDecision(first, id, 'It happened', 'The issuer showed us its receipt.')
    await first.getByRole('button', { name: /^Decide/ }).click()
    await first.getByText(/^Decided by/).waitFor()
    await second.getByRole('button', { name: /^Decide/ }).click()
    await second.getByRole('alert').filter({ hasText: 'That decision counts; a later one is not applied.' }).waitFor()
    await second.unroute(`**/admin/v1/reviews/${id}`)
    await second.getByText(/^Decided by/).waitFor()
    await second.getByText('Your choice (it did not happen) came later and was not applied.').waitFor()
    await second.getByText('The issuer showed us its receipt.').waitFor()
    // The dossier stays.
    await second.getByRole('heading', { name: 'What we asked' }).waitFor()
    await second.getByRole('heading', { name: 'What came back' }).waitFor()
    expect(await statusOf(id)).toBe('completed')
  })

  test('an operator whose decision was recorded, and whose answer was lost, is not told that it was not applied', async () => {
    const id = await makeReview()
    const page = await openAs(browser, server, 'operator')
    await fillDecision(page, id, 'It happened', 'The issuer showed us its receipt.')
    // Nor does the page learn of it before the second try.
    await page.route(`**/admin/v1/reviews/${id}`, (route) => route.abort())
    await page.route(
      `**/admin/v1/reviews/${id}/resolve`,
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: /^Decide/ }).click()
    await page.getByRole('alert').filter({ hasText: 'It is not known whether the request was carried out.' }).waitFor()
    expect(await statusOf(id)).toBe('completed')
    await page.getByRole('button', { name: /^Decide/ }).click()
    await page.getByRole('alert').filter({ hasText: 'That decision counts; a later one is not applied.' }).waitFor()
    await page.unroute(`**/admin/v1/reviews/${id}`)
    await page.getByText(/^Decided by/).waitFor()
    expect(await page.getByText('was not applied').count()).toBe(0)
  })

  test('support can read a review and not decide it', async () => {
    const id = await makeReview()
    const page = await openAs(browser, server, 'support')
    await page.goto(`/operator/reviews/${id}`)
    await page.getByText('An operator decides them').waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Decide/ }).count()).toBe(0)
  })

  test('a company is added, approved with a reason, activated and suspended', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/companies')
    await page.getByRole('button', { name: 'Add company' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Northwind Traders')
    await dialog.getByRole('button', { name: 'Add company' }).click()
    await page.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor()
    await page.getByRole('radio', { name: /^Approve/ }).check()
    await page.getByLabel('Reason').fill('Register extract checked.')
    await page.getByRole('button', { name: 'Approve company' }).click()
    await page.getByRole('button', { name: 'Activate funding' }).click()
    await page
      .getByRole('dialog', { name: /^Activate funding for / })
      .getByRole('button', { name: 'Activate' })
      .click()
    await page.getByRole('button', { name: 'Deactivate funding' }).waitFor()
    await page.getByRole('button', { name: 'Suspend company' }).click()
    await dialog.getByLabel('Reason').fill('Asked for by the bank.')
    expect(await dialog.getByRole('button', { name: 'Suspend company' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type Northwind Traders to confirm').fill('Northwind Traders')
    await dialog.getByRole('button', { name: 'Suspend company' }).click()
    await page.getByText('This company is suspended').waitFor()
    const { body } = await server.request<{ data: { name: string; suspended: boolean }[] }>(
      'GET',
      '/admin/v1/companies?limit=1',
      { token: server.operatorToken },
    )
    expect(body.data[0]).toMatchObject({ name: 'Northwind Traders', verification: 'approved', suspended: true })
  })

  test('a key is shown once, works, and is refused when it is revoked', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto(`/operator/companies/${customer.wireId}`)
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Back office')
    await dialog.getByLabel('Read balances').check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const key =
      (await dialog
        .locator('code', { hasText: /^(cstk_|whsec_|http)/ })
        .first()
        .textContent()) ?? ''
    expect(key).toMatch(/^cstk_sandbox_/)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText(key).count()).toBe(0)
    expect((await server.get('/api/v1/balance', key)).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke Back office' }).click()
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByRole('row', { name: /Back office.*Revoked/ }).waitFor()
    expect((await server.get('/api/v1/balance', key)).status).toBe(401)
  })

  test('the audit finds the books right, and reconciliation says what it needs', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/ledger')
    await page.getByRole('button', { name: 'Run audit' }).click()
    await page.getByText('All balances and seals are correct.').waitFor()
    const seals = page.getByRole('table', { name: 'Latest seals' })
    await seals.getByRole('row').nth(1).waitFor()
    await page.getByRole('link', { name: 'All seals' }).click()
    // A company is chosen by its name.
    await searchFor(page, 'Company', 'Test company')
    await page.getByRole('table', { name: 'Seals' }).getByRole('row').nth(1).waitFor()
    await page.getByLabel('Environment').selectOption('Live')
    await page.getByText('No results for these filters').waitFor()
    await page.getByLabel('Environment').selectOption('Sandbox')
    await page.getByRole('table', { name: 'Seals' }).getByRole('row').nth(1).waitFor()
    await page.getByRole('link', { name: 'Ledger' }).first().click()
    await page.getByRole('button', { name: 'Run reconciliation' }).click()
    const refusal = page.getByRole('alert').filter({ hasText: 'no live issuer' })
    await refusal.waitFor()
    expect(await refusal.textContent()).toContain('Set ISSUER_URL')
  })

  test('a price is planned from a date, and a product is retired', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/catalogue')
    await page.getByRole('button', { name: 'Add product' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: /^Service/ }).check()
    await dialog.getByLabel('Name').fill('Translation')
    await dialog.getByLabel('Id').fill('prod_service_translation')
    await dialog.getByLabel('Description').fill('A page of text.')
    await dialog.getByLabel('Flat fee in USD').fill('1.00')
    await dialog.getByRole('button', { name: 'Add product' }).click()
    await page.getByRole('heading', { level: 1, name: 'Translation' }).waitFor()
    await page.getByRole('button', { name: 'Set price' }).click()
    // It starts with today's price.
    expect(await dialog.getByLabel('Flat fee in USD').inputValue()).toBe('1.00')
    await dialog.getByLabel('Flat fee in USD').fill('2.50')
    await dialog.getByLabel('Rate in %').fill('0.2')
    await dialog.getByLabel('From (UTC)').fill('2027-01-01')
    await dialog.getByRole('button', { name: 'Compare prices' }).click()
    await dialog.getByText('1.00 USD → 22.50 USD').waitFor()
    await dialog.getByRole('button', { name: 'Set price' }).click()
    await page.getByRole('row', { name: /2\.50 \+ 0\.2%.*scheduled/ }).waitFor()
    await page.getByRole('button', { name: 'Retire product' }).click()
    await dialog.getByRole('button', { name: 'Retire product' }).click()
    await page.getByText('Retired').first().waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Set price' }).count()).toBe(0)
  })

  test('a price of one company is compared with what that company pays today', async () => {
    const path = '/admin/v1/products/prod_card_advertising/prices'
    const name = 'Haggling Ltd'
    const { id } = (
      await server.post<{ id: string }>('/admin/v1/companies', server.operatorToken, { name, kind: 'corporate' })
    ).body
    const set = async (flatFee: string, more: object) => {
      const price = { operationType: 'issue', pricing: { flatFee }, companyId: id, ...more }
      expect((await server.post(path, server.operatorToken, price)).status).toBe(201)
    }
    await set('5.00', {})
    // Set later, and not in effect yet.
    await set('9.00', { validFrom: '2030-01-01T00:00:00Z' })
    await set('8.00', { companyId: customer.wireId })
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/catalogue/prod_card_advertising')
    await page.getByRole('button', { name: 'Set price' }).click()
    const dialog = page.getByRole('dialog')
    const fee = dialog.getByLabel('Flat fee in USD')
    expect(await fee.inputValue()).toBe('3.00')
    await searchFor(page, 'Company', name)
    await expect.poll(() => fee.inputValue()).toBe('5.00')
    await fee.fill('6.00')
    await dialog.getByRole('button', { name: 'Compare prices' }).click()
    await dialog.getByText('5.00 → 6.00', { exact: true }).waitFor()
    await dialog.getByText('5.00 USD → 6.00 USD', { exact: true }).waitFor()
    // If it cannot be read, the form says so, and nothing is compared.
    await page.route(`**${path}*`, (route) =>
      route.fulfill({
        status: 403,
        json: { statusCode: 403, code: 'insufficient_scope', message: 'No.', requestId: 'req_1' },
      }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Set price' }).click()
    await searchFor(page, 'Company', name)
    await dialog.getByRole('alert').waitFor()
    await fee.fill('6.00')
    await dialog.getByRole('button', { name: 'Compare prices' }).click()
    await dialog.getByText('The price that this company pays today is not known.').waitFor()
    expect(await dialog.getByText('→').count()).toBe(0)
  })

  test('the audit log names the person, and is exported', async () => {
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/audit-log')
    await page
      .getByRole('row', { name: /Review completed/ })
      .first()
      .waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/)
  })

  test('whoever is not of the programme has no operator pages', async () => {
    const page = await openAs(browser, server, 'owner', customer)
    await page.goto('/operator/reviews')
    await page.getByText('Your role does not include this page').waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Reviews' }).count()).toBe(0)
  })
})
