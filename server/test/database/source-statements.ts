// Finds every sql`…` template in the sources by reading them, with the comment and the name of the function around it.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export interface SourceStatement {
  /** `access/queries.ts:42 findCaller` */
  place: string
  /** The function's documentation and its body up to the statement. */
  context: string
  /** With every ${…} as $1, $2, … */
  text: string
}

export function findStatements(folder: string): SourceStatement[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('queries.ts'))
  const sources = new Map(files.toSorted().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  const fragments = fragmentsIn([...sources.values()])
  return [...sources].flatMap(([name, source]) => {
    return statementsIn(source, fragments).map(({ at, text }) => {
      const { name: within, context } = functionAround(source, at)
      const line = source.slice(0, at).split('\n').length
      return { place: `${relative(folder, join(folder, name))}:${line} ${within}`, context, text }
    })
  })
}

/** Returns the named pieces of SQL that statements share. Their names are unique in the whole server. */
function fragmentsIn(sources: readonly string[]): Map<string, string> {
  const all = sources.join('\n')
  const found = new Map<string, string>()
  for (const [, name = '', text = ''] of all.matchAll(/\bconst (\w+) = fragment`([^`]*)`/g)) {
    if (found.has(name)) throw new Error(`two fragments are called ${name}`)
    found.set(
      name,
      text.replaceAll(/\$\{(\w+)\}/g, (_, other: string) => found.get(other) ?? ''),
    )
  }
  for (const [, name = '', alias = '', of = ''] of all.matchAll(/\bconst (\w+) = aliased\('(\w+)', (\w+)\)/g))
    found.set(name, (found.get(of) ?? '').replaceAll(/\w+/g, `${alias}.$&`))
  return found
}

export function statementsIn(
  source: string,
  fragments: ReadonlyMap<string, string> = new Map(),
): { at: number; text: string }[] {
  const found: { at: number; text: string }[] = []
  const opening = 'sql`'
  for (let at = source.indexOf(opening); at !== -1; at = source.indexOf(opening, at + 1)) {
    found.push({ at, text: readTemplate(source, at + opening.length, fragments) })
  }
  return found
}

/** The template's text from here to its closing backtick; expressions may nest braces, quotes and templates. */
function readTemplate(source: string, start: number, fragments: ReadonlyMap<string, string>): string {
  let text = ''
  let parameters = 0
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '`') return text
    if (source.startsWith('${', at)) {
      const end = endOfExpression(source, at + 2)
      const piece = fragments.get(source.slice(at + 2, end))
      if (piece === undefined) parameters += 1
      text += piece ?? `$${parameters}`
      at = end
    } else {
      text += source[at]
    }
  }
  throw new Error('a template does not end')
}

function endOfExpression(source: string, start: number): number {
  let depth = 1
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1
    if (source[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  throw new Error('an expression does not end')
}

function functionAround(source: string, at: number): { name: string; context: string } {
  const before = source.slice(0, at)
  const start = Math.max(
    before.lastIndexOf('\nexport '),
    before.lastIndexOf('\nfunction '),
    before.lastIndexOf('\nasync function '),
  )
  const previousEnd = before.lastIndexOf('\n}', start)
  const context = before.slice(Math.max(0, previousEnd))
  return { name: /function (\w+)/.exec(before.slice(start))?.[1] ?? '(module)', context }
}
