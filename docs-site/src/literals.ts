// Writes a JSON value as a literal of TypeScript and of Python, as a person would: short ones on one line.

/** A literal that is longer than this is written on several lines. */
const LINE_LENGTH_MAX = 60

interface Dialect {
  readonly indent: string
  key(name: string): string
  scalar(value: unknown): string
  /** Spaces inside the braces of an object on one line. */
  readonly padding: string
}

const quote = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const TYPESCRIPT: Dialect = {
  indent: '  ',
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)),
  scalar: (value) => (typeof value === 'string' ? quote(value) : JSON.stringify(value)),
  padding: ' ',
}

const PYTHON: Dialect = {
  indent: '    ',
  key: (name) => JSON.stringify(name),
  scalar: (value) => {
    if (value === null) return 'None'
    if (typeof value === 'boolean') return value ? 'True' : 'False'
    return JSON.stringify(value)
  },
  padding: '',
}

export function toTypeScript(value: unknown, depth = 0): string {
  return write(value, TYPESCRIPT, depth)
}

export function toPython(value: unknown, depth = 0): string {
  return write(value, PYTHON, depth)
}

function write(value: unknown, dialect: Dialect, depth: number): string {
  if (typeof value !== 'object' || value === null) return dialect.scalar(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((item) => write(item, dialect, depth + 1))
    : Object.entries(value).map(([name, item]) => `${dialect.key(name)}: ${write(item, dialect, depth + 1)}`)
  const [open, close, padding] = isList ? ['[', ']', ''] : ['{', '}', dialect.padding]
  if (parts.length === 0) return open + close
  const line = `${open}${padding}${parts.join(', ')}${padding}${close}`
  if (line.length <= LINE_LENGTH_MAX && !line.includes('\n')) return line
  const inner = dialect.indent.repeat(depth + 1)
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${dialect.indent.repeat(depth)}${close}`
}
