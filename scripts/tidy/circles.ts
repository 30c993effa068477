// Finds circles of imports: files that import each other, directly or through others. Which of them runs first then depends on who is
// imported first, and a constant may be read before it has a value. Imports of types do not count, because they are erased. Imports on
// demand count: such a circle is harmless until somebody writes the import at the top.
import { dirname, join } from 'node:path/posix'
import { isTest, lineOf, type Problem, type Source } from './source.ts'

const IMPORT = /(?:^(?:import|export)\s+(?!type\s)(?:[^'"]*?\sfrom\s+)?|\bimport\(\s*)['"]((?:\.|~\/)[^'"]+)['"]/gm
/** The folder that `~/` stands for. */
const CONSOLE = 'console/src'

interface Edge {
  readonly target: string
  readonly line: number
}

/** Returns a problem for each circle, at the import that closes it. */
export function findImportCircles(sources: readonly Source[]): Problem[] {
  const edges = new Map(sources.filter(({ path }) => !isTest(path)).map((source) => [source.path, edgesOf(source)]))
  const problems: Problem[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    if (done.has(path)) return
    const here = [...trail, path]
    for (const { target, line } of edges.get(path) ?? []) {
      const start = here.indexOf(target)
      if (start === -1) visit(target, here)
      else problems.push({ path, line, message: `circle of imports: ${[...here.slice(start), target].join(' → ')}` })
    }
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return problems
}

function edgesOf({ path, text }: Source): Edge[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? ''
    const target = name.startsWith('~/') ? join(CONSOLE, name.slice(2)) : join(dirname(path), name)
    return { target, line: lineOf(text, match.index) }
  })
}
