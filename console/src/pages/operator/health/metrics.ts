// The figures of the server in the text of /metrics.

export interface Sample {
  readonly atMs: number
  readonly values: ReadonlyMap<string, number>
}

/** Keys are as in the text: the name, with its labels if it has some. */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*(?:\{[^}]*\})?) ([^ ]+)/.exec(line)
    if (match !== null) values.set(match[1] ?? '', Number(match[2]))
  }
  return values
}

/** The sum of a metric over all its labels, or over those that contain a text. */
export function sumOf({ values }: Sample, name: string, label = ''): number {
  let sum = 0
  for (const [key, value] of values) {
    const [found = '', labels = ''] = key.split('{', 2)
    if (found === name && labels.includes(label)) sum += value
  }
  return sum
}

/** Growth per second between two samples. After a restart of the process the counters begin at zero, and the rate is 0. */
export function rateOf(before: Sample, after: Sample, name: string, label = ''): number {
  const seconds = (after.atMs - before.atMs) / 1000
  const growth = sumOf(after, name, label) - sumOf(before, name, label)
  return seconds <= 0 || growth < 0 ? 0 : growth / seconds
}
