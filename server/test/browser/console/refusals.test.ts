// Forms of a company: what the server refuses stands beside the field, in the words of the form.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHolder } from '../../support/operations.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import {
  expectRefusals,
  expectFocus,
  expectMessage,
  expectNoMessage,
  fieldOf,
  type RefusedForm,
} from '../../support/refused-fields.ts'
import { searchFor } from './search-for.ts'

/** A mark that sets the direction of text, which no name may have. A person cannot see it. */
const MARK = '\u200E'
const NAME = {
  label: 'Name',
  wrong: `Ada${MARK}`,
  right: 'Ada King',
  says: 'Name must be a name of 1 to 255 characters',
}
const EMAIL = {
  label: 'E-mail',
  wrong: 'ada',
  right: 'ada.king@example.com',
  says: 'E-mail must be an e-mail address such as ada@example.com.',
}

const opens = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
}
const toasts = (text: string) => (page: Page) => page.getByText(text).first().waitFor()

const FORMS: readonly RefusedForm[] = [
  {
    form: 'add holder',
    path: '/holders/add',
    fields: [
      NAME,
      EMAIL,
      { label: 'Your id', wrong: MARK, right: 'ada-1', says: 'Your id must be your own id of 1 to 255 characters' },
    ],
    button: 'Add holder',
    done: toasts('Holder added.'),
  },
  {
    form: 'edit holder',
    path: '/holders/$id',
    open: opens('Edit holder'),
    fields: [NAME, EMAIL],
    button: 'Save holder',
    done: toasts('Holder saved.'),
  },
  {
    form: 'invitation',
    path: '/team',
    open: opens('Invite person'),
    fields: [EMAIL],
    button: 'Create invitation',
    done: (page) => page.getByRole('button', { name: 'Done' }).waitFor(),
  },
  {
    form: 'API key',
    path: '/developers/keys',
    open: async (page) => {
      await opens('Create key')(page)
      await page.getByLabel('Read balances').check()
    },
    fields: [
      NAME,
      {
        label: 'IP addresses',
        wrong: '203.0.113.0/24\n300.1.1.1/24',
        right: '203.0.113.0/24',
        says: '"300.1.1.1/24" is not a CIDR block such as 203.0.113.0/24.',
      },
      {
        label: 'IP addresses',
        wrong: `203.0.113.0/24, ${'2'.repeat(51)}`,
        right: '203.0.113.0/24',
        says: 'IP addresses, number 2, must be a CIDR block such as 203.0.113.0/24.',
      },
    ],
    button: 'Create key',
    done: (page) => page.getByRole('button', { name: 'Done' }).waitFor(),
  },
  {
    form: 'webhook endpoint',
    path: '/developers/webhooks',
    open: opens('Add endpoint'),
    fields: [
      {
        label: 'URL',
        wrong: 'ftp://example.com',
        right: 'https://hooks.example.com/second',
        says: 'URL must begin with https://, or in the sandbox with http://.',
      },
      {
        label: 'Description',
        wrong: MARK,
        right: 'Second',
        says: 'Description must be a text of at most 255 characters',
      },
    ],
    button: 'Add endpoint',
    done: (page) => page.getByText('Signing secret').waitFor(),
  },
  {
    form: 'webhook endpoint that is changed',
    path: '/developers/webhooks/$id',
    open: async (page) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Edit endpoint' }).click()
      await page.getByRole('dialog').waitFor()
    },
    fields: [
      {
        label: 'URL',
        wrong: 'hooks.example.com',
        right: 'https://hooks.example.com/third',
        says: 'URL must be an absolute URL such as https://example.com/hooks.',
      },
    ],
    button: 'Save changes',
    done: toasts('Endpoint saved.'),
  },
  {
    form: 'simulated payment',
    path: '/transactions',
    open: async (page) => {
      await opens('Simulate a payment')(page)
      await searchFor(page.getByRole('dialog'), 'Card', 'Online tools')
    },
    fields: [
      { label: 'Amount', wrong: '0', right: '12.40', says: 'The amount must be at least 0.01.' },
      {
        label: 'Merchant',
        wrong: MARK,
        right: 'Corner Coffee',
        says: 'Merchant must be a text of at most 255 characters',
      },
    ],
    button: 'Simulate payment',
    done: toasts('Payment simulated.'),
  },
  {
    form: 'sandbox money',
    path: '/fund',
    fields: [{ label: 'Amount in USD', wrong: '0.00', right: '25.00', says: 'The amount must be at least 0.01.' }],
    button: 'Add sandbox money',
    done: toasts('Funds added.'),
  },
]

/** Orders are refused by their price, while somebody types. */
const QUOTED: readonly (RefusedForm & { readonly ready: string | RegExp })[] = [
  {
    form: 'issue card',
    path: '/cards/issue',
    open: async (page) => {
      await searchFor(page, 'Holder', 'Travel team')
    },
    fields: [
      { label: 'Amount', wrong: '5', right: '25.00', says: 'The amount must be at least 10.00.' },
      { label: 'Name', wrong: MARK, right: 'Travel', says: 'Name must be a name of 1 to 64 characters' },
    ],
    button: 'Issue',
    ready: /^Issue for/,
  },
  {
    form: 'top up',
    path: '/cards/$id/top-up',
    fields: [{ label: 'Amount', wrong: '1', right: '25.00', says: 'The amount must be at least 10.00.' }],
    button: 'Top up',
    ready: /^Top up for/,
  },
  {
    form: 'service',
    path: '/services/$id',
    fields: [
      { label: 'Amount', wrong: '1', right: '25.00', says: 'The amount must be at least' },
      { label: 'Recipient', wrong: MARK, right: 'ada@example.com', says: 'Recipient must be' },
    ],
    button: 'Order',
    ready: /^Order for/,
  },
]

