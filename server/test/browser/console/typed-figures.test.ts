// Every field for an amount understands separators of thousands or refuses what can mean two amounts, and every field for a day does so with days. Nothing
// can be sent meanwhile.
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, fillConsolePath, makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { openInvoice, pay } from '../../support/invoices.ts'
import { expectMessage, expectNoMessage, fieldOf, scopeOf } from '../../support/refused-fields.ts'

interface FigureField {
  readonly form: string
  readonly path: string
  readonly label: string
  /** The button that sends the form. It is disabled while the field is wrong. */
  readonly button: string | RegExp
  readonly isOperator?: boolean
  readonly open?: (page: Page) => Promise<void>
}

const opens = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').waitFor()
}
const PRICE = {
  path: '/operator/catalogue/$id',
  open: opens('Set price'),
  button: 'Compare prices',
  isOperator: true,
}

const AMOUNTS: readonly FigureField[] = [
  { form: 'issue card', path: '/cards/issue', label: 'Amount', button: /^Issue$|^Issue for/ },
  { form: 'top up', path: '/cards/$id/top-up', label: 'Amount', button: /^Top up$|^Top up for/ },
  { form: 'service', path: '/services/$id', label: 'Amount', button: /^Order$|^Order for/ },
  { form: 'sandbox money', path: '/fund', label: 'Amount in USD', button: 'Add sandbox money' },
  {
    form: 'simulated payment',
    path: '/cards/$id',
    label: 'Amount',
    button: 'Simulate payment',
    open: opens('Simulate a payment'),
  },
  {
    form: 'low-balance warning',
    path: '/',
    label: 'Warn below (USD)',
    button: 'Save warning',
    open: opens('Set low-balance warning'),
  },
  ...['Flat fee', 'Minimum fee', 'Minimum amount', 'Maximum amount', 'Fixed price'].map((name) => ({
    form: `price, ${name.toLowerCase()}`,
    label: `${name} in USD`,
    ...PRICE,
  })),
]

const DAYS: readonly FigureField[] = [
  { form: 'statement', path: '/account?from=2026-02-01&to=2026-03-09', label: 'From (UTC)', button: 'Show' },
  { form: 'statement', path: '/account?from=2026-02-01&to=2026-03-09', label: 'To (UTC)', button: 'Show' },
  {
    form: 'recovery',
    path: '/developers/webhooks/$id',
    label: 'Since (UTC)',
    button: 'Recover events',
    open: opens('Recover events'),
  },
  { form: 'price', label: 'From (UTC)', ...PRICE },
]

describeInBrowser('figures that are typed', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let objects: ConsoleObjects
  let pages: { owner: Page; operator: Page }

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
    pages = {
      owner: (await openConsole(browser, server, { company })).page,
      operator: (await openConsole(browser, server, { role: 'operator' })).page,
    }
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const open = async ({ path, label, button, isOperator = false, open: opening }: FigureField) => {
    const page = isOperator ? pages.operator : pages.owner
    const [before, query] = path.split('?')
    await page.goto(fillConsolePath(before ?? '', objects) + (query === undefined ? '' : `?${query}`))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await opening?.(page)
    const scope = await scopeOf(page)
    return { field: fieldOf(page, label), send: scope.getByRole('button', { name: button }) }
  }
  const expectDisabled = async (button: Locator) => {
    await expect.poll(() => button.isDisabled()).toBe(true)
  }

  test.each(AMOUNTS)('an amount: $form', async (figure) => {
    const { field, send } = await open(figure)
    await field.fill('1,000')
    await expectMessage(field, 'Enter 1000 or 1.00: “1,000” can mean either.')
    await expectDisabled(send)
    await field.fill('1.000,00')
    await expectNoMessage(field)
    await field.blur()
    expect(await field.inputValue()).toBe('1000.00')
  })

  test('an amount: invoice', async () => {
    const { page } = await openConsole(browser, server, { company: await server.createCompany() })
    await page.goto('/fund')
    const field = fieldOf(page, 'Amount')
    await field.fill('1,000')
    await expectMessage(field, 'Enter 1000 or 1.00')
    await field.fill('1.000,00')
    await page.getByRole('button', { name: 'Create invoice for 1,000.00 USD' }).waitFor()
  })

  test('an amount: what arrived for an invoice, in USDT', async () => {
    const other = await server.createCompany()
    const invoice = await openInvoice(server, other)
    await pay(server, other, invoice.id, { amount: '1.00' })
    const page = pages.operator
    await page.goto(`/operator/reviews/${invoice.id}`)
    await page.getByRole('radio').first().check()
    await fieldOf(page, 'Reason').fill('Seen on the blockchain.')
    const field = fieldOf(page, 'Received amount in USDT')
    await field.fill('1,000')
    await expectMessage(field, 'Enter 1000 or 1.0000')
    await expectDisabled(page.getByRole('button', { name: /^Decide/ }))
    await field.fill('1.000,004711')
    await field.blur()
    expect(await field.inputValue()).toBe('1000.004711')
    await expectNoMessage(field)
  })

  test('a rate in per cent', async () => {
    const { field, send } = await open({ form: 'price', label: 'Rate in %', ...PRICE })
    await field.fill('101')
    await expectMessage(field, 'Enter per cent from 0 to 100')
    await expectDisabled(send)
    await field.fill('0,25 %')
    await field.blur()
    expect(await field.inputValue()).toBe('0.25')
    await expectNoMessage(field)
  })

  test.each(DAYS)('a day: $form, $label', async (figure) => {
    const { field, send } = await open(figure)
    await field.fill('03/04/2026')
    await expectMessage(field, 'Enter a day such as 15 Nov 2026.')
    await expectDisabled(send)
    await field.fill('2 March 2026')
    await expectNoMessage(field)
    await field.blur()
    expect(await field.inputValue()).toBe('2 Mar 2026')
    await expect.poll(() => send.isDisabled()).toBe(false)
  })
})
