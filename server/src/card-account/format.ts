// Chooses the format of a statement: `format=` first, then the preference in Accept, and JSON by default.
import type { Format } from './rules.ts'

export const CSV_TYPE = 'text/csv'
export const PDF_TYPE = 'application/pdf'
const BY_TYPE: Readonly<Record<string, Format>> = { 'application/json': 'json', [CSV_TYPE]: 'csv', [PDF_TYPE]: 'pdf' }

export function chooseFormat(wanted: Format | undefined, accept: string | undefined): Format {
  if (wanted !== undefined) return wanted
  const ranges = (accept ?? '').split(',').map(parseMediaRange)
  const weightOf = (type: string) => {
    const [major = ''] = type.split('/')
    // The most specific range that matches counts, not the first one (RFC 9110).
    const fitting = [type, `${major}/*`, '*/*'].map((range) => ranges.find((candidate) => candidate.range === range))
    return fitting.find((candidate) => candidate !== undefined)?.weight ?? 0
  }
  const weights = Object.entries(BY_TYPE).map(([type, format]) => ({ format, weight: weightOf(type) }))
  const best = weights.reduce((a, b) => (b.weight > a.weight ? b : a))
  return best.weight > 0 ? best.format : 'json'
}

function parseMediaRange(text: string): { range: string; weight: number } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const weight = quality === undefined ? 1 : Number(quality)
  return { range, weight: Number.isFinite(weight) ? weight : 0 }
}
