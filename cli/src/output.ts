// Prints results: aligned text for people, or exactly one JSON value on standard output for programs. It must not print a
// secret unless the secret is the result.

/** The variables of the environment. */
export type Environ = Readonly<NodeJS.ProcessEnv>

export interface Sink {
  write(text: string | Uint8Array): unknown
  isTTY?: boolean
  /** How many characters a line of the terminal has. */
  columns?: number
}

/** The parts of the process that a command uses. */
export interface Terminal {
  readonly out: Sink
  readonly err: Sink
  readonly environ: Environ
}

export interface Output {
  /** Prints the result of a command: the value with --json, otherwise the text. */
  result(value: unknown, text: () => string): void
  /** Prints one of many results over time: the value on one line with --json, otherwise the text. */
  item(value: unknown, text: () => string): void
  /** Prints bytes of a body as they are, whether or not --json is given. */
  raw(bytes: Uint8Array): void
  /** Prints a remark for people on standard error. */
  note(text: string): void
  readonly paint: Paint
  /** How many characters fit into a line; undefined if it is no terminal, so that a program gets everything. */
  readonly width: number | undefined
}

export type Colour = 'red' | 'green' | 'yellow' | 'bold'
export type Paint = (colour: Colour, text: string) => string

const CODES: Record<Colour, number> = { red: 31, green: 32, yellow: 33, bold: 1 }

export function createOutput({ out, err, environ }: Terminal, { json }: { json: boolean }): Output {
  return {
    result: (value, text) => out.write(json ? `${JSON.stringify(value, null, 2)}\n` : ensureNewline(text())),
    item: (value, text) => out.write(json ? `${JSON.stringify(value)}\n` : ensureNewline(text())),
    raw: (bytes) => out.write(bytes),
    note: (text) => {
      if (!json) err.write(`${text}\n`)
    },
    paint: createPaint(out, environ),
    // A terminal that does not know its width says 0.
    width: out.isTTY === true && out.columns !== 0 ? out.columns : undefined,
  }
}

/** Any non-empty NO_COLOR disables colours; see https://no-color.org. */
export function createPaint(sink: Sink, environ: Environ): Paint {
  const isPlain = sink.isTTY !== true || (environ['NO_COLOR'] ?? '') !== ''
  return (colour, text) => (isPlain ? text : `\u001B[${CODES[colour]}m${text}\u001B[0m`)
}

function ensureNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

export type Cell = string | number | boolean | null | undefined | readonly string[]

/** Returns `label: value` lines with aligned values. */
export function formatFields(fields: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(fields).map((label) => label.length)) + 2
  return Object.entries(fields)
    .map(([label, value]) => `${`${label}:`.padEnd(width)}${formatCell(value)}`)
    .join('\n')
}

export interface Column<Row> {
  readonly title: string
  /** Text for people, which may be cut to fit into the terminal. Ids, amounts and times never are. */
  readonly isText?: true
  cell(row: Row): Cell
}

/** A column is not cut to less, because the rest would say nothing. */
const TEXT_WIDTH_MIN = 8
const GAP = '  '

/** Returns a table whose columns are as wide as their widest cell, or narrower if the line is; the last one is not padded. */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { paint, width }: Pick<Output, 'paint' | 'width'>,
): string {
  if (rows.length === 0) return ''
  const titles = columns.map((column) => column.title)
  const body = rows.map((row) => columns.map((column) => formatCell(column.cell(row))))
  const needed = titles.map((title, index) =>
    Math.max(title.length, ...body.map((cells) => (cells[index] ?? '').length)),
  )
  const widths = width === undefined ? needed : fit(columns, needed, width)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cut(cell, widths[index] ?? 0).padEnd(widths[index] ?? 0))
      .join(GAP)
      .trimEnd()
  return [paint('bold', line(titles)), ...body.map(line)].join('\n')
}

/** Narrows the widest column of text, then the next, until a line fits or nothing more can be cut. */
function fit(columns: readonly Column<never>[], needed: readonly number[], width: number): readonly number[] {
  const widths = [...needed]
  const texts = columns
    .flatMap(({ isText, title }, index) =>
      isText === true ? { index, minimum: Math.max(TEXT_WIDTH_MIN, title.length) } : [],
    )
    .toSorted((one, other) => (needed[other.index] ?? 0) - (needed[one.index] ?? 0))
  for (const { index, minimum } of texts) {
    const excess = widths.reduce((sum, each) => sum + each, GAP.length * (columns.length - 1)) - width
    const own = widths[index] ?? 0
    if (excess > 0 && own > minimum) widths[index] = Math.max(minimum, own - excess)
  }
  return widths
}

/** Never leaves half of a character that takes two units. */
function cut(text: string, width: number): string {
  if (text.length <= width) return text
  return `${text.slice(0, width - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

function formatCell(value: Cell): string {
  if (value === undefined || value === null || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object') return value.length === 0 ? '-' : value.map(clean).join(' ')
  return clean(String(value))
}

/** Replaces control characters: a name with escape sequences must not control the operator's terminal. */
export function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD')
}
