// Starts a Chromium for tests of pages. Without one these tests are skipped, except with CI=true, where they fail.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'
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

/** Opens a page in a context of its own, so that pages share no cookies. Closing the context closes the page. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(WAIT_MS_MAX)
  return context.newPage()
}

/** The rules whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * Returns the violations of the accessibility rules, one line each. The themes differ only in colours, so the second theme of
 * a page that was checked needs only the rules about them.
 */
export async function findViolations(page: Page, { coloursOnly = false } = {}): Promise<string[]> {
  // In the middle of a transition between two colours the contrast is that of neither.
  await until('no transition is running', () =>
    page.evaluate<boolean>('!document.getAnimations().some((each) => each instanceof CSSTransition)'),
  )
  // Evaluate the script as a string, because the page's security policy allows no other scripts.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(coloursOnly ? { runOnly: COLOUR_RULES } : {}) }
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, ${JSON.stringify(options)}).then((result) => result.violations)`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}
