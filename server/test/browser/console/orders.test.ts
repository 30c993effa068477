// Ordering in the console: the live quote, what is refused, one operation per form, the timeline, and the card's own page.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('ordering in the console', () => {
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

  async function open(funds: string): Promise<{ page: Page; company: TestCompany; offences: string[] }> {
    const company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: funds })
    await server.post('/api/v1/holders', company.key, { name: 'Ada', email: 'ada@example.com', kind: 'individual' })
    return { company, ...(await openConsole(browser, server, { company })) }
  }

  const countOperations = async (company: TestCompany) =>
    (await server.get<{ data: unknown[] }>('/api/v1/operations', company.key)).body.data.length

  async function fillIssue(page: Page, amount: string): Promise<void> {
    await page.goto('/cards/issue')
    await page.getByLabel('Amount').fill(amount)
    await searchFor(page, 'Holder', 'Ada')
  }

  test('the data of a holder is erased after a confirmation', async () => {
    const { page, company } = await open('10.00')
    const { body } = await server.get<{ data: { id: string }[] }>('/api/v1/holders', company.key)
    const path = `/holders/${body.data[0]?.id}`
    await page.goto(path)
    await page.getByRole('button', { name: 'Erase data' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect((await server.get(`/api/v1${path}`, company.key)).body).toMatchObject({ name: 'Ada' })
    await page.getByRole('button', { name: 'Erase data' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Erase data' }).click()
    await page.getByRole('heading', { name: 'Erased' }).waitFor()
    expect(await page.getByRole('button', { name: 'Erase data' }).count()).toBe(0)
    expect((await server.get(`/api/v1${path}`, company.key)).body).toMatchObject({ name: 'Erased', erasure: 'running' })
  })

  test('a double click makes one operation', async () => {
    const { page, company } = await open('1000.00')
    await fillIssue(page, '25')
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).dblclick()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    expect(await countOperations(company)).toBe(1)
  })

  test('an answer that was lost, and a reload, still make one operation', async () => {
    const { page, company } = await open('1000.00')
    await fillIssue(page, '25')
    let isLost = true
    await page.route('**/api/v1/operations', async (route) => {
      if (!isLost || route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByRole('alert').waitFor()
    isLost = false
    await page.reload()
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    expect(await countOperations(company)).toBe(1)
  })

  test('too little on the card account is said before sending, and the refusal names both figures', async () => {
    const { page, company } = await open('20.00')
    await fillIssue(page, '25')
    await page.getByText('Not enough is available in the card account.').waitFor()
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByText(/has 20\.00 USD available and 28\.05 USD is needed/).waitFor()
    expect(await countOperations(company)).toBe(0)
  })

  test('an amount below the minimum is refused by the quote, and the form cannot be sent', async () => {
    const { page } = await open('100.00')
    await fillIssue(page, '5')
    await page.getByText('The amount must be at least 10.00.').waitFor()
    expect(await page.getByRole('button', { name: 'Issue', exact: true }).isDisabled()).toBe(true)
  })

  test('a price that changes after the quote is shown with both totals and confirmed again', async () => {
    const { page, company } = await open('1000.00')
    await fillIssue(page, '25')
    const first = page.getByRole('button', { name: 'Issue for 28.05 USD' })
    await first.waitFor()
    const price = {
      operationType: 'issue',
      companyId: company.wireId,
      pricing: { flatFee: '5.00', minimumAmount: '10.00' },
    }
    const answer = await server.post('/admin/v1/products/prod_card_virtual/prices', server.operatorToken, price)
    expect(answer.status).toBe(201)
    server.clock.advance(1)
    await first.click()
    await page
      .getByText(/The total was 28\.05 USD and is now 30\.00 USD, because the fee is now 5\.00\. Nothing was ordered/)
      .waitFor()
    expect(await countOperations(company)).toBe(0)
    // Another order has no former total.
    const amount = page.getByLabel('Amount')
    await amount.fill('26')
    await page.getByRole('button', { name: 'Issue for 31.00 USD' }).waitFor()
    expect(await page.getByText('The price has changed').count()).toBe(0)
    await amount.fill('25')
    await page.getByRole('button', { name: 'Issue for 30.00 USD' }).click()
    await page.getByText('Completed. 30.00 USD was charged.').waitFor()
    expect(await countOperations(company)).toBe(1)
  })

  test('a price that changed after a try without an answer does not promise that nothing was ordered', async () => {
    const { page, company } = await open('1000.00')
    await fillIssue(page, '25')
    let tries = 0
    await page.route('**/api/v1/operations', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      tries += 1
      if (tries === 1) return route.abort('connectionreset')
      const body = { code: 'quote_changed', message: 'The total is now 30.00.', details: { total: '30.00' } }
      return route.fulfill({ status: 409, json: body })
    })
    await page.getByRole('button', { name: /^Issue for/ }).click()
    await page.getByText('It is not known whether the request was carried out.').waitFor()
    expect([tries, await page.getByText('Nothing was ordered').count()]).toEqual([2, 0])
    expect(await countOperations(company)).toBe(0)
  })

  /** The server of the tests takes a moment where another takes ten seconds. */
  const OUTCOMES = [
    ['Declined by the issuer', /^Not carried out\./],
    ['Unknown outcome, goes to review', /do not send it again/],
    ['Completes after ten seconds', /^Completed\./],
  ] as const

  async function chooseOutcome(page: Page, [outcome, sentence]: (typeof OUTCOMES)[number]): Promise<void> {
    await page.getByLabel('Sandbox outcome').selectOption(outcome)
    await page.getByRole('button', { name: /^(Issue|Top up|Order) for/ }).click()
    await page.getByText(sentence).waitFor()
  }

  test('every outcome of the sandbox menu happens: issuing by name, ordering by recipient', async () => {
    const { page, company } = await open('1000.00')
    for (const outcome of OUTCOMES) {
      await fillIssue(page, '25')
      await chooseOutcome(page, outcome)
      await page.goto('/services/prod_service_esim')
      await page.getByLabel('Amount').fill('12')
      await chooseOutcome(page, outcome)
    }
    expect(await countOperations(company)).toBe(2 * OUTCOMES.length)
  })

  test('every outcome of the sandbox menu happens: topping up by amount', async () => {
    const company = await server.createCompany()
    const objects = await makeConsoleObjects(server, company)
    const { page } = await openConsole(browser, server, { company })
    const before = await countOperations(company)
    for (const outcome of OUTCOMES) {
      await page.goto(`/cards/${objects['/cards']}/top-up`)
      await chooseOutcome(page, outcome)
    }
    expect(await countOperations(company)).toBe(before + OUTCOMES.length)
  })

  test('an unknown outcome is explained in plain words, decided in the sandbox, and the page follows', async () => {
    const { page, offences } = await open('1000.00')
    await fillIssue(page, '25')
    await page.getByLabel('Sandbox outcome').selectOption('Unknown outcome, goes to review')
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByText('You do not need to do anything; do not send it again.').waitFor()
    await page.getByRole('link', { name: 'Open operation' }).click()
    await page.getByRole('button', { name: 'Decide review' }).click()
    await page.getByRole('menuitem', { name: /It did not happen/ }).click()
    await page.getByText(/Not carried out\. 28\.05 USD is available again/).waitFor()
    expect(offences).toEqual([])
  })

  test('a card is frozen, unfrozen, topped up and closed, with only the buttons that its state allows', async () => {
    const company = await server.createCompany()
    const objects = await makeConsoleObjects(server, company)
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto(`/cards/${objects['/cards']}`)
    await page.getByRole('button', { name: 'Freeze card', exact: true }).click()
    await page.getByRole('button', { name: 'Unfreeze card' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Top up card', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Unfreeze card' }).click()
    await page.getByRole('link', { name: 'Top up card', exact: true }).click()
    await page.getByLabel('Amount').fill('50')
    await page.getByRole('button', { name: 'Top up for 50.10 USD' }).click()
    await page.getByText('Completed. 50.10 USD was charged.').waitFor()
    await page.getByRole('link', { name: 'Open card' }).click()
    await page.getByRole('button', { name: 'Close card' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close card' }).click()
    await page.getByText('Closed', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /Freeze|Close card/ }).count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('all operations of a card are a link away, and no others are among them', async () => {
    const company = await server.createCompany()
    const objects = await makeConsoleObjects(server, company)
    const topup = { type: 'topup', cardId: objects['/cards'], amount: '11.00' }
    for (let made = 0; made < 9; made += 1) {
      const { status, text } = await server.post('/api/v1/operations', company.key, topup)
      expect(status, text).toBe(201)
    }
    const { page } = await openConsole(browser, server, { company })
    await page.goto(`/cards/${objects['/cards']}`)
    await page.getByRole('link', { name: 'All operations of this card' }).click()
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
    // The card was issued, and topped up ten times.
    await page.getByText('11 results').waitFor()
    expect(await page.getByRole('row', { name: /Travel/ }).count()).toBe(0)
    await expect.poll(() => page.getByRole('combobox', { name: 'Card' }).inputValue()).toContain('Online tools')
  })

  test('filters and pages of a list are in the address, and Back returns to them', async () => {
    const company = await server.createCompany()
    await makeConsoleObjects(server, company)
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/operations')
    await page.getByLabel('Status').selectOption('In review')
    await page.getByRole('row', { name: /In review/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=manual_review')
    await page
      .getByRole('row', { name: /In review/ })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { level: 1, name: /^Virtual card for / }).waitFor()
    await page.goBack()
    await untilShown(page)
    expect(await page.getByLabel('Status').inputValue()).toBe('manual_review')
    await page.reload()
    await page.getByRole('row', { name: /In review/ }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
  })
})
