// Figures from the text of /metrics.
import { expect, test } from 'vitest'
import { parseMetrics, rateOf, type Sample, sumOf } from './metrics.ts'
import { GROUPS } from './series.ts'

const TEXT = `# HELP calls_total How many calls.
# TYPE calls_total counter
calls_total{status="2xx",route="/a"} 10
calls_total{status="5xx",route="/a"} 2
calls_total_other{status="2xx"} 100
in_flight 3
age_seconds 1.5e-3
broken
`
const sample = (text: string, atMs = 0): Sample => ({ values: parseMetrics(text), atMs })

test('a metric is summed over its labels, without metrics whose names only begin the same', () => {
  expect(sumOf(sample(TEXT), 'calls_total')).toBe(12)
  expect(sumOf(sample(TEXT), 'calls_total', 'status="5xx"')).toBe(2)
  expect([sumOf(sample(TEXT), 'in_flight'), sumOf(sample(TEXT), 'age_seconds'), sumOf(sample(TEXT), 'none')]).toEqual([
    3, 0.0015, 0,
  ])
})

test('a rate is growth per second, and zero after a restart or if no time has passed', () => {
  const before = sample('calls_total 100', 1_000)
  expect(rateOf(before, sample('calls_total 130', 3_000), 'calls_total')).toBe(15)
  expect(rateOf(before, sample('calls_total 5', 3_000), 'calls_total')).toBe(0)
  expect(rateOf(before, sample('calls_total 130', 1_000), 'calls_total')).toBe(0)
})

test('every series is a figure', () => {
  const series = GROUPS.flatMap((group) => group.series)
  for (const { title, at } of series) expect(at(sample(TEXT, 1_000), sample(TEXT)), title).toBe(0)
  const errors = series.find(({ title }) => title.startsWith('Server errors'))
  const count = (failed: number) => `http_request_duration_seconds_count{status="5xx"} ${failed}`
  expect(errors?.at(sample(count(8), 2_000), sample(count(4)))).toBe(2)
})
