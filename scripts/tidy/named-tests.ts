// Checks the tests that a page names for its promises: every row has one, the file is there, and a title that is quoted stands in it.
import { posix } from 'node:path'
import type { Page } from './documents.ts'
import type { Problem } from './source.ts'

const TABLE = /^\| Promise +\| Test +\|$/
const NAMED = /\[[^\]]+\]\(([^)]+\.test\.ts)\)(?:: `([^`]+)`)?/g

/** `read` returns the text of a file of the repository, or undefined if there is none. */
export function checkNamedTests(page: Page, read: (path: string) => string | undefined): Problem[] {
  const problems: Problem[] = []
  let isTable = false
  for (const [index, text] of page.text.split('\n').entries()) {
    if (TABLE.test(text)) isTable = true
    else if (text === '') isTable = false
    if (!isTable || TABLE.test(text) || text.startsWith('| -')) continue
    const problem = (message: string) => problems.push({ path: page.path, line: index + 1, message })
    const named = [...text.matchAll(NAMED)]
    if (named.length === 0) problem('a promise names no test')
    for (const [, link = '', title] of named) {
      const path = posix.join(posix.dirname(page.path), link)
      const source = read(path)
      if (source === undefined) problem(`there is no test ${path}`)
      else if (title !== undefined && !source.includes(title)) problem(`${path} has no test "${title}"`)
    }
  }
  return problems
}
