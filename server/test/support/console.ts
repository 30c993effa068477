// The console in a real browser: somebody who is signed in, and everything that a page may not do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../src/access/permissions.ts'
import { join as joinCompany } from '../api/people/people.ts'
import { newPage } from './browser.ts'
import type { TestCompany, TestServer } from './harness.ts'
import { until } from './wait.ts'

const DIST = fileURLToPath(new URL('../../../console/dist', import.meta.url))

export interface ConsolePage {
  readonly path: string
  readonly title: string
  readonly needs?: string
  readonly isPublic: boolean
}

/** The table of pages, as the build wrote it. */
export function listConsolePages(): ConsolePage[] {
  return JSON.parse(readFileSync(join(DIST, 'pages.json'), 'utf8')) as ConsolePage[]
}

export interface Watched {
  readonly page: Page
  /** What the page did that no page of the console may do: errors, violations of its policy, requests to other hosts. */
  readonly offences: string[]
}

export const DESKTOP = { width: 1440, height: 900 }

/** Opens a browser at nothing yet, with its clock at the server's time. */
export async function openBrowser(
  browser: Browser,
  server: TestServer,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const page = await newPage(browser, { viewport: DESKTOP, baseURL: server.baseUrl, ...options })
  await page.clock.setFixedTime(server.clock.now())
  const offences: string[] = []
  page.on('pageerror', (error) => offences.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) offences.push(message.text())
  })
  page.on('request', (request) => {
    // Links name this machine as localhost.
    const url = request.url().replace('//localhost:', '//127.0.0.1:')
    if (!url.startsWith(server.baseUrl.replace('//localhost:', '//127.0.0.1:')))
      offences.push(`request: ${request.url()}`)
  })
  return { page, offences }
}

/** Signs somebody in without the page, because most tests are not about that. */
export async function openConsole(
  browser: Browser,
  server: TestServer,
  { company, role = 'owner', ...options }: BrowserContextOptions & { company?: TestCompany; role?: Role },
): Promise<Watched & { email: string; cookie: string }> {
  const { cookie, email } = await joinCompany(server, role, company)
  const watched = await openBrowser(browser, server, options)
  const [name = '', value = ''] = cookie.split('=')
  await watched.page.context().addCookies([{ name, value, url: server.baseUrl, httpOnly: true, sameSite: 'Lax' }])
  return { ...watched, email, cookie }
}

/** Waits until a page shows its data and nothing is loading. */
export async function untilShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  // Counted from outside, because the page's security policy forbids to evaluate a condition in it again and again.
  await until('nothing is loading', async () => (await page.locator('[aria-busy=true]').count()) === 0)
}
