// Starts a Chromium for tests of pages. Without one these tests are skipped, except with CI=true, where they fail.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe, onTestFinished, TestRunner } from 'vitest'
import { findBrowser } from '../../../scripts/ensure-browser.mjs'
import { until, WAIT_MS_MAX } from './wait.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const path = findBrowser()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** With CI=true the tests always run, and fail where there is no browser. */
const runs = path !== undefined || process.env['CI'] === 'true'
// oxlint-disable-next-line vitest/no-disabled-tests -- scripts/ensure-browser.mjs prints a warning
export const describeInBrowser = runs ? describe : describe.skip

/** Starts the browser. Pages come from newPage. */
export function launchBrowser(): Promise<Browser> {
  if (path === undefined)
    throw new Error('There is no Chromium on this machine. Install one, or set CHROMIUM_PATH to its path.')
  return chromium.launch({ headless: true, args: ARGS, executablePath: path, timeout: WAIT_MS_MAX })
}

/**
 * Opens a page in a context of its own, so that pages share no cookies. A page of a test is closed after it, because it would go on
 * reading and drawing. A page that beforeAll opened stays until the browser is closed.
 */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_MS_MAX)
  if (TestRunner.getCurrentTest() !== undefined) onTestFinished(() => context.close())
  return context.newPage()
}

export interface Look {
  readonly size: { readonly width: number; readonly height: number }
  readonly colorScheme: 'light' | 'dark'
}

/**
 * The sizes and themes in which a page is checked. Pages share their frame and their components, so they take turns: one is
 * checked in the smallest size and in dark, the next in the largest and in light. With ALL_LOOKS=true, as
 * `npm run screenshots` sets it, every page is checked in every size in both themes; that takes six times as long.
 */
export function looksOf(sizes: readonly Look['size'][], turn: number): Look[] {
  const all = sizes.flatMap((size) => [{ size, colorScheme: 'dark' } as const, { size, colorScheme: 'light' } as const])
  const chosen = turn % 2 === 0 ? 0 : all.length - 1
  return process.env['ALL_LOOKS'] === 'true' ? all : all.filter((_look, index) => index === chosen)
}

/**
 * Returns the violations of the accessibility rules, one line each: of the page, or of the element that a selector finds, such as
 * a dialog over a page that is checked by itself.
 */
export async function findViolations(page: Page, selector?: string): Promise<string[]> {
  // In the middle of a transition between two colours the contrast is that of neither.
  await until('no transition is running', () =>
    page.evaluate<boolean>('!document.getAnimations().some((each) => each instanceof CSSTransition)'),
  )
  // Evaluate the script as a string, because the page's security policy allows no other scripts.
  if (!(await page.evaluate<boolean>('"axe" in window'))) {
    await page.evaluate(axe)
    // The script is sent once for all documents that this page will show.
    await page.addInitScript({ content: axe })
  }
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(${selector === undefined ? 'document' : JSON.stringify(selector)}, { resultTypes: ["violations"] })
      .then((result) => result.violations)`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}
