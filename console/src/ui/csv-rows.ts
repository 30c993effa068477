// Objects of the API as CSV (RFC 4180). The columns are the fields of the objects, as the API names them.
import { toCsvLine } from '@cardstock/sdk/csv'

/** Fields inside a field get a column of their own, such as `holder.name`. Lists and what lies deeper are JSON. */
export function toCsv(rows: readonly object[]): string {
  const flat = rows.map(flatten)
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))]
  return [names, ...flat.map((row) => names.map((name) => row.get(name) ?? ''))].map(toCsvLine).join('')
}

function flatten(row: object): Map<string, string> {
  const cells = new Map<string, string>()
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      for (const [inner, cell] of Object.entries(value)) cells.set(`${name}.${inner}`, toText(cell))
    else cells.set(name, toText(value))
  }
  return cells
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
