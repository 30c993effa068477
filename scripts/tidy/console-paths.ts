// Finds URLs of the console that are written outside console/src/paths.ts, where they are all made.
import { isTest, lineOf, type Problem, type Source } from './source.ts'

const HOME = 'console/src/paths.ts'
/** What begins like a path and is not one of the console's: the API, which samples show, and files. */
const OTHERS = /^\/(?:api|admin|console)\/v1\b|^\/assets\//

/** Strings and templates, whose text is blank in the code of a source. */
const LITERAL = /(['"`])\s*\1/g

export function findConsolePaths(source: Source): Problem[] {
  if (!source.path.startsWith('console/src/') || source.path === HOME || isTest(source.path)) return []
  return [...source.code.matchAll(LITERAL)]
    .map(({ index, 0: literal }) => ({ index, text: source.text.slice(index + 1, index + literal.length - 1) }))
    .filter(({ text }) => /^\/[\w$]/.test(text) && !OTHERS.test(text))
    .map(({ index, text }) => ({
      path: source.path,
      line: lineOf(source.text, index),
      message: `the URL ${text} is written here; make it in ${HOME} and call its function`,
    }))
}
