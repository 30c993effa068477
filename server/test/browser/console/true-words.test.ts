// What the console says holds: nothing is called well during an outage, a lost answer promises nothing, every page names the company, and a
// menu fills in the field that it names.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../src/db/sql.ts'
import { addIssuerMinute } from '../../../src/issuer/queries.ts'
import { findId } from '../../../src/lib/ids.ts'
import { Browser as Person, invite } from '../../api/people/people.ts'
import { addCard, addHolder } from '../../api/rows.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { createCustomer, perform, serviceBody } from '../../support/operations.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { openAs } from './open-as.ts'

const PHONE = { width: 390, height: 844 }

describeInBrowser('what the console says', () => {
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

  test('the company is named beside the environment, also on a phone', async () => {
    const { page } = await openConsole(browser, server, { company, viewport: PHONE })
    await page.goto('/cards')
    const strip = page.getByRole('region', { name: 'Environment' })
    await strip.getByText('Sandbox: Test company').waitFor()
    expect((await strip.boundingBox())?.height).toBeLessThan(48)
  })

  test('the pages of an operator never say that nothing is real money, whatever was chosen for their own company', async () => {
    const { page, email, cookie } = await openConsole(browser, server, { company })
    const { token } = await invite(server, 'operator', { email })
    const both = Object.assign(new Person(server), { cookie })
    expect((await both.post('/console/v1/me/invitations', { token })).status).toBe(200)
    const strip = page.getByRole('region', { name: 'Environment' })
    await page.goto('/operator/reviews')
    const all = page.getByRole('region', { name: 'Programme' })
    await all.getByText('Programme: all companies, sandbox and live').waitFor()
    expect(await all.getAttribute('data-environment')).toBe('live')
    expect(await page.getByText('nothing here is real money').count()).toBe(0)
    await page.getByRole('link', { name: 'Cards', exact: true }).click()
    await strip.getByText('Sandbox: Test company').waitFor()
    // Nor do those of somebody who has no company.
    const operator = await openAs(browser, server, 'operator')
    await operator.goto('/operator/companies')
    await operator.getByText('Programme: all companies, sandbox and live').waitFor()
  })

  test('a change whose answer is lost does not promise that the page tries again', async () => {
    const holderId = await addHolder(server, company.scope, { name: 'Ada Lovelace' })
    const cardId = await addCard(server, company.scope, { holderId, name: 'Travel', balance: 100n })
    const { page } = await openConsole(browser, server, { company })
    await page.goto(`/cards/${cardId}`)
    await untilShown(page)
    let asked = 0
    await page.route(`**/api/v1/cards/${cardId}/freeze`, (route) => {
      asked += 1
      return route.abort()
    })
    await page.getByRole('button', { name: 'Freeze card', exact: true }).click()
    const refusal = page.getByRole('alert').filter({ hasText: 'The server did not answer.' })
    await refusal.waitFor()
    expect(await refusal.textContent()).toBe(
      'The server did not answer. It is not known whether the request was carried out. Check whether it was before you try again.',
    )
    expect(asked).toBeGreaterThan(0)
  })

  test.each([
    ['/cards/issue', 'name', 'Name'],
    ['/services/prod_service_esim', 'recipient', 'Recipient'],
  ])('the outcome that is chosen on %s is written into the field that the menu names', async (path, field, label) => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto(path)
    await page.getByText(`Fills in the ${field} that causes it.`).waitFor()
    await page.getByLabel('Sandbox outcome').selectOption('Declined by the issuer')
    expect(await page.getByLabel(label).inputValue()).toBe('fail')
  })

  test('the newest hundred of keys and tokens are said to be that', async () => {
    const own = await server.createCompany()
    const at = server.clock.now()
    await server.db.run(sql`
      insert into api_key (company_id, id, environment, name, digest, prefix, last4, scopes, created_at)
      select ${own.id}, gen_random_uuid(), 'sandbox', 'Key ' || n, sha256(convert_to(${own.id}::text || n, 'utf8')), 'cstk_sandbox_', 'abcd',
             '{balance:read}', ${at}
      from generate_series(1, 101) n`)
    await server.db.run(sql`
      insert into operator_token (id, digest, created_at, name, prefix, last4)
      select gen_random_uuid(), sha256(convert_to('token ' || n, 'utf8')), ${at}, 'Token ' || n, 'cstk_operator_', 'abcd'
      from generate_series(1, 101) n`)
    const page = await openAs(browser, server, 'operator')
    const told = page.getByText('Only the newest 100 are shown.')
    await page.goto(`/operator/companies/${own.wireId}`)
    await page.getByRole('region', { name: 'API keys' }).filter({ has: told }).waitFor()
    await page.goto('/operator/people')
    await page.getByRole('region', { name: 'Operator tokens' }).filter({ has: told }).waitFor()
    expect(await told.count()).toBe(1)
  })

  test('a checkbox is as large as its text, and so is its mark', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/my-account')
    await page.getByRole('checkbox').first().waitFor()
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('input[type=checkbox] + svg')].map((mark) => mark.getBoundingClientRect().width)`,
    )
    expect(widths.length).toBeGreaterThan(0)
    expect(Math.max(...widths)).toBeLessThan(24)
  })

  test('health says that all is well only while no process sees an outage, and counts no call that was not sent', async () => {
    // The minute ends in which this server handled what came before.
    server.clock.advance(65_000)
    const page = await openAs(browser, server, 'operator')
    await page.goto('/operator/health')
    await page.getByText('All is well').waitFor()
    const calls = page.getByRole('heading', { name: 'Issuer calls in flight' }).locator('xpath=following-sibling::p[1]')
    expect(await calls.textContent()).toBe('0 calls')
    const at = server.clock.now()
    await addIssuerMinute(server.db, {
      environment: 'sandbox',
      minute: new Date(Math.ceil(at.getTime() / 60_000) * 60_000),
      answered: 0,
      unanswered: 2,
      answeredMs: 0,
      lastAnswerAt: null,
      firstUnansweredAt: new Date(at.getTime() + 1),
      lastUnansweredAt: new Date(at.getTime() + 1),
    })
    await page.reload()
    await page.getByText(/^The sandbox issuer has not answered since .* UTC$/).waitFor()
    await page.getByRole('heading', { name: 'Issuer calls in flight' }).waitFor()
    expect(await page.getByText('All is well').count()).toBe(0)
  })

  // After the test of health: its operations wait for a person, which is not all well.
  test('a panel with a part of its objects says so, and leads to the others', async () => {
    const own = await createCustomer(server)
    const cardId = await addCard(server, own.scope)
    const { page } = await openConsole(browser, server, { company: own })
    await page.goto(`/cards/${cardId}`)
    await untilShown(page)
    const all = page.getByRole('link', { name: 'All transactions of this card' })
    expect(await all.count()).toBe(0)
    await server.db.run(sql`
      insert into transaction (company_id, environment, id, card_id, issuer_id, type, status, amount, currency, card_amount, applied,
                               merchant, country, description, occurred_at, created_at, updated_at)
      select ${own.id}, 'sandbox', gen_random_uuid(), ${findId('card', cardId)}, 'net-' || n, 'purchase', 'settled', -1, 'USD', -1, 0,
             'Kiosk', 'IE', '', t.at, t.at, t.at
      from generate_series(1, 11) n, lateral (select ${server.clock.now()}::timestamptz as at) t`)
    await page.reload()
    await all.click()
    await page.getByText('11 results').waitFor()
    for (let count = 0; count < 6; count += 1) await perform(server, own, serviceBody({ recipient: 'unknown' }))
    await page.goto('/')
    const progress = page.getByRole('region', { name: 'In progress' })
    await progress.getByText('More are in progress.').waitFor()
    expect(await progress.getByRole('listitem').count()).toBe(5)
    await progress.getByRole('link', { name: 'All operations' }).click()
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
  })
})
