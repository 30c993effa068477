// Splits SQL into the words, numbers, operators and brackets that a mutant may change.

export interface Token {
  readonly text: string
  readonly kind: 'word' | 'number' | 'operator' | 'bracket' | 'literal'
  readonly start: number
  readonly end: number
  /** How many round brackets are open before it. */
  readonly depth: number
}

const PATTERN =
  /(?<skip>\s+|--[^\n]*|\$\$)|(?<literal>'(?:[^']|'')*'|\$\{0+\}|\$\d+)|(?<word>[a-z_][\w.]*)|(?<number>\d+)|(?<operator>:=|=>|::|<=|>=|<>|\|\||->>?|\?[|&]?|[<>=+\-*/%|&])|(?<bracket>[()[\]{},;:#@.])/iy

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  PATTERN.lastIndex = 0
  while (PATTERN.lastIndex < text.length) {
    const start = PATTERN.lastIndex
    const found = PATTERN.exec(text)
    if (found === null) throw new Error(`No token at "${text.slice(start, start + 30)}".`)
    const [kind, value] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? []
    if (kind === undefined || kind === 'skip') continue
    if (value === ')') depth -= 1
    const lower = kind === 'word' ? String(value).toLowerCase() : String(value)
    tokens.push({ text: lower, kind: kind as Token['kind'], start, end: start + lower.length, depth })
    if (value === '(') depth += 1
  }
  return tokens
}
