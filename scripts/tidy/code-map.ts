// Checks that a code map, a section of a document with tables, names every folder and file that it is about, and nothing else.
import type { Page } from './documents.ts'
import type { Problem } from './source.ts'

/** `units` are folders, with a slash at the end, and files with their extension. `heading` is that of the section. */
export function checkCodeMap(units: readonly string[], page: Page, heading = '## Code map'): Problem[] {
  const lines = page.text.split('\n')
  const start = lines.indexOf(heading)
  if (start === -1) return [{ path: page.path, line: 1, message: `the heading "${heading}" is missing` }]
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
    .filter((name) => !SOURCES.has(name))
}

/** The heading of a table names the folder that it is about. */
const SOURCES = new Set(['server/src', 'console'])
