// The payment page in a real browser: accessible in both themes and sizes, usable without JavaScript, silent on the
// network, and updating itself.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invoice } from '../../src/funding/schema.ts'
import { describeInBrowser, findViolations, launchBrowser, looksOf, newPage } from '../support/browser.ts'
import { complete, expectSoundLedger, openInvoice, pay } from '../support/invoices.ts'
import { TestServer } from '../support/harness.ts'

const HOUR_MS = 3_600_000
const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }
const STATES = ['pending', 'completed', 'expired', 'manual_review', 'failed', 'none'] as const
type State = (typeof STATES)[number]
/** PAGE_SHOTS=folder keeps a screenshot of every page, to look at. */
const SHOTS = process.env['PAGE_SHOTS']

describeInBrowser('the payment page', () => {
  let server: TestServer
  let browser: Browser
  const pages = new Map<State, Invoice>()
  const urlOf = (state: State) => pages.get(state)?.payUrl ?? `${server.baseUrl}/pay/${'x'.repeat(43)}`

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    for (const state of STATES) if (state !== 'none') pages.set(state, await makeInvoice(state))
  })
  afterAll(async () => {
    await browser.close()
    await expectSoundLedger(server)
    await server.stop()
  })

  async function makeInvoice(state: State): Promise<Invoice> {
    const company = await server.createCompany()
    const invoice = await openInvoice(server, company)
    if (state === 'completed') await complete(server, company, invoice.id)
    if (state === 'manual_review') await pay(server, company, invoice.id, { amount: '99.5' })
    if (state === 'failed') {
      await pay(server, company, invoice.id, { amount: '1' })
      const path = `/api/v1/sandbox/reviews/${invoice.id}/resolve`
      await server.post(path, company.key, { outcome: 'failed' })
    }
    if (state === 'expired') {
      await server.db.run({
        name: undefined,
        text: `update invoice set expires_at = created_at where company_id = $1`,
        values: [company.id],
      })
    }
    return invoice
  }

  async function open(state: State, options: BrowserContextOptions = {}): Promise<{ page: Page; requests: string[] }> {
    const page = await newPage(browser, { viewport: DESKTOP, ...options })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(urlOf(state))
    return { page, requests }
  }

  const looks = STATES.flatMap((state, turn) =>
    looksOf([PHONE, DESKTOP], turn).map(({ size, colorScheme }) => ({ state, viewport: size, colorScheme })),
  )
  test.each(looks)(
    '$state, $colorScheme, $viewport.width wide: is accessible and fits',
    async ({ state, viewport, colorScheme }) => {
      const { page, requests } = await open(state, { colorScheme, viewport })
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true })
        await page.screenshot({
          path: join(SHOTS, `${state}-${colorScheme}-${viewport.width}.png`),
          fullPage: true,
        })
      }
      expect(await findViolations(page)).toEqual([])
      const widths = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
      expect(widths[0]).toBeLessThanOrEqual(widths[1])
      expect(requests.filter((url) => !url.startsWith(server.baseUrl))).toEqual([])
    },
  )

  test('without JavaScript it says what to pay, where, on which network and until when', async () => {
    const { page } = await open('pending', { javaScriptEnabled: false })
    const invoice = pages.get('pending')
    const text = (await page.textContent('main')) ?? ''
    for (const essential of [
      invoice?.payAmount ?? '?',
      invoice?.address ?? '?',
      'USDT on TRON (TRC-20) only',
      'You also need TRX in your wallet for the network fee',
      '60 minutes left',
    ])
      expect(text).toContain(essential)
    await expect.poll(() => page.locator('button:visible').count()).toBe(0)
    expect(await page.locator('svg[role=img]').isVisible()).toBe(true)
    expect(await (await page.request.get(urlOf('pending'))).text()).toContain('http-equiv="refresh"')
  })

  test('the buttons copy the amount without its currency, and the whole address', async () => {
    const { page } = await open('pending', { permissions: ['clipboard-read', 'clipboard-write'] })
    const invoice = pages.get('pending')
    await page.getByRole('button', { name: 'Copy amount' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(invoice?.payAmount)
    await page.getByRole('button', { name: 'Copy address' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(invoice?.address)
    await expect.poll(() => page.textContent('#news')).toBe('Address copied.')
  })

  test('the security policy allows the inline script and style of the page and nothing else', async () => {
    const page = await newPage(browser)
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    const answer = await page.goto(urlOf('pending'))
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self'/)
    expect(policy).not.toContain('unsafe')
    expect(complaints).toEqual([])
  })

  test('the page shows a payment without a reload and announces it to screen readers', async () => {
    const company = await server.createCompany()
    const invoice = await openInvoice(server, company)
    const page = await newPage(browser)
    await page.goto(invoice.payUrl)
    await complete(server, company, invoice.id)
    await page.getByRole('heading', { name: 'Payment received' }).waitFor()
    await expect.poll(() => page.textContent('#news')).toBe('Payment received')
    expect(await page.textContent('main')).toContain('98.50 USD was credited')
    expect(await findViolations(page)).toEqual([])
  })

  test('a company name cannot inject markup, and a wrong link answers a program with the error body', async () => {
    const company = await server.createCompany()
    const name = '<img src=x onerror=alert(1)> & "Co"'
    await server.db.run({
      name: undefined,
      text: 'update company set name = $2 where id = $1',
      values: [company.id, name],
    })
    const { payUrl } = await openInvoice(server, company)
    const page = await newPage(browser)
    await page.goto(payUrl)
    expect(await page.textContent('.lead')).toContain(name)
    await expect.poll(() => page.locator('img').count()).toBe(0)
    const wrong = await server.request('GET', `/pay/${'x'.repeat(43)}`)
    expect(wrong.body).toMatchObject({ statusCode: 404, code: 'not_found' })
  })

  test('after an hour it says not to pay any more, also while the server cannot be reached', async () => {
    const company = await server.createCompany()
    const { payUrl } = await openInvoice(server, company)
    const page = await newPage(browser)
    await page.clock.install()
    await page.goto(payUrl)
    await page.getByText('minutes left').waitFor()
    await page.route(payUrl, (route) => route.abort())
    await page.clock.fastForward(HOUR_MS)
    expect(await page.textContent('#left')).toBe('The time is over, do not pay any more')
    expect(await page.textContent('#news')).toBe('The time is over, do not pay any more')
  })

  test('after an hour the page says not to pay any more', async () => {
    const company = await server.createCompany()
    const { payUrl } = await openInvoice(server, company)
    server.clock.advance(HOUR_MS)
    const page = await newPage(browser)
    await page.goto(payUrl)
    expect(await page.textContent('h1')).toBe('This invoice has expired')
    expect(await page.textContent('main')).toContain('Do not pay it.')
  })
})
