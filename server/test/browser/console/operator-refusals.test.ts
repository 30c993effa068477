// Forms of the operator: what the server refuses stands beside the field, in the words of the form.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from '../../api/people/people.ts'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { openInvoice, pay } from '../../support/invoices.ts'
import {
  expectRefusals,
  expectFocus,
  expectMessage,
  expectNoMessage,
  fieldOf,
  type RefusedForm,
} from '../../support/refused-fields.ts'

const MARK = '\u200E'
const NAME = { label: 'Name', wrong: MARK, right: 'Northwind', says: 'Name must be a name of 1 to' }
/** A line break, which the audit log cannot show. */
const REASON = {
  label: 'Reason',
  wrong: 'Seen.\nTwice.',
  right: 'Seen in the register.',
  says: 'Reason must be a reason of 1 to 2000 characters',
}
const EMAIL = {
  label: 'E-mail',
  wrong: 'ada',
  right: 'ada.king@example.com',
  says: 'E-mail must be an e-mail address such as ada@example.com.',
}
const USD = (label: string) => `${label} in USD`

const opens = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
}
const fills = (page: Page, values: Readonly<Record<string, string>>) =>
  Promise.all(Object.entries(values).map(([label, value]) => fieldOf(page.getByRole('dialog'), label).fill(value)))

const FORMS: readonly RefusedForm[] = [
  {
    form: 'company',
    path: '/operator/companies',
    open: opens('Add company'),
    fields: [NAME],
    button: 'Add company',
    done: (page) => page.getByRole('heading', { level: 1, name: 'Northwind' }).waitFor(),
  },
  {
    form: 'operator token',
    path: '/operator/people',
    open: opens('Create token'),
    fields: [NAME],
    button: 'Create token',
    done: (page) => page.getByRole('button', { name: 'Done' }).waitFor(),
  },
  {
    form: 'invitation to the programme',
    path: '/operator/people',
    open: opens('Invite person'),
    fields: [EMAIL],
    button: 'Create invitation',
    done: (page) => page.getByRole('button', { name: 'Done' }).waitFor(),
  },
  {
    form: 'key of a company',
    path: '/operator/companies/$id',
    open: async (page) => {
      await opens('Create key')(page)
      await page.getByLabel('Read balances').check()
    },
    fields: [
      NAME,
      {
        label: 'IP addresses',
        wrong: 'here',
        right: '203.0.113.0/24',
        says: '"here" is not a CIDR block such as 203.0.113.0/24.',
      },
    ],
    button: 'Create key',
    done: (page) => page.getByRole('button', { name: 'Done' }).waitFor(),
  },
  {
    form: 'suspension',
    path: '/operator/companies/$id',
    open: opens('Suspend company'),
    fields: [{ ...REASON }],
    button: 'Suspend company',
  },
  {
    form: 'decision about an operation',
    path: '/operator/reviews/$id',
    open: (page) => page.getByRole('radio', { name: /^It happened/ }).check(),
    fields: [
      {
        label: 'Last four digits',
        wrong: 'abcd',
        right: '4242',
        says: 'Last four digits must be the last four digits of the card that was issued.',
      },
      { label: 'Receipt', wrong: MARK, right: 'R-1', says: 'Receipt must be a receipt of 1 to 255 characters' },
      REASON,
      { label: 'Evidence', wrong: MARK, right: 'Ticket 7', says: 'Evidence must be a text of 1 to 10000 characters' },
    ],
    button: /^Decide/,
    done: (page) => page.getByText(/^Decided by/).waitFor(),
  },
  {
    form: 'product',
    path: '/operator/catalogue',
    open: async (page) => {
      await opens('Add product')(page)
      const topup = page.getByRole('group', { name: 'Top-up price' })
      await fieldOf(topup, USD('Flat fee')).fill('0.00')
      await fills(page, { [USD('Minimum amount')]: '50.00' })
    },
    fields: [
      { ...NAME, says: 'Name must be a name of 1 to 100 characters' },
      {
        label: 'Id',
        wrong: 'Travel',
        right: 'prod_card_travel',
        says: 'Id must be prod_ and 1 to 60 lower-case letters, digits or underscores.',
      },
      {
        label: 'Id',
        wrong: 'prod_card_virtual',
        right: 'prod_card_travel',
        says: 'The product prod_card_virtual already exists. Choose another id.',
      },
      { label: 'Description', wrong: MARK, right: 'For trips.', says: 'Description must be a text of at most 500' },
      {
        label: USD('Maximum amount'),
        wrong: '10.00',
        right: '500.00',
        says: 'Maximum amount in USD must not be below “Minimum amount in USD”.',
      },
      {
        label: USD('Fixed price'),
        wrong: '10.00',
        right: '',
        says: 'Fixed price in USD is for services only; leave it empty.',
      },
    ],
    button: 'Add product',
    done: (page) => page.getByRole('heading', { level: 1, name: 'Northwind' }).waitFor(),
  },
  {
    form: 'product that is edited',
    path: '/operator/catalogue/$id',
    open: opens('Edit product'),
    fields: [
      NAME,
      {
        label: 'Description',
        wrong: 'One line.\nAnother.',
        right: 'For trips.',
        says: 'Description must be a text of at most 500',
      },
    ],
    button: 'Save product',
    done: (page) => page.getByText('Product saved.').waitFor(),
  },
]

