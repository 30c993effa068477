// Finds the small changes of a TypeScript source that tests should notice, those of its SQL included.
import { parseAst } from 'vite'
import type { Change } from './mutant.ts'
import { mutateSql } from './sql-mutators.ts'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const BINARY = new Map<string, readonly string[]>([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['/']],
  ['/', ['*']],
  ['%', ['*']],
])
const LOGICAL = new Map<string, string>([
  ['&&', '||'],
  ['||', '&&'],
  ['??', '&&'],
])
const METHODS = new Map<string, string>([
  ['min', 'max'],
  ['max', 'min'],
  ['some', 'every'],
  ['every', 'some'],
])
/** Nodes without anything that runs, or that only describe. */
const PASSED_OVER = /^(?:TS(?!AsExpression|NonNull|Satisfies)|Import|ExportAll)/
/** What these do is not a promise to anybody. An invariant only stops what cannot happen. */
const UNPROMISED = /^(?:(?:deps\.|#)?log\.|invariant\()|\.unref\(\)$/

export function mutateTypeScript(text: string): Change[] {
  const changes: Change[] = []
  const visit = (node: Node, parent: Node | undefined): void => {
    if (PASSED_OVER.test(node.type) || onlyLogs(text, node)) return
    changes.push(...changesOf(text, node, parent))
    if (isSql(text, node)) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'returnType' || key === 'typeArguments' || key === 'typeParameters')
        continue
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node)
    }
  }
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, undefined)
  return changes
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** An `if` that only decides whether a line is logged. */
function onlyLogs(text: string, node: Node): boolean {
  const consequent = node['consequent'] as Node
  return node.type === 'IfStatement' && node['alternate'] === null && text.startsWith('log.', consequent.start)
}

function isSql(text: string, { type, start }: Node): boolean {
  return type === 'TaggedTemplateExpression' && text.startsWith('sql`', start)
}

function changesOf(text: string, node: Node, parent: Node | undefined): Change[] {
  switch (node.type) {
    case 'BinaryExpression':
      return changeBinary(text, node)
    case 'LogicalExpression':
      return changeSign(text, node, [LOGICAL.get(String(node['operator'])) ?? '&&'])
    case 'ConditionalExpression':
    case 'IfStatement':
      return decide(node['test'] as Node)
    case 'WhileStatement':
      return [{ ...spanOf(node['test'] as Node), replacement: 'false' }]
    case 'UnaryExpression':
      return node['operator'] === '!' ? [{ start: node.start, end: node.start + 1, replacement: '' }] : []
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [{ ...spanOf(node), replacement: String(!node['value']) }] : []
    case 'AssignmentExpression':
      return changeAssignment(text, node)
    case 'ExpressionStatement':
      return dropStatement(text, node, parent)
    case 'CallExpression':
      return changeCall(text, node)
    case 'TaggedTemplateExpression':
      return isSql(text, node) ? changeSql(text, node['quasi'] as Node) : []
    default:
      return []
  }
}

function spanOf({ start, end }: Node): { start: number; end: number } {
  return { start, end }
}

function changeBinary(text: string, node: Node): Change[] {
  const isText = [node['left'], node['right']].some(
    (side) => isNode(side) && (side.type === 'TemplateLiteral' || typeof side['value'] === 'string'),
  )
  if (node['operator'] === '+' && isText) return []
  return changeSign(text, node, BINARY.get(String(node['operator'])) ?? [])
}

/** Replaces the sign between the two sides. */
function changeSign(text: string, node: Node, others: readonly string[]): Change[] {
  const sign = String(node['operator'])
  const start = text.indexOf(sign, (node['left'] as Node).end)
  return others.map((replacement) => ({ start, end: start + sign.length, replacement }))
}

function decide(test: Node): Change[] {
  return ['true', 'false'].map((replacement) => ({ ...spanOf(test), replacement }))
}

function changeAssignment(text: string, node: Node): Change[] {
  const other = { '+=': '-=', '-=': '+=' }[String(node['operator'])]
  return other === undefined ? [] : changeSign(text, node, [other])
}

function dropStatement(text: string, node: Node, parent: Node | undefined): Change[] {
  const source = text.slice(node.start, node.end)
  if (typeof node['directive'] === 'string' || UNPROMISED.test(source)) return []
  const replacement = parent?.type === 'BlockStatement' || parent?.type === 'Program' ? '' : ';'
  return [{ ...spanOf(node), replacement }]
}

function changeCall(text: string, node: Node): Change[] {
  const callee = node['callee'] as Node
  if (callee.type !== 'MemberExpression') return []
  const property = callee['property'] as Node
  const name = text.slice(property.start, property.end)
  const other = METHODS.get(name)
  if (other !== undefined) return [{ ...spanOf(property), replacement: other }]
  if (name !== 'filter') return []
  // All elements instead of some.
  return [{ start: (callee['object'] as Node).end, end: node.end, replacement: '' }]
}

/** The values between the pieces of the statement stay as they are. */
function changeSql(text: string, quasi: Node): Change[] {
  const first = quasi.start + 1
  const masked = maskValues(text, quasi)
  return mutateSql(masked).map(({ start, end, replacement }) => {
    // A replacement that repeats a part of the statement gets the values of that part back.
    const at = replacement.includes('${') ? masked.indexOf(replacement.slice(1, -1), start) : -1
    const repeated = at === -1 ? replacement : `(${text.slice(first + at, first + at + replacement.length - 2)})`
    return { start: first + start, end: first + end, replacement: repeated }
  })
}

/** The text of the template with `${000}` in place of each value, so that places stay the same. */
function maskValues(text: string, quasi: Node): string {
  let masked = text.slice(0, quasi.end - 1)
  for (const value of quasi['expressions'] as Node[]) {
    const start = text.lastIndexOf('${', value.start)
    const end = text.indexOf('}', value.end) + 1
    masked = `${masked.slice(0, start)}\${${'0'.repeat(end - start - 3)}}${masked.slice(end)}`
  }
  return masked.slice(quasi.start + 1)
}
