// A Chromium for tests of pages, when the machine has one. Without one these tests are skipped, and fail under CI.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page } from 'playwright-core'
import { describe } from 'vitest'
import { findBrowser } from '../../../scripts/ensure-browser.mjs'

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

/** Under CI they run in any case, and fail where there is no browser. */
const runs = path !== undefined || process.env['CI'] === 'true'
// oxlint-disable-next-line vitest/no-disabled-tests -- said loudly by scripts/ensure-browser.mjs
export const describeInBrowser = runs ? describe : describe.skip

export function launchBrowser(): Promise<Browser> {
  if (path === undefined) throw new Error('There is no Chromium. Install one, or set CHROMIUM_PATH.')
  return chromium.launch({ headless: true, args: ARGS, executablePath: path })
}

/** What the accessibility rules find wrong, each as one line. */
export async function findViolations(page: Page): Promise<string[]> {
  // A string, because the page's policy lets no script of ours be added to it.
  await page.evaluate(axe)
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then((result) => result.violations)',
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)
}
