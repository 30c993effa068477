// Checks pages that must agree with the code: every error code, setting and state is documented, and nothing else is.
import { posix } from 'node:path'
import type { Problem } from './source.ts'

export interface Page {
  readonly path: string
  readonly text: string
}

export interface StateTable {
  readonly heading: string
  readonly transitions: Readonly<Record<string, readonly string[]>>
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** Returns the rows of the page's tables whose first cell is a name in backticks. */
function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const cells = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim())
    return /^`[^`]+`$/.test(cells[0] ?? '') ? [{ line: index + 1, cells }] : []
  })
}

const plain = (cell: string | undefined) => (cell ?? '').replaceAll('`', '')

/** Compares the rows of a page with the expected names and the text of the second cell. */
function compare(page: Page, rows: readonly Row[], expected: ReadonlyMap<string, string>, what: string): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const { line, cells } of rows) {
    const name = plain(cells[0])
    const value = expected.get(name)
    const problem = (message: string) => problems.push({ path: page.path, line, message })
    if (value === undefined) problem(`there is no ${what} ${name}`)
    else if (seen.has(name)) problem(`${what} ${name} is listed twice`)
    else if (plain(cells[1]) !== value)
      problem(`${what} ${name}: the page says "${plain(cells[1])}", the code "${value}"`)
    if (cells.slice(1).some((cell) => cell === '')) problem(`${what} ${name} has an empty cell`)
    seen.add(name)
  }
  for (const name of expected.keys()) {
    if (!seen.has(name)) problems.push({ path: page.path, line: 1, message: `${what} ${name} is missing` })
  }
  return problems
}

/** Checks that each code has a heading, under the heading of its status, and says what happened and what to do. */
export function checkErrorsPage(errors: Readonly<Record<string, number>>, page: Page): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<string>()
  let status = ''
  const lines = page.text.split('\n')
  for (const [index, line] of lines.entries()) {
    status = /^## Status (\d+)$/.exec(line)?.[1] ?? status
    const code = /^### `(\w+)`$/.exec(line)?.[1]
    if (code === undefined) continue
    const problem = (message: string) => problems.push({ path: page.path, line: index + 1, message })
    const length = lines.slice(index + 1).findIndex((next) => next.startsWith('#'))
    const section = lines.slice(index + 1, length === -1 ? undefined : index + 1 + length).filter((text) => text !== '')
    if (errors[code] === undefined) problem(`there is no error code ${code}`)
    else if (seen.has(code)) problem(`error code ${code} has two headings`)
    else if (String(errors[code]) !== status)
      problem(`error code ${code} is under ${status}, but its status is ${errors[code]}`)
    if (section.length < 2 || !section.some((text) => /^\*\*What to do:\*\* \S/.test(text)))
      problem(`error code ${code} needs a text that says what happened and one that says what to do`)
    seen.add(code)
  }
  const missing = Object.keys(errors).filter((code) => !seen.has(code))
  return [
    ...problems,
    ...missing.map((code) => ({ path: page.path, line: 1, message: `error code ${code} is missing` })),
  ]
}

/** The second column of docs/configuration.md for a setting without a default. */
export const NOT_SET = 'not set'

export function checkSettingsPage(
  settings: Readonly<Record<string, { readonly fallback: string | undefined }>>,
  page: Page,
): Problem[] {
  const expected = new Map(Object.entries(settings).map(([name, { fallback }]) => [name, fallback ?? NOT_SET]))
  return compare(page, rowsOf(page.text), expected, 'setting')
}

/** Checks that each state has a row under its heading, with the states that may follow, or `final`. */
export function checkStatesPage(tables: readonly StateTable[], page: Page): Problem[] {
  return tables.flatMap(({ heading, transitions }) => {
    const lines = page.text.split('\n')
    const start = lines.indexOf(`## ${heading}`)
    if (start === -1) return [{ path: page.path, line: 1, message: `the heading "## ${heading}" is missing` }]
    const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
    const end = length === -1 ? lines.length : start + 1 + length
    const rows = rowsOf(page.text).filter(({ line }) => line > start && line <= end)
    const expected = new Map(Object.entries(transitions).map(([state, next]) => [state, next.join(', ') || 'final']))
    return compare(page, rows, expected, `${heading} state`)
  })
}

/**
 * Checks that nobody is told to run the command line in a way that installs a package: the name `cardstock` is not ours in any
 * registry, so outside of a checkout a stranger's program would run.
 */
export function checkCommands({ path, text }: Page): Problem[] {
  const installs = /\b(?:npx|npm (?:exec|x)|pnpm dlx|pnpx|bunx|yarn dlx)\b[^\n`|&;<]*?[ '"]cardstock\b(?!\/|-|\.)/
  return text
    .split('\n')
    .flatMap((line, index) =>
      installs.test(line)
        ? [{ path, line: index + 1, message: "this runs a stranger's package; write node server/bin/cardstock.mjs" }]
        : [],
    )
}

/** Checks that links inside the project point to existing files. */
export function checkLinks(page: Page, exists: (path: string) => boolean): Problem[] {
  return page.text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/\]\(([^)#\s]+)(#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !exists(posix.join(posix.dirname(page.path), target)))
      .map((target) => ({
        path: page.path,
        line: index + 1,
        message: `the target of the link ${target} does not exist`,
      })),
  )
}