describeInBrowser('forms of the operator', () => {
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
    ;({ page } = await openConsole(browser, server, { role: 'operator' }))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const filled = (form: RefusedForm) => ({
    ...form,
    path: form.path.replace('$id', objects[form.path.replace(/\/\$id.*/, '')] ?? ''),
  })

  test.each(FORMS)('$form', async (form) => {
    const { open } = form
    await expectRefusals(page, {
      ...filled(form),
      open: async (opened) => {
        await open?.(opened)
        if (form.form === 'suspension') await fieldOf(opened, 'Type Test company to confirm').fill('Test company')
      },
    })
  })

  test('the verification of a company', async () => {
    const waiting = await server.createCompany({ verified: false })
    await expectRefusals(page, {
      form: 'verification',
      path: `/operator/companies/${waiting.wireId}`,
      open: (opened) => opened.getByRole('radio', { name: /^Approve/ }).check(),
      fields: [REASON],
      button: 'Approve company',
      done: (opened) => opened.getByText('Company approved.').waitFor(),
    })
  })

  test('the decision about an invoice: what was received is too little', async () => {
    const other = await server.createCompany()
    const invoice = await openInvoice(server, other)
    await pay(server, other, invoice.id, { amount: '1.00' })
    await expectRefusals(page, {
      form: 'decision about an invoice',
      path: `/operator/reviews/${invoice.id}`,
      open: async (opened) => {
        await opened.getByRole('radio').first().check()
        await fieldOf(opened, 'Reason').fill('Seen on the blockchain.')
      },
      fields: [
        {
          label: 'Received amount in USDT',
          wrong: '0.001',
          right: '1.00',
          says: 'Less than a cent was received, so nothing can be credited.',
        },
      ],
      button: /^Decide/,
      done: (opened) => opened.getByText(/^Decided by/).waitFor(),
    })
  })

  test('a price goes back to its fields', async () => {
    await page.goto(`/operator/catalogue/${objects['/operator/catalogue']}`)
    await opens('Set price')(page)
    const dialog = page.getByRole('dialog')
    const [most, least, from] = [USD('Maximum amount'), USD('Minimum amount'), 'From (UTC)'].map((label) =>
      fieldOf(dialog, label),
    )
    if (most === undefined || least === undefined || from === undefined) throw new Error('no fields')
    const send = async () => {
      await dialog.getByRole('button', { name: 'Compare prices' }).click()
      await dialog.getByRole('button', { name: 'Set price' }).click()
    }
    await least.fill('50')
    await most.fill('20')
    await send()
    await expectMessage(most, 'Maximum amount in USD must not be below “Minimum amount in USD”.')
    await expectFocus(most)
    expect(await dialog.getByRole('alert').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await most.fill('5,000.00')
    await expectNoMessage(most)
    await from.fill('1 Mar 2026')
    await send()
    await expectMessage(from, 'From (UTC) must not be in the past. Leave it empty to change the price now.')
    await expectFocus(from)
    await from.fill('')
    await send()
    await page.getByText('New price in effect.').waitFor()
  })

  test('the role of the last owner', async () => {
    const owned = await server.createCompany()
    await join(server, 'owner', owned)
    await page.goto(`/operator/companies/${owned.wireId}`)
    await page.getByRole('button', { name: 'Change The owner' }).click()
    await page.getByRole('menuitem', { name: 'Change role' }).click()
    const dialog = page.getByRole('dialog')
    const role = dialog.getByRole('combobox', { name: 'Role' })
    await role.selectOption('Viewer')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await expectMessage(role, 'This is the last owner of the company. Make somebody else an owner first.')
    await expectFocus(role)
    await role.selectOption('Finance')
    await expectNoMessage(role)
  })
})
