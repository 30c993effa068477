// Names at any size: with hundreds of holders, the oldest is still named in every list, and chosen by a search on the server.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { requireId } from '../../../src/errors.ts'
import { newId } from '../../../src/lib/ids.ts'
import { addCard, addHolder, addManyHolders } from '../../api/rows.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { openAs } from './open-as.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('names in the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let holderId: string
  let cardId: string
  let page: Page
  let offences: string[]

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '1000.00' })
    holderId = await addHolder(server, company.scope, { name: 'Oldest Holder', email: 'oldest@example.com' })
    cardId = await addCard(server, company.scope, { holderId, name: 'Fuel', balance: 5000n })
    server.clock.advance(1)
    await addManyHolders(server, company.scope, 300)
    const payment = { cardId, type: 'purchase', amount: '2.00', merchant: 'Corner shop' }
    await server.post('/api/v1/sandbox/transactions', company.key, payment)
    ;({ page, offences } = await openConsole(browser, server, { company }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('the holder of a card and of a payment is named, however many there are', async () => {
    await page.goto('/cards')
    await page.getByRole('row', { name: /4242 Fuel Oldest Holder/ }).waitFor()
    await page.goto('/transactions')
    await page.getByRole('row', { name: /Corner shop Purchase .*4242 Oldest Holder/ }).waitFor()
    expect(offences).toEqual([])
  })

  test('the palette finds a holder, a card and a payment on the server, and nothing of another company', async () => {
    const other = await server.createCompany()
    await addHolder(server, other.scope, { name: 'Oldest Rival', email: 'rival@example.com' })
    const { page: own } = await openConsole(browser, server, { company })
    await own.goto('/')
    await untilShown(own)
    for (const [typed, option, heading] of [
      ['oldest', 'Oldest Holder', 'Oldest Holder'],
      ['oldest@', 'Oldest Holder', 'Oldest Holder'],
      ['4242', 'Fuel ·· 4242', 'Fuel'],
      ['corner', 'Corner shop', 'Corner shop'],
    ] as const) {
      await own.keyboard.press('Control+k')
      await own.getByRole('combobox', { name: 'Search or jump to' }).fill(typed)
      const found = own.getByRole('option', { name: option }).first()
      await found.waitFor()
      expect(await own.getByText('Rival').count()).toBe(0)
      await found.click()
      await own.getByRole('heading', { level: 1, name: heading }).waitFor()
    }
    await own.keyboard.press('Control+k')
    await own.getByRole('combobox', { name: 'Search or jump to' }).fill('zzzz')
    await own.getByText('No results for “zzzz”').waitFor()
  })

  test('an operator finds a company in the palette, and one of hundreds of its holders by a search', async () => {
    const operator = await openAs(browser, server, 'operator')
    await operator.goto('/operator')
    await untilShown(operator)
    const find = async (typed: string) => {
      await operator.keyboard.press('Control+k')
      await operator.getByRole('combobox', { name: 'Search or jump to' }).fill(typed)
    }
    await find('test comp')
    await operator.getByRole('option', { name: 'Test company' }).first().waitFor()
    await operator.keyboard.press('Escape')
    await operator.getByRole('dialog').waitFor({ state: 'detached' })
    await find(company.wireId)
    await operator.getByRole('option', { name: `Open ${company.wireId}` }).click()
    await operator.getByRole('heading', { level: 1, name: 'Test company' }).waitFor()
    const holders = operator.getByRole('region', { name: 'Holders' })
    await holders.getByLabel('Environment').selectOption('Sandbox')
    await holders.getByLabel('Show').selectOption('All')
    await holders.getByText('Only the newest 100 are shown. Search to find the others.').waitFor()
    await holders.getByLabel('Search').fill('oldest')
    await holders.getByRole('button', { name: 'Block Oldest Holder' }).click()
    await holders.getByRole('row', { name: /^Oldest Holder .* Blocked/ }).waitFor()
    expect(await holders.getByRole('row').count()).toBe(2)
    await holders.getByRole('button', { name: 'Approve Oldest Holder' }).click()
    await holders.getByRole('row', { name: /^Oldest Holder .* Active/ }).waitFor()
    await holders.getByLabel('Search').fill('nobody')
    await holders.getByText('No holders found').waitFor()
  })

  test('a card is issued for the oldest holder, who is found by a search, and the operation says what it is and who ordered it', async () => {
    await page.goto('/cards/issue')
    await page.getByLabel('Amount').fill('25')
    await searchFor(page, 'Holder', 'Oldest')
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByRole('link', { name: 'Open operation' }).click()
    await page.getByRole('heading', { level: 1, name: /^Virtual card for Oldest Holder ·· \d{4}$/ }).waitFor()
    await page.getByText('(console)').waitFor()
    await page.goto('/operations')
    await page.getByRole('row', { name: /^Virtual card for Oldest Holder ·· \d{4} .*The owner/ }).waitFor()
    expect(offences).toEqual([])
  })

  test('the audit log of the company names what was ordered', async () => {
    await page.goto('/team/audit-log')
    const row = page.getByRole('row', {
      name: /^CreateOperation done The owner Virtual card for Oldest Holder ·· \d{4} /,
    })
    await row.waitFor()
    expect(await row.getByRole('button', { name: 'Copy id' }).count()).toBe(1)
  })

  test('the open invoice is found behind many that are newer', async () => {
    const { body } = await server.post<{ id: string }>('/api/v1/card-account/invoices', company.key, { amount: '137' })
    const newer = Array.from({ length: 12 }, () => newId(new Date(server.clock.now().getTime() + 1000)))
    await server.db.run(sql`
      insert into invoice (company_id, environment, id, status, requested, deposit, fee, failure_code, idempotency_key,
                           request_digest, created_at, status_at)
      select i.company_id, i.environment, n.id, 'failed', 10000, 10000, 0, 'declined', n.id::text, i.request_digest, i.created_at, i.status_at
      from invoice i, unnest(${newer}::uuid[]) as n (id) where i.company_id = ${company.id} and i.id = ${requireId('inv', body.id)}`)
    await page.goto('/fund')
    const open = page.getByRole('region', { name: 'Open invoice' })
    await open.getByText('137.00').first().waitFor()
    expect(await page.getByRole('table', { name: 'Invoices' }).getByRole('row').count()).toBeGreaterThan(12)
  })

  test('a review names the holder, the card, the product and the company, in the list and in its dossier', async () => {
    const order = async (body: object) => {
      const made = await server.post<{ id: string }>('/api/v1/operations', company.key, body)
      expect(made.status, made.text).toBe(201)
      const read = () => server.get<{ status: string }>(`/api/v1/operations/${made.body.id}`, company.key)
      await expect.poll(async () => (await read()).body.status).toBe('manual_review')
      return made.body.id
    }
    const issueId = await order({
      type: 'issue',
      productId: 'prod_card_virtual',
      holderId,
      name: 'unknown',
      amount: '20.00',
    })
    await order({ type: 'topup', cardId, amount: '10.77' })
    const operator = await openAs(browser, server, 'operator')
    const asked: string[] = []
    operator.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await operator.goto('/operator/reviews')
    await operator.getByRole('row', { name: /^Virtual card for Oldest Holder Sandbox Test company / }).waitFor()
    await operator.getByRole('row', { name: /^Top-up of ·· 4242 Sandbox Test company / }).click()
    await operator.getByRole('heading', { level: 1, name: 'Top-up of ·· 4242' }).waitFor()
    const request = operator.getByRole('region', { name: 'What we asked' })
    await request.getByText('Fuel ·· 4242').waitFor()
    await request.getByRole('link', { name: 'Test company' }).waitFor()
    await operator.goto(`/operator/reviews/${issueId}`)
    await request.getByText('Oldest Holder').waitFor()
    await request.getByText('Virtual card', { exact: true }).waitFor()
    await operator.goto('/operator/audit-log')
    await operator
      .getByRole('row', { name: /^Company created .* Test company / })
      .first()
      .waitFor()
    await operator
      .getByRole('row', { name: /^CreateOperation done .* Virtual card for Oldest Holder ·· \d{4} / })
      .waitFor()
    // The names came with the lists.
    expect(asked.filter((path) => path.startsWith('/admin/v1/companies/'))).toEqual([])
  })

  test('lists are searched by name, by last four digits and by merchant', async () => {
    const search = async (path: string, text: string) => {
      await page.goto(path)
      await page.getByRole('textbox', { name: 'Search' }).fill(text)
      await page.getByRole('textbox', { name: 'Search' }).press('Enter')
    }
    await search('/holders', 'oldest h')
    await page.getByRole('row', { name: /Oldest Holder/ }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await search('/cards', '42')
    await page.getByRole('row', { name: /4242 Fuel/ }).waitFor()
    await search('/transactions', 'corner')
    await page.getByRole('row', { name: /Corner shop/ }).waitFor()
    await search('/transactions', 'nowhere')
    await page.getByText('No results for these filters').waitFor()
    expect(offences).toEqual([])
  })
})
