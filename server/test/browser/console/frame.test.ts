// The frame of the console: environments, palette, shortcuts, themes, a lost connection, and what others change meanwhile.
import { DAY_MS } from '@cardstock/sdk/statements'
import type { Browser, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser, findViolations, launchBrowser } from '../../support/browser.ts'
import { type ConsoleObjects, makeConsoleObjects } from '../../support/console-objects.ts'
import { openConsole, untilShown } from '../../support/console.ts'
import { type TestCompany, TestServer } from '../../support/harness.ts'

describeInBrowser('the frame of the console', () => {
  let server: TestServer
  let browser: Browser
  let company: TestCompany
  let objects: ConsoleObjects

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  test('the sandbox and live are said in words, and each shows only its own objects', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/cards')
    await page.getByRole('row', { name: /Online tools/ }).waitFor()
    await page.getByText('nothing here is real money').waitFor()
    await page.getByRole('button', { name: 'Switch to live' }).click()
    await page.getByText('No cards yet').waitFor()
    await page.getByText('real money of Test company').waitFor()
    expect(await page.getByText('nothing here is real money').count()).toBe(0)
    await page.reload()
    await page.getByText('No cards yet').waitFor()
  })

  test('the menu counts the operations in review, which the overview lists first', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/')
    await page.getByRole('link', { name: /^Operations 1 in review$/ }).waitFor()
    const listed = page.getByRole('region', { name: 'In progress' }).getByRole('listitem')
    await expect.poll(() => listed.first().textContent()).toContain('In review')
    expect(await listed.count()).toBe(1)
    // The invoice waits for a payment, whoever may make one.
    const forYou = page.getByRole('region', { name: 'For you' })
    await forYou.getByRole('link', { name: 'Invoice for 250.00 USD' }).click()
    await page.getByRole('heading', { level: 1, name: 'Invoice for 250.00 USD' }).waitFor()
    const viewer = await openConsole(browser, server, { company, role: 'viewer' })
    await viewer.page.goto('/')
    await untilShown(viewer.page)
    expect(await viewer.page.getByRole('region', { name: 'For you' }).count()).toBe(0)
  })

  test('the overview transfers less than 200 KB in all: document, code, styles, fonts and data', async () => {
    // The chart begins on the second day.
    server.clock.advance(DAY_MS)
    const { page } = await openConsole(browser, server, { company })
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    // Browsers take the smaller Brotli files only over TLS, so the larger ones count.
    await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } })
    let bytes = 0
    // What is on the wire, also of an answer that is still open.
    session.on('Network.dataReceived', ({ encodedDataLength }) => (bytes += encodedDataLength))
    const answers: Response[] = []
    page.on('response', (response) => answers.push(response))
    await page.goto('/')
    await untilShown(page)
    await page.locator('figure svg').waitFor()
    await page.evaluate('document.fonts.ready')
    const names = answers.map((answer) => new URL(answer.url()).pathname)
    for (const kind of ['.js', '.css', '.woff2', '/console/v1/me', '/api/v1/balance'])
      expect(names.filter((name) => name.endsWith(kind))).not.toEqual([])
    const code = answers.find((answer) => /\/start-[^/]+\.js$/.test(answer.url()))
    expect(code?.headers()['content-encoding']).toBe('gzip')
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(200 * 1024)
    console.log(`The overview transferred ${bytes} bytes in ${answers.length} answers.`)
  })

  test('the overview asks for no more code once the person is known, so that only its data is waited for', async () => {
    const { page } = await openConsole(browser, server, { company })
    const code = page.waitForResponse(/\/assets\/overview-[^/]*\.js$|\/assets\/frame-[^/]*\.js$/)
    const late: string[] = []
    await page.route('**/console/v1/me', async (route) => {
      await (await code).finished()
      page.on('request', (request) => {
        if (request.resourceType() === 'script') late.push(request.url())
      })
      await route.continue()
    })
    await page.goto('/')
    await untilShown(page)
    await page.locator('figure svg').waitFor()
    expect(late).toEqual([])
  })

  test('a page begins with its heading, not with a placeholder, and its code and the person are read together', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.addInitScript(`
      new MutationObserver(() => {
        window.first ??= document.querySelector('main')?.innerHTML || undefined
      }).observe(document, { childList: true, subtree: true })`)
    const person = page.waitForRequest('**/console/v1/me')
    await page.route(/\/assets\/account-[^/]*\.js$/, async (route) => {
      await person
      await route.continue()
    })
    await page.goto('/account')
    await untilShown(page)
    expect(await page.evaluate('first')).toContain('<h1')
  })

  test('the palette finds pages, actions and objects by keyboard alone', async () => {
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/')
    await untilShown(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
    expect(await findViolations(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
    await page.keyboard.type('operat')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(objects['/cards'] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Online tools' }).waitFor()
    expect(offences).toEqual([])
  })

  test('a question mark lists the shortcuts, g and a key opens a page, and both can be turned off', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/')
    await untilShown(page)
    await page.keyboard.press('g')
    await page.keyboard.press('c')
    await page.getByRole('heading', { level: 1, name: 'Cards' }).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    expect(await findViolations(page, '[role=dialog]')).toEqual([])
    await dialog.getByLabel('Single-key shortcuts').click()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Cards')
  })

  test('the focus goes back to the button of a menu, also the first time, when the code of the menu comes late', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/')
    const button = page.getByRole('button', { name: /^Account of/ })
    for (const turn of ['first', 'second']) {
      await button.press('Enter')
      await page.locator('[role=menu]:focus-within').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'detached' })
      await expect
        .poll(() => page.evaluate<string>('document.activeElement.ariaLabel'), { message: turn })
        .toMatch(/^Account of/)
    }
  })

  test('dark colours are chosen and kept', async () => {
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).click()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    await page.reload()
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
    expect(offences).toEqual([])
  })

  test('a lost connection is told and healed, and the page keeps what it showed', async () => {
    const { page, offences } = await openConsole(browser, server, { company })
    await page.goto('/cards')
    await page.getByRole('row', { name: /Online tools/ }).waitFor()
    await page.route('**/api/v1/**', (route) => route.abort())
    await page.getByText('Connection lost.').waitFor()
    await page.getByRole('row', { name: /Online tools/ }).waitFor()
    await page.unroute('**/api/v1/**')
    await page.getByText('Connection lost.').waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('a connection that is lost at the start is told and healed', async () => {
    const { page } = await openConsole(browser, server, { company })
    const told = page.getByText('Connection lost.').waitFor()
    let asked = 0
    // The first request fails, and the second gets no answer before the first has been told.
    await page.route('**/console/v1/me', async (route) => {
      asked += 1
      if (asked === 1) return route.abort()
      await told
      return route.continue()
    })
    await page.goto('/cards')
    await page.getByRole('row', { name: /Online tools/ }).waitFor()
    expect(await page.getByText('Connection lost.').count()).toBe(0)
  })

  test.each(['owner', 'viewer'] as const)('what a key does meanwhile appears by itself (%s)', async (role) => {
    const { page } = await openConsole(browser, server, { company, role })
    let streams = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/v1/changes')) streams += 1
    })
    await page.goto(`/cards/${objects['/cards']}`)
    await page.getByRole('row', { name: /Example Cloud/ }).waitFor()
    const merchant = `Shop of the ${role}`
    const payment = { cardId: objects['/cards'], type: 'purchase', amount: '1.00', merchant }
    await server.post('/api/v1/sandbox/transactions', company.key, payment)
    await page.getByRole('row', { name: new RegExp(merchant) }).waitFor()
    expect(streams).toBe(1)
  })

  test('an object that is not there says so, with the id of the request', async () => {
    const { page } = await openConsole(browser, server, { company })
    await page.goto('/operations/op_01a1e0eac2fe700080014e9d66000e32')
    const problem = page.getByRole('alert')
    await problem.waitFor()
    expect(await problem.textContent()).toMatch(/Request [\w-]+/)
  })
})
