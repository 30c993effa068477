// Lists with 100,000 rows in the console: one scrolls far into them and finds the right rows, while only those in view are
// drawn. The overview and the totals work with as many.
import { DAY_MS } from '@cardstock/sdk/statements'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { findId, firstIdAt } from '../../../src/lib/ids.ts'
import { FILL_MAX, fillDeposits } from '../../books/statements.ts'
import { addCard } from '../../api/rows.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { until } from '../../support/wait.ts'

const ROWS = 100_000
/** Two thousand rows are twenty pages of the API, and forty times what fits on the screen. */
const FAR = 2_000
/** What fits on the screen, and twenty rows before and after it. A page of the API is more. */
const DRAWN_MAX = 80

describeInBrowser('lists with 100,000 rows', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let page: Page
  let offences: string[]

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    await fillDeposits(server, company, ROWS, server.clock.now())
    // The balance chart appears once there are two days to show.
    server.clock.advance(DAY_MS)
    const cardId = findId('card', await addCard(server, company.scope))
    for (let first = 1; first <= ROWS; first += FILL_MAX) {
      await fillTransactions(cardId, first)
      await fillOperations(first)
    }
    ;({ page, offences } = await openConsole(browser, server, { company }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  /** The newest is by Merchant 1, and each older one by the next. One in ten was declined. */
  async function fillTransactions(cardId: string | undefined, first: number): Promise<void> {
    await server.db.run(sql`
      insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                               merchant, country, description, occurred_at, created_at, updated_at)
      select ${company.id}, 'sandbox', gen_random_uuid(), ${cardId}, 'net-' || n, 'purchase',
             case when n % 10 = 0 then 'declined' else 'settled' end, -1, 'USD', -1, 0, 'Merchant ' || n, 'IE', '', t.at, t.at, t.at
      from generate_series(${first}::integer, ${first + FILL_MAX - 1}::integer) n,
           lateral (select ${server.clock.now()}::timestamptz - n * interval '1 second' as at) t`)
  }

  /** The newest costs 1,000.00 USD, and each older one a cent less. */
  async function fillOperations(first: number): Promise<void> {
    const firstId = firstIdAt(server.clock.now())
    await server.db.run(sql`
      insert into operation (company_id, environment, id, type, status, amount, fee, product_id, recipient, receipt, idempotency_key,
                             request_digest, created_at, status_at, due_at)
      select ${company.id}, 'sandbox', (left(${firstId}, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'service', 'completed', n, 0, 'prod_service_esim', 'a', 'r',
             'fill ' || n, '', t.at, t.at, t.at
      from generate_series(${first}::integer, ${first + FILL_MAX - 1}::integer) n,
           lateral (select ${server.clock.now()}::timestamptz as at) t`)
  }

  const row = (number: number) => page.locator(`tr[aria-rowindex="${number + 1}"]`)

  /** Scrolls down, a page of the API at a time, until the row is drawn. Looks at each step at how many rows there are. */
  async function scrollTo(number: number): Promise<void> {
    await row(1).waitFor()
    await until(`row ${number} is drawn`, async () => {
      const drawn = await page.getByRole('row').count()
      expect(drawn).toBeLessThan(DRAWN_MAX)
      return page.evaluate(`(() => {
        // Looked for and scrolled to in one step, because the list may be drawn again at any moment.
        const row = document.querySelector('tr[aria-rowindex="${number + 1}"]')
        if (row) {
          row.scrollIntoView({ block: 'nearest' })
          return true
        }
        // While the list is loaded again, there is no table.
        const table = document.querySelector('main table')?.getBoundingClientRect()
        const end = scrollY + table?.bottom - innerHeight
        if (table) scrollTo(0, Math.min(end, scrollY + table.top + ${number} * 41 - innerHeight / 2))
        return false
      })()`)
    })
  }

  test('the overview draws the balance since the first money, as a line and as a table', async () => {
    await page.goto('/')
    await page.getByText('Balance at the end of each day, as a table').click()
    const rows = page.getByRole('region', { name: 'Balance at the end of each day' }).getByRole('row')
    await until('both days are shown', async () => (await rows.count()) === 3)
    expect(await rows.nth(1).textContent()).toContain('1,000.00')
    expect(await rows.nth(2).textContent()).toContain('1,000.00')
    expect(await page.locator('figure svg').count()).toBe(1)
  })

  test('operations: far down, and at the same place after a reload', async () => {
    await page.goto('/operations')
    await scrollTo(FAR)
    await expect.poll(() => row(FAR).textContent()).toContain('980.01')
    await page.reload()
    await expect.poll(() => row(FAR).textContent()).toContain('980.01')
    expect(offences).toEqual([])
  })

  test('transactions: far down, back from an object to the same place, filtered, and added up by the server', async () => {
    await page.goto('/transactions')
    await scrollTo(FAR)
    await row(FAR)
      .getByRole('link', { name: `Merchant ${FAR}`, exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: `Merchant ${FAR}` }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: `Merchant ${FAR}`, exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(DRAWN_MAX)
    await page.getByLabel('Status').selectOption('Declined')
    await page.evaluate('scrollTo(0, 0)')
    await page.getByRole('row', { name: /^Merchant 10 / }).waitFor()
    await page.getByText('Totals of these transactions').click()
    await page.getByRole('row', { name: /^Purchase Declined 10,000 −100\.00 USD/ }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('row', { name: /^Purchase Settled 90,000 −900\.00 USD/ }).waitFor()
    expect(offences).toEqual([])
  })

  test('entries of days that are too many for a statement', async () => {
    await page.goto('/account')
    await page.getByText('Too many entries for one statement').waitFor()
    await scrollTo(FAR)
    await expect.poll(() => row(FAR).textContent()).toContain('980.01')
    await page.evaluate('scrollTo(0, 0)')
    await page.getByLabel('Kind').selectOption('Fees')
    await page.getByText('No results for these filters').waitFor()
    expect(offences).toEqual([])
  })
})
