// Checks the shape of files: their length, the comment at their top, and that they are not barrels.
import { isTest, lineOf, type Problem, problemsAt, type Source } from './source.ts'

/** A file that needs more scrolling than this has two subjects. */
const FILE_LINES_MAX = 300
const FUNCTION_LINES_MAX = 60
const PACKAGE_INDEX = /^(sdk|cli|private-postgres)\/src\/index\.ts$|^sdk\/src\/(bulk|csv|mock|statements)\.ts$/

export function findShapeProblems(source: Source): Problem[] {
  const { path, text } = source
  const problem = (message: string, line = 1) => ({ path, line, message })
  const problems: Problem[] = []
  const body = text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text
  if (!/^(\/\/|\/\*)/.test(body)) problems.push(problem('does not begin with a comment that says what the file is for'))
  for (const { index } of text.matchAll(new RegExp(String.raw`\b(TO${''}DO|FIX${''}ME)\b`, 'g'))) {
    problems.push(problem('deferred work belongs in an issue, not in the code', lineOf(text, index)))
  }
  if (isTest(path) || path.includes('/generated/')) return problems
  const lines = text.split('\n').length - 1
  if (lines > FILE_LINES_MAX) problems.push(problem(`has ${lines} lines; the maximum is ${FILE_LINES_MAX}`))
  return [...problems, ...findBarrels(source), ...findLongFunctions(source)]
}

/** The index of a package may re-export others, because it defines the package. */
function findBarrels(source: Source): Problem[] {
  if (PACKAGE_INDEX.test(source.path)) return []
  const stars = problemsAt(
    source,
    /^export \* from/gm,
    'this file only re-exports others: import from the file that defines the name',
  )
  const statements = source.code.split('\n').filter((line) => line.trim() !== '')
  const isBarrel =
    statements.length > 0 && statements.every((line) => /^export .*\bfrom ''|^export .*\bfrom ' *'/.test(line))
  if (!isBarrel || stars.length > 0) return stars
  return [
    {
      path: source.path,
      line: 1,
      message: 'this file only re-exports others: import from the file that defines the name',
    },
  ]
}

/**
 * Checks named functions at the left margin, which all longer functions are. Lists of routes may be longer, because they are
 * data inside a function.
 */
function findLongFunctions({ path, code }: Source): Problem[] {
  if (path.endsWith('routes.ts')) return []
  const starts = code.matchAll(
    /^(?:export )?(?:default )?(?:async )?(?:function\*? (\w+)|const (\w+) = (?:async )?(?:<[^>]*>)?\([^\n]*=> \{$)/gm,
  )
  return [...starts].flatMap((match) => {
    const first = lineOf(code, match.index)
    const end = /^\}/m.exec(code.slice(match.index))
    if (end === null) return []
    const length = lineOf(code, match.index + end.index) - first + 1
    const name = match[1] ?? match[2] ?? ''
    return length > FUNCTION_LINES_MAX
      ? [{ path, line: first, message: `${name} has ${length} lines; the maximum is ${FUNCTION_LINES_MAX}` }]
      : []
  })
}
