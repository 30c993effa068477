// A company in live from its invitation to the end of the month, by people who have only the console: with 1,000 holders, 5,000 cards and
// 100,000 payments. Only the world outside acts without it: the customer's transfer of USDT, and the payments at merchants.
import { readFile } from 'node:fs/promises'
import { verifyStatement } from '@cardstock/sdk/statements'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { findId, formatId, newId } from '../../../src/lib/ids.ts'
import { codeOf, PASSWORD } from '../../api/people/people.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { openBrowser, untilShown } from '../../support/console.ts'
import { LiveWorld } from '../../support/live.ts'
import { expectCleanAudit } from '../../support/operations.ts'
import { openProved } from './open-as.ts'
import { searchFor } from './search-for.ts'

const HOLDERS = 1_000
const CARDS_PER_HOLDER = 5
const PAYMENTS = 100_000
/** The holders that get another card at the end of the month, in one file. */
const BULK_ROWS = 1_000

describeInBrowser('a month in live, by the console alone', () => {
  let world: LiveWorld
  let browser: Browser
  let operator: Page
  let owner: Page
  let companyId: string
  let holderIds: string[]
  const offences: string[] = []

  beforeAll(async () => {
    world = await LiveWorld.start()
    browser = await launchBrowser()
    operator = await openProved(browser, world.server, 'operator')
    const opened = await openBrowser(browser, world.server)
    owner = opened.page
    opened.offences.forEach((offence) => offences.push(offence))
  })
  afterAll(async () => {
    await browser.close()
    await expectCleanAudit(world.server)
    await world.stop()
  })

  const download = async (button: string, item?: RegExp | string) => {
    const saved = owner.waitForEvent('download')
    await owner.getByRole('button', { name: button }).click()
    if (item !== undefined) await owner.getByRole('menuitem', { name: item }).click()
    return readFile(await (await saved).path(), 'latin1')
  }

  test('an operator adds the company and invites its first owner', async () => {
    await operator.goto('/operator/companies')
    await operator.getByRole('button', { name: 'Add company' }).first().click()
    const dialog = operator.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Northwind Traders')
    await dialog.getByRole('button', { name: 'Add company' }).click()
    await operator.getByRole('heading', { level: 1, name: 'Northwind Traders' }).waitFor()
    companyId = findId('co', operator.url().split('/').at(-1) ?? '') ?? ''
    await operator.getByRole('radio', { name: /^Approve/ }).check()
    await operator.getByLabel('Reason').fill('Register extract checked.')
    await operator.getByRole('button', { name: 'Approve company' }).click()
    await operator.getByRole('button', { name: 'Activate funding' }).click()
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await operator.getByRole('button', { name: 'Deactivate funding' }).waitFor()
    await operator.getByRole('button', { name: /^Activate .*ervices/ }).click()
    await dialog.getByRole('button', { name: 'Activate' }).click()
    await operator.getByRole('button', { name: /^Deactivate .*ervices/ }).waitFor()
    await operator.getByRole('button', { name: /^Invite/ }).click()
    await dialog.getByLabel('E-mail').fill('grace@northwind.example')
    await dialog.getByLabel('Role').selectOption('Owner')
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    const link = (await dialog.locator('code', { hasText: /^http/ }).first().textContent()) ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(link).toMatch(/^http:\/\/localhost:\d+\/sign-in#/)
    // The link names the machine as localhost, where passkeys work; this test stays at the address of the server.
    await owner.goto(new URL(new URL(link).hash, `${world.server.baseUrl}/sign-in`).href)
  })

  test('the owner comes in, adds a second factor, and funds the company', async () => {
    await owner.getByLabel('Your name').fill('Grace Hopper')
    await owner.getByLabel('New password').fill(PASSWORD)
    await owner.getByRole('button', { name: 'Create account' }).click()
    await owner.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await owner.goto('/my-account')
    await owner.getByRole('button', { name: 'Add app' }).click()
    const dialog = owner.getByRole('dialog')
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    const secret = ((await dialog.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
    await dialog.getByRole('textbox', { name: /^Code/ }).fill(codeOf(secret, world.server))
    await dialog.getByRole('button', { name: 'Confirm app' }).click()
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await owner.getByRole('button', { name: 'Switch to live' }).click()
    await owner.getByText('real money of Northwind Traders').waitFor()
    await owner.goto('/fund')
    await owner.getByRole('textbox', { name: 'Amount', exact: true }).fill('50000')
    await owner.getByRole('button', { name: /^Create invoice/ }).click()
    await owner.getByRole('heading', { level: 1, name: 'Invoice for 50,000.00 USD' }).waitFor()
    await world.seePayment(owner.url().split('/').at(-1) ?? '')
    await owner.getByText(/USD was credited to the card account after a fee/).waitFor()
    expect(await owner.getByText('real money of Northwind Traders').count()).toBe(1)
  })

  test('a holder is added, approved by the operator, and gets a card', async () => {
    await owner.goto('/holders/add')
    await owner.getByLabel('Name').fill('Katherine Johnson')
    await owner.getByLabel('E-mail').fill('katherine@northwind.example')
    await owner.getByRole('button', { name: 'Add holder' }).click()
    await owner.getByRole('heading', { level: 1, name: 'Katherine Johnson' }).waitFor()
    await operator.reload()
    await operator.getByRole('button', { name: 'Approve Katherine Johnson' }).click()
    await operator.getByText('No holders waiting').waitFor()
    await fill()
    await owner.goto('/cards/issue')
    await owner.getByLabel('Amount').fill('25')
    await searchFor(owner, 'Holder', 'Katherine')
    await owner.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await owner.getByText('Completed. 28.05 USD was charged.').waitFor()
    expect(await findViolations(owner)).toEqual([])
  })

  test('one of 1,000 holders, of 5,000 cards and of 100,000 payments is found by name, digits and merchant', async () => {
    await owner.goto('/holders')
    await owner.getByRole('textbox', { name: 'Search' }).fill('Holder 977')
    await owner.getByRole('textbox', { name: 'Search' }).press('Enter')
    await owner.getByRole('row', { name: /^Holder 977 / }).waitFor()
    await owner.goto('/cards')
    await owner.getByRole('textbox', { name: 'Search' }).fill('4977')
    await owner.getByRole('textbox', { name: 'Search' }).press('Enter')
    await owner.getByRole('row', { name: /Holder 978/ }).waitFor()
    await owner
      .getByRole('row', { name: /Holder 978/ })
      .getByRole('link')
      .first()
      .click()
    await owner.getByRole('button', { name: 'Freeze card', exact: true }).waitFor()
    await owner.goto('/transactions')
    await owner.getByRole('textbox', { name: 'Search' }).fill('Merchant 4242')
    await owner.getByRole('textbox', { name: 'Search' }).press('Enter')
    await owner.getByRole('row', { name: /^Merchant 4242 / }).waitFor()
    expect(await findViolations(owner)).toEqual([])
  })

  test('1,000 cards are ordered by one file, each row priced before anything is sent', async () => {
    await owner.goto('/cards/bulk')
    const rows = holderIds.slice(0, BULK_ROWS).map((id) => `${id},prod_card_virtual,10`)
    const text = `holderId,productId,amount\n${rows.join('\n')}\n`
    const file = { name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await owner.getByLabel('CSV file').setInputFiles(file)
    await owner.getByRole('button', { name: 'Check file' }).click()
    const name = 'Issue 1,000 cards for 13,020.00 USD'
    await owner.getByRole('button', { name }).click()
    await owner.getByRole('dialog').getByRole('button', { name }).click()
    // All are sent and carried out.
    await expect.poll(() => owner.getByText('Ready', { exact: true }).count()).toBe(0)
    await owner.getByText('In progress', { exact: true }).waitFor({ state: 'detached' })
    expect((await download('Download result')).match(/,accepted,/gi)).toHaveLength(BULK_ROWS)
  })

  test('the month is added up by holder, and its statement agrees with the server', async () => {
    // One payment in ten was declined.
    await owner.goto('/spend?days=This+month&by=holder')
    await owner.getByRole('region', { name: '90,000.00 USD in 90,000 payments' }).waitFor()
    const csv = await download('Download CSV')
    expect(csv.trim().split('\r\n')).toHaveLength(1 + HOLDERS)
    await owner.goto('/spend?days=This+month&by=category')
    await owner.getByRole('row', { name: /^Restaurants 45,000 .*45,000\.00/ }).waitFor()
    await owner.getByRole('row', { name: /^Unknown 45,000 .*45,000\.00/ }).waitFor()
    await owner.goto('/account')
    await untilShown(owner)
    const statement = await download('Download statement', 'JSON with proof')
    expect(verifyStatement(JSON.parse(statement)).problems).toEqual([])
    expect((await download('Download statement', 'PDF for printing')).slice(0, 5)).toBe('%PDF-')
  })

  test('the audit of the operator finds no difference, and the home page has the money of the programme', async () => {
    await operator.goto('/operator/ledger')
    await operator.getByRole('button', { name: 'Run audit' }).click()
    await operator.getByRole('row', { name: /^Ledger audited No difference/ }).waitFor()
    // The sums of the programme are kept for some seconds of the server's clock.
    world.server.clock.advance(60_000)
    await operator.goto('/')
    await operator.getByRole('row', { name: /^Live 1 [\d,.]+ USD [\d,.]+ USD [\d,.]+ USD$/i }).waitFor()
    expect(offences).toEqual([])
  })

  /** What came together over years, and nine days of payments: too much to type. Card 4977 belongs to holder 978. */
  async function fill(): Promise<void> {
    const { db, clock } = world.server
    const now = clock.now()
    const make = (count: number) => Array.from({ length: count }, () => newId(now)).toSorted()
    const [holders, cards] = [make(HOLDERS), make(HOLDERS * CARDS_PER_HOLDER)]
    holderIds = holders.map((id) => formatId('hld', id))
    await db.run(sql`
      insert into holder (company_id, environment, id, name, email, kind, status, created_at)
      select ${companyId}, 'live', h.id, 'Holder ' || h.n, 'h' || h.n || '@northwind.example', 'individual', 'active', ${now}
      from unnest(${holders}::uuid[]) with ordinality as h (id, n)`)
    await db.run(sql`
      insert into card (company_id, environment, id, holder_id, product_id, name, last4, status, balance, created_at)
      select ${companyId}, 'live', c.id, h.id, 'prod_card_virtual', 'Holder ' || h.n, lpad(c.n::text, 4, '0'), 'active', 0, ${now}
      from unnest(${cards}::uuid[]) with ordinality as c (id, n)
      join unnest(${holders}::uuid[]) with ordinality as h (id, n) on h.n = c.n % ${HOLDERS}::integer + 1`)
    for (let first = 1; first <= PAYMENTS; first += cards.length) {
      await db.run(sql`
        insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                                 merchant, country, description, occurred_at, created_at, updated_at, merchant_category)
        select ${companyId}, 'live', gen_random_uuid(), c.id, 'net-' || p.n, 'purchase',
               case when p.n / 5000 % 10 = 0 then 'declined' else 'settled' end, -100, 'USD', -100, 0, 'Merchant ' || p.n, 'IE', '', t.at, t.at, t.at,
               case when p.n % 2 = 0 then '5812' end
        from unnest(${cards}::uuid[]) with ordinality as c (id, n), lateral (select c.n + ${first}::integer - 1 as n) p,
             lateral (select ${now}::timestamptz - p.n * interval '8 seconds' as at) t`)
    }
    await db.run(sql`analyze holder, card, transaction`)
  }
})
