// Checks what documents say about the code: a path that they name exists, a name in backticks stands in the code, and the order of imports
// is the one in force.
import { posix } from 'node:path'
import type { Page } from './documents.ts'
import { RANKS } from './imports.ts'
import type { Problem } from './source.ts'

/** Packages, node_modules and what a running server keeps in data/ are not paths of the project. A path is given from the root, from the page's own folder, or from one of these. */
const FOLDERS = [
  '',
  'server',
  'server/src',
  'server/test',
  'server/sql',
  'server/sql/functions',
  'console',
  'console/src',
  'sdk',
]
const PATH = /^(?!@|data\/|node_modules\/)(?:[\w.-]+\/)+(?:[\w.*-]+)?$/
/** A name that files of several folders have. */
const FILE = /^[\w-]+\.(?:ts|tsx|mjs|sql)$/
/** `camelCase`, `PascalCase` and `CONSTANT_CASE`, with or without parentheses. Words of one part are not always names of code. */
const NAME = /^([a-z]\w*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z0-9]+_[A-Z0-9_]+|[a-z0-9]+(?:_[a-z0-9]+)+)(?:\(\))?$/

export interface Code {
  /** Whether a file or folder is there, from the root. */
  exists(path: string): boolean
  /** Whether any folder has a file of this name. */
  hasFile(name: string): boolean
  /** Whether any source file of the project has this word. */
  hasWord(word: string): boolean
}

export function checkNamedCode(page: Page, code: Code): Problem[] {
  const problems: Problem[] = []
  let isBlock = false
  for (const [index, text] of page.text.split('\n').entries()) {
    if (text.trimStart().startsWith('```')) isBlock = !isBlock
    if (isBlock) continue
    for (const [, token = ''] of text.matchAll(/(?<!`)`([^`]+)`(?!`)/g)) {
      const message = findProblem(page, token, code)
      if (message !== undefined) problems.push({ path: page.path, line: index + 1, message })
    }
  }
  return problems
}

function findProblem(page: Page, token: string, { exists, hasFile, hasWord }: Code): string | undefined {
  if (PATH.test(token)) {
    const path = token.replace(/\/?\*.*$/, '').replace(/\/$/, '')
    const folders = [...FOLDERS, posix.dirname(page.path)]
    return folders.some((folder) => exists(posix.join(folder, path))) ? undefined : `there is no ${token}`
  }
  if (FILE.test(token)) return hasFile(token) || exists(token) ? undefined : `no folder has a file ${token}`
  const [, name] = NAME.exec(token) ?? []
  return name === undefined || hasWord(name) ? undefined : `no source file has the name ${name}`
}

/** Returns the order of imports as ARCHITECTURE.md states it. */
export function describeRanks(ranks: readonly (readonly string[])[] = RANKS): string {
  return ranks.map((units) => units.join(', ')).join(' < ')
}

export function checkRankLine(page: Page): Problem[] {
  const line = `\`${describeRanks()}\``
  if (page.text.replaceAll(/\s+/g, ' ').includes(line)) return []
  return [{ path: page.path, line: 1, message: `the order of imports is not stated as ${line}` }]
}
