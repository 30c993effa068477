// Checks that ARCHITECTURE.md's code map names every folder and file at the top of server/src, and nothing else.
import type { Page } from './documents.ts'
import type { Problem } from './source.ts'

const HEADING = '## Code map'

/** `units` are the names in server/src: folders with a slash at the end, files with their extension. */
export function checkCodeMap(units: readonly string[], page: Page): Problem[] {
  const lines = page.text.split('\n')
  const start = lines.indexOf(HEADING)
  if (start === -1) return [{ path: page.path, line: 1, message: `the heading "${HEADING}" is missing` }]
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  const section = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length)
  const named = section.flatMap((line, index) => namesIn(line).map((name) => ({ name, line: start + 2 + index })))
  const known = new Set(units)
  const missing = units
    .filter((unit) => !named.some(({ name }) => name === unit))
    .map((unit) => ({ path: page.path, line: start + 1, message: `the code map does not name ${unit}` }))
  const unknown = named
    .filter(({ name }) => !known.has(name))
    .map(({ name, line }) => ({ path: page.path, line, message: `the code map names ${name}, which does not exist` }))
  return [...missing, ...unknown]
}

/** Returns the names in backticks in the first cell of a table's row. */
function namesIn(line: string): string[] {
  const [, first = ''] = line.split('|')
  if (!line.startsWith('|')) return []
  return [...first.matchAll(/`([^`]+)`/g)]
    .flatMap(([, names = '']) => names.split(' '))
    .filter((name) => name !== SOURCE)
}

/** The table's own heading names the folder that it is about. */
const SOURCE = 'server/src'
