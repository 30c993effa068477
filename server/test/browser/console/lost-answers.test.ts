// Changes that may have been carried out, although they failed: every form says so in words for people, and not in those of the SDK.
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeInBrowser, launchBrowser } from '../../support/browser.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'
import { searchFor } from './search-for.ts'

const UNKNOWN = 'It is not known whether the request was carried out.'
const KEYED = 'Send it again without changes to find out: it is carried out at most once.'
const UNKEYED = 'Check whether it was before you try again.'
/** Words that only a programmer knows. */
const FOR_PROGRAMS = /idempotency|baseUrl|requestId|object before you repeat|\bms\b/i

const INTERNAL =
  'Something went wrong on our side. Try again with the same Idempotency-Key; give the requestId to the operator.'
const FAILURES: readonly (readonly [name: string, says: string, fail: (route: Route) => Promise<void>])[] = [
  ['no answer', 'The server did not answer.', (route) => route.abort('connectionreset')],
  [
    'an internal error',
    'Something went wrong on our side.',
    (route) => route.fulfill({ status: 500, json: { code: 'internal', message: INTERNAL } }),
  ],
  [
    "a proxy's page",
    'The answer did not come from this server.',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  ],
]

interface LostForm {
  readonly path: string
  readonly calls: string
  readonly next: string
  readonly button: string
  fill(page: Page): Promise<unknown>
}

const FORMS: Readonly<Record<string, LostForm>> = {
  'an order': {
    path: '/cards/issue',
    calls: '/api/v1/operations',
    next: KEYED,
    button: 'Issue for 28.05 USD',
    fill: async (page) => {
      await page.getByLabel('Amount').fill('25')
      await searchFor(page, 'Holder', 'Ada')
    },
  },
  'an invoice': {
    path: '/fund',
    calls: '/api/v1/card-account/invoices',
    next: KEYED,
    button: 'Create invoice for 100.00 USD',
    fill: (page) => page.getByRole('textbox', { name: 'Amount', exact: true }).fill('100.00'),
  },
  'sandbox money': {
    path: '/fund',
    calls: '/api/v1/sandbox/funding',
    next: KEYED,
    button: 'Add sandbox money',
    fill: (page) => page.getByLabel('Amount in USD').fill('50'),
  },
  'a holder': {
    path: '/holders/add',
    calls: '/api/v1/holders',
    next: KEYED,
    button: 'Add holder',
    fill: async (page) => {
      await page.getByLabel('Name').fill('Grace')
      await page.getByLabel('E-mail').fill('grace@example.com')
    },
  },
  'a webhook endpoint': {
    path: '/developers/webhooks',
    calls: '/api/v1/webhook-endpoints',
    next: UNKEYED,
    button: 'Add endpoint',
    fill: async (page) => {
      await page.getByRole('button', { name: 'Add endpoint' }).first().click()
      await page.getByRole('dialog').getByLabel('URL').fill('https://hooks.example.com/')
    },
  },
}

describeInBrowser('a change whose answer is not clear', () => {
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

  async function open(): Promise<{ page: Page; company: TestCompany }> {
    const company = await server.createCompany()
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '1000.00' })
    await server.post('/api/v1/holders', company.key, { name: 'Ada', email: 'ada@example.com', kind: 'individual' })
    return { company, ...(await openConsole(browser, server, { company })) }
  }

  const onPost = (page: Page, path: string, handle: (route: Route) => Promise<void>) =>
    page.route(`**${path}`, (route) => (route.request().method() === 'POST' ? handle(route) : route.continue()))

  const sendButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last()

  describe.each(Object.entries(FORMS))('of %s', (_form, { path, calls, next, button, fill }) => {
    test('says what is known and what to do', async () => {
      const { page } = await open()
      await page.goto(path)
      await untilShown(page)
      await fill(page)
      for (const [name, says, fail] of FAILURES) {
        await onPost(page, calls, fail)
        await sendButton(page, button).click()
        const alert = page.getByRole('alert').filter({ hasText: says })
        await alert.waitFor()
        const text = (await alert.textContent()) ?? ''
        expect(text, name).toContain(`${UNKNOWN} ${next}`)
        expect(text, name).not.toMatch(FOR_PROGRAMS)
        await page.unroute(`**${calls}`)
      }
    })
  })

  test('and that is refused when it is made again promises nothing, and makes one operation in the end', async () => {
    const { page, company } = await open()
    const { path, calls, button, fill } = FORMS['an order'] as LostForm
    await page.goto(path)
    await fill(page)
    let tries = 0
    await onPost(page, calls, async (route) => {
      tries += 1
      if (tries > 1)
        return route.fulfill({ status: 403, json: { code: 'address_not_allowed', message: 'Not from here.' } })
      await route.fetch()
      return route.abort('connectionreset')
    })
    await sendButton(page, button).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Not from here.' })
    await alert.waitFor()
    expect(await alert.textContent()).toContain(`An earlier try ended without a clear answer. ${UNKNOWN} ${KEYED}`)
    expect(await alert.textContent()).not.toMatch(FOR_PROGRAMS)
    await page.unroute(`**${calls}`)
    await sendButton(page, button).click()
    await page.getByText('Completed. 28.05 USD was charged.').waitFor()
    const { data } = (await server.get<{ data: unknown[] }>(calls, company.key)).body
    expect([tries, data.length]).toEqual([2, 1])
  })

  test('of a row of a file does not name a key that the person has never seen', async () => {
    const { page, company } = await open()
    const { data } = (await server.get<{ data: { id: string }[] }>('/api/v1/holders', company.key)).body
    await page.goto('/cards/bulk')
    const buffer = Buffer.from(`holderId,productId,amount\n${data[0]?.id},prod_card_virtual,25.00\n`)
    await page.getByLabel('CSV file').setInputFiles({ name: 'cards.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Check file' }).click()
    await onPost(page, '/api/v1/operations', async (route) => {
      await route.fetch()
      await route.abort('connectionreset')
    })
    await page.getByRole('button', { name: 'Issue 1 card for 28.05 USD' }).click()
    const row = page.getByText('The row may have been carried out. Send the same file again to find out')
    await row.waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(FOR_PROGRAMS)
  })

  test('of signing in says only that there was no answer: signing in twice does no harm', async () => {
    const { page } = await open()
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.route('**/console/v1/**', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The server did not answer.' })
    await alert.waitFor()
    expect(await alert.textContent()).toBe('The server did not answer. Check your connection, then try again.')
  })
})