describeInBrowser('forms of a company', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let objects: ConsoleObjects
  let page: Page

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
    ;({ page } = await openConsole(browser, server, { company }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const filled = (form: RefusedForm) => {
    const group = form.path.replace(/\/\$id.*/, '')
    return { ...form, path: form.path.replace('$id', objects[group] ?? '') }
  }

  test.each(FORMS)('$form', (form) => expectRefusals(page, filled(form)))

  test.each(QUOTED)(
    '$form: the price is refused at the field, and the focus stays where somebody types',
    async (form) => {
      const { path, open, fields, button } = filled(form)
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await open?.(page)
      for (const { label, right } of fields) await fieldOf(page, label).fill(right)
      for (const { label, wrong, right, says } of fields) {
        await page.getByRole('button', { name: form.ready }).waitFor()
        const field = fieldOf(page, label)
        await field.fill(wrong)
        await fieldOf(page, 'Sandbox outcome').focus()
        await expectMessage(field, says)
        await expectFocus(fieldOf(page, 'Sandbox outcome'))
        expect(await page.getByRole('button', { name: button, exact: true }).isDisabled()).toBe(true)
        expect(await page.getByRole('alert').count()).toBe(0)
        expect(await findViolations(page), label).toEqual([])
        await field.fill(right)
        await expectNoMessage(field)
      }
    },
  )

  test('an invoice: whole dollars, and enough of them', async () => {
    const { page: own } = await openConsole(browser, server, { company: await server.createCompany() })
    await expectRefusals(own, {
      form: 'invoice',
      path: '/fund',
      fields: [
        { label: 'Amount', wrong: '5', right: '100.00', says: 'The amount must be at least 10.00.' },
        {
          label: 'Amount',
          wrong: '10.50',
          right: '100.00',
          says: 'The amount must be whole US dollars, such as 100 or 100.00.',
        },
      ],
      button: /^Create invoice for/,
      done: (shown) => shown.getByRole('heading', { level: 1, name: /100/ }).waitFor(),
    })
  })

  test('a holder who cannot get a card is refused at the field, which searches', async () => {
    const holder = await createHolder(server, company, 'Blocked Person')
    await page.goto(`/cards/issue?holderId=${holder}`)
    await fieldOf(page, 'Amount').fill('25.00')
    const button = page.getByRole('button', { name: /^Issue for/ })
    await button.waitFor()
    await server.request('PATCH', `/admin/v1/companies/${company.wireId}/holders/${holder}`, {
      token: server.operatorToken,
      body: { environment: 'sandbox', status: 'blocked' },
    })
    await button.click()
    const field = page.getByRole('combobox', { name: 'Holder' })
    await expectMessage(field, 'Only an active holder can get a card. Choose another holder.')
    await expectFocus(field)
    // The list of holders would cover what is wrong.
    expect(await page.getByRole('listbox').count()).toBe(0)
    await searchFor(page, 'Holder', 'Travel team')
    await expectNoMessage(field)
    await button.click()
    await page.getByText(/^Completed\./).waitFor()
  })

  test('filters of a list', async () => {
    await page.goto('/developers/logs?status=abc')
    const status = fieldOf(page, 'Status')
    await expectMessage(status, 'Status must be an HTTP status such as 404.')
    expect(await page.getByRole('alert').count()).toBe(0)
    await status.fill('404')
    await status.press('Enter')
    await expectNoMessage(status)
    await page.getByRole('table').or(page.getByText('No results for these filters')).first().waitFor()
    await page.goto('/operations?from=2026-03-10&to=2026-03-01')
    await expectMessage(fieldOf(page, 'From (UTC)'), 'From (UTC) is after “To (UTC)”; swap them.')
    expect(await findViolations(page)).toEqual([])
    await fieldOf(page, 'To (UTC)').fill('11 Mar 2026')
    await expectNoMessage(fieldOf(page, 'From (UTC)'))
  })

  test('the days of a statement', async () => {
    await page.goto('/account')
    const [from, to] = [fieldOf(page, 'From (UTC)'), fieldOf(page, 'To (UTC)')]
    await from.fill('1 Jan 2024')
    await page.getByRole('button', { name: 'Show' }).click()
    await expectMessage(to, 'Ask for a shorter range.')
    await expectFocus(to)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await from.fill('1 Mar 2026')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('Opening balance').waitFor()
    await expectNoMessage(to)
  })

  test('a file that is not one of cards', async () => {
    await page.goto('/cards/bulk')
    const field = fieldOf(page, 'CSV file')
    await field.setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') })
    await page.getByRole('button', { name: 'Check file' }).click()
    await expectMessage(field, 'column')
    await expectFocus(field)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })
})
