// Finds the small changes of a piece of SQL that tests should notice.
import type { Change } from './mutant.ts'
import { type Token, tokenize } from './sql-tokens.ts'

const OPERATORS = new Map<string, readonly string[]>([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['=', ['<>']],
  ['<>', ['=']],
  ['+', ['-']],
  ['-', ['+']],
])
const WORDS = new Map<string, string>([
  ['and', 'or'],
  ['or', 'and'],
  ['true', 'false'],
  ['false', 'true'],
])
const CALLS = new Map<string, string>([
  ['least', 'greatest'],
  ['greatest', 'least'],
  ['min', 'max'],
  ['max', 'min'],
  ['bool_or', 'bool_and'],
  ['bool_and', 'bool_or'],
])
/** What ends a condition, at its own depth. */
const ENDS = new Set(
  'and or where on group order limit returning for union join left inner cross window having then loop when else end from set offset as ; ,'.split(
    ' ',
  ),
)
/** In `select 1` the number means nothing. `offset 0` keeps the planner from merging queries. */
const IGNORED_BEFORE_NUMBERS = new Set(['select', 'perform', 'offset'])
/** Statements of a function that can be left out. */
const OPTIONAL_STATEMENTS = new Set(['perform', 'raise'])

export function mutateSql(text: string): Change[] {
  const tokens = tokenize(text)
  const changes: Change[] = []
  for (const [index, token] of tokens.entries()) {
    changes.push(
      ...changeOperator(tokens, index),
      ...changeWord(tokens, index),
      ...dropCondition(tokens, index),
      ...dropLock(tokens, index),
      ...dropStatement(tokens, index),
      ...decide(tokens, index),
      ...dropDefault(text, tokens, index),
    )
    if (token.kind === 'number' && !IGNORED_BEFORE_NUMBERS.has(tokens[index - 1]?.text ?? ''))
      changes.push(replace(token, String(Number(token.text) + 1)))
  }
  return changes
}

function replace({ start, end }: Pick<Token, 'start' | 'end'>, replacement: string): Change {
  return { start, end, replacement }
}

function changeOperator(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const others = OPERATORS.get(token.text)
  const before = tokens[index - 1]
  const isBinary = before !== undefined && (before.text === ')' || before.text === ']' || before.kind !== 'bracket')
  if (token.kind !== 'operator' || others === undefined || !isBinary || isAssignment(tokens, index)) return []
  // Text is joined with ||, so that + and - are between numbers or times.
  return others.map((other) => replace(token, other))
}

/** In `update … set a = b` the sign is no comparison. */
function isAssignment(tokens: readonly Token[], index: number): boolean {
  const { text, depth } = tokens[index] as Token
  if (text !== '=') return false
  const before = tokens[index - 2]?.text
  if (before === 'set') return true
  if (before !== ',') return false
  for (let at = index - 2; at >= 0; at -= 1) {
    const token = tokens[at] as Token
    if (token.depth < depth) return false
    if (token.depth > depth) continue
    if (token.text === 'set') return true
    if (['select', 'where', 'from', 'values', 'returning', ';'].includes(token.text)) return false
  }
  return false
}

function changeWord(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const next = tokens[index + 1]
  if (token.kind !== 'word') return []
  if (token.text === 'and' && isBetween(tokens, index)) return []
  const word = WORDS.get(token.text)
  if (word !== undefined) return [replace(token, word)]
  const call = CALLS.get(token.text)
  if (call !== undefined && next?.text === '(') return [replace(token, call)]
  if (token.text === 'is' && next?.text === 'null') return [replace(token, 'is not')]
  if (token.text === 'is' && next?.text === 'not') return [replace({ start: token.start, end: next.end }, 'is')]
  if (token.text === 'is' && next?.text === 'distinct') return [replace(token, 'is not')]
  if (token.text === 'not' && tokens[index - 1]?.text !== 'is') return [replace(token, '')]
  if (token.text === 'exists' && next?.text === '(' && tokens[index - 1]?.text !== 'not')
    return [replace(token, 'not exists')]
  if (token.text === 'desc') return [replace(token, 'asc')]
  return []
}

