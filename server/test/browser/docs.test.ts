// The pages at /docs in a real browser: accessible in both themes and sizes, silent on the network, usable with the keyboard and
// without JavaScript; the search, the tabs, and "try it" against the sandbox.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, findViolations, launchBrowser, looksOf, newPage } from '../support/browser.ts'
import { expectSoundLedger } from '../support/invoices.ts'
import { type TestCompany, TestServer } from '../support/harness.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
/** One page of each kind. */
const KINDS = {
  home: '/docs',
  guide: '/docs/webhooks',
  table: '/docs/configuration',
  errors: '/docs/errors',
  introduction: '/docs/api',
  resource: '/docs/api/operations',
  events: '/docs/api/event-types',
  operator: '/docs/operator/reviews',
  console: '/docs/console/keys',
  issuer: '/docs/issuer/requests-and-events',
} as const
/** PAGE_SHOTS=folder keeps a screenshot of every page, to look at. */
const SHOTS = process.env['PAGE_SHOTS']

describeInBrowser('the documentation', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    const holder = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }
    await server.post('/api/v1/holders', company.key, holder)
    await server.post('/api/v1/sandbox/funding', company.key, { amount: '100.00' })
  })
  afterAll(async () => {
    await browser.close()
    await expectSoundLedger(server)
    await server.stop()
  })

  interface Opened {
    page: Page
    requests: string[]
    complaints: string[]
  }

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const page = await newPage(browser, { viewport: DESKTOP, ...options })
    const [requests, complaints]: string[][] = [[], []]
    page.on('request', (request) => requests?.push(request.url()))
    page.on('console', (message) => complaints?.push(message.text()))
    page.on('pageerror', (error) => complaints?.push(error.message))
    await page.goto(server.baseUrl + path)
    return { page, requests: requests ?? [], complaints: complaints ?? [] }
  }

  const looks = Object.entries(KINDS).flatMap(([name, path], turn) =>
    looksOf([PHONE, DESKTOP], turn).map(({ size, colorScheme }) => ({ name, path, viewport: size, colorScheme })),
  )
  test.each(looks)(
    '$name, $colorScheme, $viewport.width wide: is accessible, fits its width and loads only its own files',
    async ({ name, path, viewport, colorScheme }) => {
      const { page, requests, complaints } = await open(path, { colorScheme, viewport })
      if (SHOTS !== undefined) {
        mkdirSync(SHOTS, { recursive: true })
        await page.screenshot({ path: join(SHOTS, `${name}-${colorScheme}-${viewport.width}.png`) })
      }
      expect(await findViolations(page)).toEqual([])
      const widths = await page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
      expect(widths[0]).toBeLessThanOrEqual(widths[1])
      expect(requests.filter((url) => !url.startsWith(`${server.baseUrl}/docs`))).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test('the search opens with /, finds calls, fields, codes and guides, and goes there with the keyboard alone', async () => {
    const { page, complaints } = await open('/docs')
    const options = page.getByRole('option')
    await page.keyboard.press('/')
    await page.keyboard.type('freeze card')
    await expect.poll(() => options.first().textContent()).toContain('Freeze a card')
    expect(await findViolations(page, 'dialog[open]')).toEqual([])
    for (const [query, title] of [
      ['insufficient_funds', 'insufficient_funds'],
      ['expectedTotal', 'Issue a card'],
      ['operation.completed', 'operation.completed'],
      // With a slip of the keys.
      ['insuficient_funds', 'insufficient_funds'],
      ['zzzz', undefined],
    ] as const) {
      await page.keyboard.press('Control+A')
      await page.keyboard.type(query)
      if (title === undefined) await page.getByText('Nothing found.').waitFor()
      else await expect.poll(() => options.first().textContent()).toContain(title)
    }
    await page.keyboard.press('Control+A')
    await page.keyboard.type('list cards')
    await expect.poll(() => options.first().textContent()).toContain('List cards')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/cards#listCards')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox', { name: 'Search the documentation' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('the chosen language holds for every sample, on the next page too, and the arrow keys change it', async () => {
    const { page } = await open('/docs/api/cards')
    const shown = () =>
      page
        .locator('[data-samples] .sample:visible')
        .evaluateAll((found) => [...new Set(found.map((one) => one.getAttribute('data-language')))])
    expect(await shown()).toEqual(['curl'])
    await page.getByRole('tab', { name: 'curl' }).first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await shown()).toEqual(['sdk'])
    await page.keyboard.press('ArrowRight')
    expect(await shown()).toEqual(['python'])
    await page.goto(`${server.baseUrl}/docs/api/operations`)
    expect(await shown()).toEqual(['python'])
    await page.getByLabel('Example').first().selectOption('topup')
    expect(await page.locator('#createOperation .sample:visible').first().textContent()).toContain('"type": "topup"')
  })

  test('a sample can be copied', async () => {
    const { page } = await open('/docs/api/operations', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('#getOperation').getByRole('button', { name: 'Copy' }).first().click()
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(text).toMatch(/^curl http:\/\/127\.0\.0\.1:\d+\/api\/v1\/operations\/op_/)
    await expect.poll(() => page.textContent('#news')).toBe('The code is copied.')
  })

  test('“try it” issues a card in the sandbox with the reader’s key, which stays in the tab', async () => {
    const { page, complaints } = await open('/docs/api/operations')
    const dialog = page.getByRole('dialog')
    await page.locator('#createOperation').getByRole('button', { name: 'Try it' }).click()
    await dialog.getByLabel('Sandbox key').fill(company.key)
    await dialog.getByRole('button', { name: 'Fill in my ids' }).click()
    await expect
      .poll(() => page.textContent('#news'))
      .toBe('The ids of your company are filled in, also in the code samples.')
    const ordered = await page.locator('#createOperation .sample[data-language="curl"]').first().textContent()
    const holders = await server.get<{ data: { id: string }[] }>('/api/v1/holders', company.key)
    expect(ordered).toContain(holders.body.data[0]?.id)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('201', { exact: true }).waitFor()
    expect(await findViolations(page, 'dialog[open]')).toEqual([])
    const { body } = await server.get<{ data: { id: string; type: string; total: string }[] }>(
      '/api/v1/operations',
      company.key,
    )
    expect(body.data).toMatchObject([{ type: 'issue', total: '28.05' }])
    expect(await dialog.locator('.try-output').textContent()).toContain(body.data[0]?.id)
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('cstk_')
    expect(await page.evaluate('sessionStorage.getItem("docs-sandbox-key")')).toBe(company.key)
    await page.keyboard.press('Escape')
    await page.locator('#listOperations').getByRole('button', { name: 'Try it' }).click()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('200', { exact: true }).waitFor()
    await dialog.getByLabel('limit').fill('0')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('400', { exact: true }).waitFor()
    expect(await dialog.locator('.try-output').textContent()).toContain('validation_failed')
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  test('“try it” refuses a live key, an operator token and a body that is not JSON, and sends nothing', async () => {
    const { page, requests } = await open('/docs/api/operations')
    const dialog = page.getByRole('dialog')
    await page.locator('#createOperation').getByRole('button', { name: 'Try it' }).click()
    const before = requests.length
    const live = await server.createKey(company.id, { environment: 'live' })
    for (const [key, message] of [
      [live, 'This is a live key.'],
      [server.operatorToken, 'This is not a sandbox key.'],
      ['', 'Paste a sandbox key first.'],
    ] as const) {
      await dialog.getByLabel('Sandbox key').fill(key)
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => dialog.getByRole('alert').textContent()).toContain(message)
    }
    await dialog.getByLabel('Sandbox key').fill(company.key)
    await dialog.getByLabel('Body').fill('{')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => dialog.getByRole('alert').textContent()).toContain('The body is not JSON')
    expect(requests.slice(before)).toEqual([])
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('live')
  })

  test('on a phone the menu opens and closes with the keyboard and leads to every section', async () => {
    const { page } = await open('/docs/api', { viewport: PHONE })
    const menu = page.getByRole('button', { name: 'Menu' })
    const sidebar = page.getByRole('navigation', { name: 'Pages' })
    expect(await sidebar.isVisible()).toBe(false)
    await menu.focus()
    await page.keyboard.press('Enter')
    await sidebar.getByRole('link', { name: 'Operator API' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await sidebar.isVisible()).toBe(false)
    await menu.click()
    await sidebar.getByRole('link', { name: 'Guides' }).click()
    await expect.poll(() => new URL(page.url()).pathname).not.toBe('/docs/api')
  })

  test('the theme can be chosen and is kept', async () => {
    const { page } = await open('/docs', { colorScheme: 'light' })
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.getByRole('button', { name: /^Theme: system/ }).click()
    await page.getByRole('button', { name: /^Theme: light/ }).click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    expect(await background()).toBe(dark)
    await page.getByRole('button', { name: /^Theme: dark/ }).click()
    expect(await background()).toBe(light)
  })

  test('without JavaScript every sample and the navigation are there, and no button that does nothing', async () => {
    const { page } = await open('/docs/api/operations', { javaScriptEnabled: false, viewport: PHONE })
    expect(await page.locator('#createOperation .sample:visible').count()).toBeGreaterThan(9)
    await expect.poll(() => page.locator('button:visible').count()).toBe(0)
    expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Menu' }).click()
    expect(page.url()).toContain('#sidebar')
  })
})
