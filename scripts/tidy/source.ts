// Source files as the rules see them: as written, and with comments and the text of strings blanked out.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The same length and lines as `text`, but only code. */
  readonly code: string
}

export interface Problem {
  readonly path: string
  readonly line: number
  readonly message: string
}

const FOLDERS = [
  'server/src',
  'sdk/src',
  'cli/src',
  'private-postgres/src',
  'docs-site/src',
  'console/src',
  'console/build',
  'scripts',
]

export function loadSources(root: string): Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
      )
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => toSource(relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8'))),
  )
}

export function toSource(path: string, text: string): Source {
  return { path, text, code: blank(text) }
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

export function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** All matches of a pattern (with the g flag) in the code, as problems. */
export function problemsAt(source: Source, pattern: RegExp, message: string): Problem[] {
  return [...source.code.matchAll(pattern)].map(({ index }) => ({
    path: source.path,
    line: lineOf(source.code, index),
    message,
  }))
}

// Matches comments, strings, and regular expressions in places where one is possible. Quotes stay, so that `''` remains an expression.
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

function blank(text: string): string {
  return text.replaceAll(TOKEN, (token) => {
    const quote = /^['"`]/.test(token) ? token.charAt(0) : ''
    if (quote === '') return erase(token)
    return quote + erase(token.slice(1, -1)) + quote
  })
}

function erase(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