function isBetween(tokens: readonly Token[], index: number): boolean {
  const { depth } = tokens[index] as Token
  for (let at = index - 1; at >= 0; at -= 1) {
    const token = tokens[at] as Token
    if (token.depth < depth) return false
    if (token.depth > depth) continue
    if (token.text === 'between') return true
    if (ENDS.has(token.text)) return false
  }
  return false
}

function endOfCondition(tokens: readonly Token[], from: number, depth: number): Token | undefined {
  let isPair = false
  for (const token of tokens.slice(from)) {
    // A bracket that was opened within the condition is closed at the same depth.
    if (token.depth < depth) return token
    if (token.depth !== depth) continue
    if (token.text === 'between') isPair = true
    else if (isPair && token.text === 'and') isPair = false
    else if (ENDS.has(token.text)) return token
  }
  return undefined
}

/** A condition holds whatever the rows are. */
function dropCondition(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const first = tokens[index + 1]
  if (first === undefined || !['where', 'and', 'on'].includes(token.text)) return []
  if (token.text === 'and' && isBetween(tokens, index)) return []
  if (token.text === 'on' && first.text === 'conflict') return []
  const last = lastBefore(tokens, endOfCondition(tokens, index + 1, token.depth))
  // `join lateral … on true` has no condition.
  if (first === last && first.text === 'true') return []
  return last === undefined ? [] : [{ start: first.start, end: last.end, replacement: 'true' }]
}

function lastBefore(tokens: readonly Token[], end: Token | undefined): Token | undefined {
  return end === undefined ? tokens.at(-1) : tokens[tokens.indexOf(end) - 1]
}

function dropLock(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const rest = tokens.slice(index, index + 8)
  if (token.text === 'skip' && rest[1]?.text === 'locked')
    return [{ start: token.start, end: rest[1].end, replacement: '' }]
  if (token.text !== 'for' || !['update', 'no', 'share', 'key'].includes(rest[1]?.text ?? '')) return []
  const parts = new Set(['for', 'no', 'key', 'update', 'share', 'of', 'skip', 'locked', 'nowait'])
  let last = token
  for (const [at, part] of rest.entries()) {
    if (!parts.has(part.text) && rest[at - 1]?.text !== 'of') break
    last = part
  }
  return [{ start: token.start, end: last.end, replacement: '' }]
}

function dropStatement(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const before = tokens[index - 1]?.text
  const begins = before === undefined || [';', 'then', 'else', 'loop', 'begin'].includes(before)
  const isAssigned = token.kind === 'word' && tokens[index + 1]?.text === ':='
  if (!begins || (!OPTIONAL_STATEMENTS.has(token.text) && !isAssigned)) return []
  const end = tokens.slice(index).find(({ text, depth }) => text === ';' && depth === token.depth)
  return end === undefined ? [] : [{ start: token.start, end: end.start, replacement: 'null' }]
}

/** A branch is always or never taken. */
function decide(tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const isCase = token.text === 'when'
  if (!isCase && token.text !== 'if' && token.text !== 'elsif') return []
  if (tokens[index - 1]?.text === 'end') return []
  const then = tokens.findIndex(({ text, depth }, at) => at > index && text === 'then' && depth === token.depth)
  const first = tokens[index + 1]
  const last = tokens[then - 1]
  if (then === -1 || first === undefined || last === undefined) return []
  // In `case x when 'value' then` there is no condition.
  if (first === last && first.kind !== 'word') return []
  const span = { start: first.start, end: last.end }
  return [replace(span, 'false'), replace(span, 'true')]
}

/** `coalesce(a, b)` becomes `(a)`. */
function dropDefault(text: string, tokens: readonly Token[], index: number): Change[] {
  const token = tokens[index] as Token
  const open = tokens[index + 1]
  if (token.text !== 'coalesce' || open?.text !== '(') return []
  const inner = token.depth + 1
  const rest = tokens.slice(index + 2)
  const comma = rest.find(({ text: each, depth }) => each === ',' && depth === inner)
  const close = rest.find(({ text: each, depth }) => each === ')' && depth === token.depth)
  if (comma === undefined || close === undefined) return []
  return [{ start: token.start, end: close.end, replacement: `(${text.slice(open.end, comma.start)})` }]
}
