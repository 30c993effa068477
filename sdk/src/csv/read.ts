// Reads CSV (RFC 4180), as spreadsheets and `write.ts` write it.
import { isFormula } from './write.ts'

/** Programs that export from a spreadsheet put it before the first cell. */
const BYTE_ORDER_MARK = '\uFEFF'

/** The file is not CSV. */
export class CsvError extends Error {
  override name = 'CsvError'
}

/**
 * Returns the cells of every line, without white space around them. The separator is a comma or, as spreadsheets of many countries write it, a
 * semicolon: whichever the first line has more often. Throws CsvError when a quotation has no end.
 */
export function parseCsv(text: string): string[][] {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
  const reader = { content, at: 0, separator: findSeparator(content) }
  const lines: string[][] = []
  while (reader.at < content.length) lines.push(readLine(reader))
  return lines
}

interface Reader {
  readonly content: string
  readonly separator: string
  at: number
}

function findSeparator(content: string): string {
  const [first = ''] = content.split('\n', 1)
  return first.split(';').length > first.split(',').length ? ';' : ','
}

function readLine(reader: Reader): string[] {
  const cells: string[] = []
  for (;;) {
    cells.push(readCell(reader))
    const end = reader.content[reader.at]
    reader.at += 1
    if (end === reader.separator) continue
    if (end === '\r' && reader.content[reader.at] === '\n') reader.at += 1
    return cells
  }
}

/** Reads up to the separator, the end of the line or the end of the file. */
function readCell(reader: Reader): string {
  const { content, separator } = reader
  let cell = ''
  while (reader.at < content.length) {
    const character = content[reader.at] ?? ''
    if (character === separator || character === '\n' || character === '\r') break
    if (character === '"' && cell.trim() === '') {
      cell = readQuotation(reader)
      continue
    }
    cell += character
    reader.at += 1
  }
  const trimmed = cell.trim()
  return trimmed.startsWith("'") && isFormula(trimmed) ? trimmed.slice(1) : trimmed
}

/** Two quotation marks inside of a quotation stand for one. */
function readQuotation(reader: Reader): string {
  const { content } = reader
  const start = reader.at
  let text = ''
  for (let from = start + 1; ;) {
    const end = content.indexOf('"', from)
    if (end === -1) {
      const line = content.slice(0, start).split('\n').length
      throw new CsvError(`The quotation mark in line ${line} has no second one. Add it, or remove the first.`)
    }
    text += content.slice(from, end)
    reader.at = end + 1
    if (content[end + 1] !== '"') return text
    text += '"'
    from = end + 2
  }
}
