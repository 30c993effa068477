// `npm run capacity`: predicts the rate of accepts, the storage and the cost of clusters of 1 to 64 nodes. It is a model, not a measurement;
// docs/scaling.md says where its constants come from.
import { parseArgs } from 'node:util'
import { CONSTANTS, type Options, predict, type Prediction } from './capacity/model.ts'

const NODES = [1, 2, 4, 8, 16, 32, 64]
const USAGE = `usage: npm run capacity -- [--batch OPERATIONS] [--cores PER_NODE] [--core-hour PRICE] [--gigabyte-month PRICE] [--json]`

/** The prices are examples in any currency, for a comparison of the rows. */
const DEFAULTS = { batch: '64', cores: '4', 'core-hour': '0.04', 'gigabyte-month': '0.1' }

function readFlags(words: readonly string[]): { isJson: boolean; options: Options } {
  const { values } = parseArgs({
    args: [...words],
    options: {
      batch: { type: 'string' },
      cores: { type: 'string' },
      'core-hour': { type: 'string' },
      'gigabyte-month': { type: 'string' },
      json: { type: 'boolean' },
    },
  })
  const given = { ...DEFAULTS, ...values }
  return {
    isJson: values.json === true,
    options: {
      batch: readNumber('--batch', given.batch, { min: 1, max: 256 }),
      coresPerNode: readNumber('--cores', given.cores, { min: 1, max: 1_024 }),
      coreHour: readNumber('--core-hour', given['core-hour'], { min: 0, max: 1e6 }),
      gigabyteMonth: readNumber('--gigabyte-month', given['gigabyte-month'], { min: 0, max: 1e6 }),
    },
  }
}

function readNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= min && value <= max)) {
    throw new Error(`${name} must be a number from ${min} to ${max}, not ${text}`)
  }
  return value
}

function toTable(rows: readonly Prediction[]): string {
  const head = ['nodes', 'accepts/s', 'limited by', 'server cores', 'GB per million', 'cost per million']
  const lines = rows.map((row) => [
    String(row.nodes),
    String(Math.round(row.acceptsPerSecond)),
    row.limit,
    String(row.serverCores),
    row.gigabytesPerMillion.toFixed(1),
    row.costPerMillion.toFixed(3),
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => line[column]?.length ?? 0)))
  const toLine = (line: readonly string[]) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')
  return [toLine(head), ...lines.map(toLine)].join('\n')
}

try {
  const { isJson, options } = readFlags(process.argv.slice(2))
  const predictions = NODES.map((nodes) => predict(nodes, options))
  if (isJson) process.stdout.write(`${JSON.stringify({ constants: CONSTANTS, options, predictions })}\n`)
  else process.stdout.write(`A model, not a measurement; see docs/scaling.md.\n\n${toTable(predictions)}\n`)
} catch (error) {
  process.stderr.write(`capacity: ${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
  process.exitCode = 2
}
