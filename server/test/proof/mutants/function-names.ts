// Names the function around a place in a TypeScript source, as the runtime's coverage names it.
import { parseAst } from 'vite'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Named {
  readonly name: string
  readonly start: number
  readonly end: number
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** Returns a function that finds the name of the innermost named function; undefined outside of all functions. */
export function functionNamesOf(text: string): (at: number) => string | undefined {
  const found: Named[] = []
  const visit = (node: Node, parent: Node | undefined): void => {
    const name = FUNCTIONS.has(node.type) ? nameOf(node, parent) : undefined
    if (name !== undefined) found.push({ name, start: node.start, end: node.end })
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node)
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, undefined)
  const bySize = found.toSorted((a, b) => a.end - a.start - (b.end - b.start))
  return (at) => bySize.find(({ start, end }) => start <= at && at < end)?.name
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Where the name of a function without one of its own comes from. */
const OWNERS = new Map([
  ['VariableDeclarator', 'id'],
  ['Property', 'key'],
  ['MethodDefinition', 'key'],
  ['PropertyDefinition', 'key'],
])

function nameOf(node: Node, parent: Node | undefined): string | undefined {
  const own = node['id'] ?? (parent?.['computed'] === true ? undefined : parent?.[OWNERS.get(parent.type) ?? ''])
  if (!isNode(own) || typeof own['name'] !== 'string') return undefined
  return own.type === 'PrivateIdentifier' ? `#${own['name']}` : own['name']
}
