// Live in the console: every page says that it is live, an order is confirmed with its figures, what cannot be undone needs the name to be
// typed, and a stolen card is frozen with one click.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Role } from '../../../src/access/permissions.ts'
import { sql } from '../../../src/db/sql.ts'
import { requireId } from '../../../src/errors.ts'
import { addHolder } from '../../api/rows.ts'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import type { TestCompany } from '../../support/harness.ts'
import { LiveWorld } from '../../support/live.ts'
import { openAs, openProved } from './open-as.ts'
import { searchFor } from './search-for.ts'

describeInBrowser('live in the console', () => {
  let world: LiveWorld
  let browser: Browser
  let company: TestCompany

  beforeAll(async () => {
    world = await LiveWorld.start()
    browser = await launchBrowser()
    company = await world.createCompany()
    await world.fund(company, '500')
  })
  afterAll(async () => {
    await browser.close()
    await world.stop()
  })

  const open = (role: Role, place?: TestCompany) => openProved(browser, world.server, role, place)

  async function order(body: object): Promise<string> {
    const answer = await world.server.post<{ id: string }>('/api/v1/operations', company.key, body)
    expect(answer.status, answer.text).toBe(201)
    return answer.body.id
  }

  test('a review is decided only when its id was typed', async () => {
    await world.setFence(false)
    await world.behave('all', 'fail', { times: 1 })
    const id = await order({
      type: 'service',
      productId: 'prod_service_esim',
      amount: '20',
      recipient: 'a@example.com',
    })
    await world.waitForOperation(company, id, 'manual_review')
    const page = await open('operator')
    await page.goto(`/operator/reviews/${id}`)
    await page.getByRole('radio', { name: /It did not happen/ }).check()
    await page.getByLabel('Reason').fill('The issuer has no record of it.')
    const decide = page.getByRole('button', { name: /^Decide/ })
    expect(await decide.isDisabled()).toBe(true)
    const typed = page.getByLabel(`Type ${id} to confirm`)
    await typed.fill(id.slice(0, -1))
    expect(await decide.isDisabled()).toBe(true)
    await typed.fill(id)
    await decide.click()
    await page.getByText(/^Decided by The operator/).waitFor()
    await world.waitForOperation(company, id, 'failed')
  })

  test('an order in live is confirmed with its figures, on a page that names the company', async () => {
    await addHolder(world.server, { ...company.scope, environment: 'live' }, { name: 'Grace Hopper' })
    const page = await open('owner', company)
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('real money of Test company').waitFor()
    await page.goto('/cards/issue')
    await page.getByText('real money of Test company').waitFor()
    await page.getByLabel('Amount').fill('25')
    await searchFor(page, 'Holder', 'Grace')
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    const dialog = page.getByRole('dialog', { name: 'Issue for 28.05 USD?' })
    await dialog.getByText('3.05').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await dialog.getByRole('button', { name: 'Issue for 28.05 USD' }).click()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    const { body } = await world.server.get<{ data: { total: string }[] }>('/api/v1/operations?type=issue', company.key)
    expect(body.data.map(({ total }) => total)).toEqual(['28.05'])
    await page.getByRole('link', { name: 'Open card' }).click()
    await page.getByRole('link', { name: 'Top up card', exact: true }).click()
    await page.getByLabel('Amount').fill('50')
    await page.getByRole('button', { name: 'Top up for 50.10 USD' }).click()
    const again = page.getByRole('dialog', { name: 'Top up for 50.10 USD?' })
    await again.getByText('real money from the card account of Test company').waitFor()
    await again.getByRole('button', { name: 'Top up for 50.10 USD' }).click()
    await page.getByText('Completed. 50.10 USD was charged.').waitFor()
  })

  test('a payment of an invoice links to its transaction on the blockchain', async () => {
    const { id } = await world.fund(company, '20')
    const transactionId = 'ab'.repeat(32)
    // So the adapter for TRON calls a payment.
    await world.server.db.run(sql`
      update invoice_payment set payment_key = ${`${transactionId}:0`}
      where company_id = ${company.id} and invoice_id = ${requireId('inv', id)}`)
    const page = await open('owner', company)
    await page.goto(`/c/${company.wireId}/live/fund/${id}`)
    const paid = page.getByRole('listitem').filter({ hasText: 'USDT paid on the network' })
    await paid.getByText(transactionId, { exact: true }).waitFor()
    const link = paid.getByRole('link', { name: 'View on Tronscan (TRON main network)' })
    expect(await link.getAttribute('href')).toBe(`https://tronscan.org/#/transaction/${transactionId}`)
  })

  test('what an operator lets a company do is confirmed with its money, and a live key is revoked only when its name was typed', async () => {
    const other = await world.createCompany()
    await world.fund(other, '200')
    const page = await open('operator')
    await page.goto(`/operator/companies/${other.wireId}`)
    const dialog = page.getByRole('dialog')
    for (const [button, after] of [
      ['Deactivate funding', 'Activate funding'],
      ['Suspend company', undefined],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await dialog.getByText('Available in live').waitFor()
      await dialog.getByText('197.00').waitFor()
      if (after === undefined) await dialog.getByRole('button', { name: 'Cancel' }).click()
      else {
        await dialog.getByRole('button', { name: button }).click()
        // Exact, because "Deactivate funding" has the other name in it.
        await page.getByRole('button', { name: after, exact: true }).waitFor()
      }
      await dialog.waitFor({ state: 'detached' })
    }
    await page
      .getByRole('row', { name: /^test .*Live/ })
      .getByRole('button', { name: 'Revoke test' })
      .click()
    const revoke = dialog.getByRole('button', { name: 'Revoke key' })
    expect(await revoke.isDisabled()).toBe(true)
    await dialog.getByLabel('Type test to confirm').fill('test')
    await revoke.click()
    await page.getByRole('row', { name: /^test .*Live.*Revoked/ }).waitFor()
  })

  test('whoever has no second factor is told before the form is filled, in live only, with the way to mend it', async () => {
    const page = await openAs(browser, world.server, 'finance', company)
    const told = page.getByText('Changes in live need a second factor')
    await page.goto('/cards/issue')
    await page.getByText('nothing here is real money').waitFor()
    expect(await told.count()).toBe(0)
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await told.waitFor()
    expect(await page.getByLabel('Amount', { exact: false }).first().inputValue()).toBe('')
    await page.getByRole('link', { name: 'Set up a passkey or an authenticator app' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    const proved = await open('finance', company)
    await proved.goto('/cards/issue')
    await proved.getByRole('button', { name: 'Switch to live' }).click()
    await proved.getByText('real money of').waitFor()
    await proved.getByLabel('Amount', { exact: false }).first().waitFor()
    expect(await proved.getByText('Changes in live need a second factor').count()).toBe(0)
  })

  test('an operator and an owner without a second factor are told where a change needs one, and what works without', async () => {
    const operator = await openAs(browser, world.server, 'operator')
    for (const path of ['/operator/reviews', `/operator/companies/${company.wireId}`, '/operator/catalogue']) {
      await operator.goto(path)
      await operator.getByText('Changes to the programme need a second factor').waitFor()
    }
    await operator.getByRole('button', { name: 'Add product' }).first().waitFor()
    const support = await openAs(browser, world.server, 'support')
    await support.goto('/operator/reviews')
    await support.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor()
    expect(await support.getByText('need a second factor').count()).toBe(0)
    // People are the same in both environments, so that the sandbox is no way around.
    const owner = await openAs(browser, world.server, 'owner', company)
    await owner.goto('/team')
    await owner.getByText('Changes to the team need a second factor').waitFor()
    await owner.goto('/cards')
    await owner.getByRole('button', { name: 'Switch to live' }).click()
    await owner.getByText('You have none, so you cannot change anything, except freeze and close cards.').waitFor()
  })

  test('whoever has no second factor can still freeze a card in live', async () => {
    const holderId = await addHolder(
      world.server,
      { ...company.scope, environment: 'live' },
      { name: 'Mary Somerville' },
    )
    const issue = await order({ type: 'issue', productId: 'prod_card_virtual', amount: '20', holderId })
    const { result } = await world.waitForOperation(company, issue, 'completed')
    const { cardId } = result as { cardId: string }
    const page = await openAs(browser, world.server, 'finance', company)
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('real money of').waitFor()
    await page.goto(`/cards/${cardId}`)
    await page.getByRole('button', { name: 'Freeze card', exact: true }).click()
    await page.getByText('Card frozen.').waitFor()
    const { body } = await world.server.get<{ status: string }>(`/api/v1/cards/${cardId}`, company.key)
    expect(body.status).toBe('frozen')
  })

  test('a file in live is confirmed with its figures before a row of it is sent', async () => {
    const id = await addHolder(world.server, { ...company.scope, environment: 'live' }, { name: 'Alan Turing' })
    const page = await open('owner', company)
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.goto('/cards/bulk')
    const text = `holderId,productId,amount\n${id},prod_card_virtual,12\n${id},prod_card_virtual,13\n`
    const file = { name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('button', { name: 'Issue 2 cards for 31.05 USD' }).click()
    const dialog = page.getByRole('dialog', { name: 'Issue 2 cards for 31.05 USD?' })
    await dialog.getByText('real money from the card account of Test company').waitFor()
    expect(await page.getByText('Accepted').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Issue 2 cards for 31.05 USD' }).click()
    await page.getByRole('row', { name: /Row 3 Accepted/ }).waitFor()
  })

  test('a card is frozen with one click that can be undone, and closed only when its digits were typed', async () => {
    const holderId = await addHolder(world.server, company.scope)
    const issue = await order({ type: 'issue', productId: 'prod_card_virtual', amount: '50', holderId })
    const { result } = await world.waitForOperation(company, issue, 'completed')
    const { cardId } = result as { cardId: string }
    const { body: card } = await world.server.get<{ last4: string }>(`/api/v1/cards/${cardId}`, company.key)
    const statusOf = async () =>
      (await world.server.get<{ status: string }>(`/api/v1/cards/${cardId}`, company.key)).body.status
    const page = await open('owner', company)
    await page.goto('/')
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('nothing here is real money').waitFor({ state: 'detached' })
    await page.goto(`/cards/${cardId}`)
    const dialog = page.getByRole('dialog')
    const confirm = async (button: string, action: string) => {
      await page.getByRole('button', { name: button, exact: true }).click()
      const submit = dialog.getByRole('button', { name: action })
      expect(await submit.isDisabled()).toBe(true)
      await dialog.getByLabel(`Type ${card.last4} to confirm`).fill('0')
      expect(await submit.isDisabled()).toBe(true)
      await dialog.getByLabel(`Type ${card.last4} to confirm`).fill(card.last4)
      await submit.click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Freeze card', exact: true }).click()
    await page.getByText('Card frozen.').waitFor()
    expect(await statusOf()).toBe('frozen')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Freeze card', exact: true }).waitFor()
    expect(await statusOf()).toBe('active')
    await confirm('Close card', 'Close card')
    await page.getByText('Closed', { exact: true }).waitFor()
    expect(await statusOf()).toBe('closed')
  })
})
