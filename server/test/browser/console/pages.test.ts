// Every page of the console, from its table of pages: shows something, fits its width, is accessible in both themes, breaks
// no rule of its security policy, and asks no other host. A new page is tested without a change here.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser as Person, PASSWORD } from '../../api/people/people.ts'
import { byName } from '../../api/people/software-authenticator.ts'
import { describeInBrowser, findViolations, launchBrowser, looksOf } from '../../support/browser.ts'
import { type ConsoleObjects, fillConsolePath, makeConsoleObjects } from '../../support/console-objects.ts'
import { listConsolePages, openBrowser, openConsole, untilShown, type Watched } from '../../support/console.ts'
import { TestServer } from '../../support/harness.ts'

/** A folder for pictures of every page; `npm run screenshots` sets it. */
const SHOTS = process.env['PAGE_SHOTS']
const SIZES = [
  { width: 360, height: 740 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]
/** The pictures that are kept: one of each width and theme is enough in the repository, and all four are looked at after a change. */
const SHOWN = new Set(
  process.env['SHOT_LOOKS'] === 'four'
    ? ['390 light', '390 dark', '1440 light', '1440 dark']
    : ['360 dark', '1440 light'],
)

/** The elements that make the page wider than the window, if it is. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth)
    .map((e) => e.outerHTML.slice(0, 200))`

/** Gives somebody the name and the address that the pictures show. */
async function introduce(server: TestServer, cookie: string, profile: { name: string; email: string }): Promise<void> {
  const person = Object.assign(new Person(server), { cookie })
  expect((await person.send('PATCH', '/console/v1/me', { body: { ...profile, password: PASSWORD } })).status).toBe(200)
}

describeInBrowser('every page of the console', () => {
  let server: TestServer
  let browser: Browser
  let objects: ConsoleObjects
  const watched = new Map<string, Watched>()

  beforeAll(async () => {
    server = await TestServer.start()
    browser = await launchBrowser()
    const company = await server.createCompany()
    objects = await makeConsoleObjects(server, company)
    // By its name, so that the pages offer passkeys.
    const named = byName(server)
    const owner = await openConsole(browser, named, { company })
    await introduce(named, owner.cookie, { name: 'Ada Lovelace', email: 'ada@example.com' })
    const operator = await openConsole(browser, named, { role: 'operator' })
    await introduce(named, operator.cookie, { name: 'Grace Hopper', email: 'grace@example.com' })
    watched.set('company', owner)
    watched.set('programme', operator)
    watched.set('public', await openBrowser(browser, named))
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
  })

  const pages = listConsolePages().map((page, turn) => ({ ...page, turn }))
  test.each(pages)('$path ($title)', async ({ path, needs, isPublic, turn }) => {
    const who = isPublic ? 'public' : needs === 'programme' ? 'programme' : 'company'
    const { page, offences } = watched.get(who) as Watched
    await page.goto(fillConsolePath(path, objects))
    await untilShown(page)
    for (const { size, colorScheme } of looksOf(SIZES, turn)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      await page.setViewportSize(size)
      await untilShown(page)
      const where = `${size.width} ${colorScheme}`
      expect(await findViolations(page), where).toEqual([])
      expect(await page.evaluate<string[]>(TOO_WIDE), `${where}: fits its width`).toEqual([])
      if (SHOTS !== undefined && SHOWN.has(where)) {
        mkdirSync(SHOTS, { recursive: true })
        const name = path.replaceAll(/[/$]+/g, '-').replaceAll(/^-|-$/g, '') || 'overview'
        await page.screenshot({ path: join(SHOTS, `${name}-${size.width}-${colorScheme}.png`), fullPage: true })
      }
    }
    expect(offences).toEqual([])
  })
})
