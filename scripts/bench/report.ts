// Prints one table of ratios with their targets, and the same figures as an object. Absolute rates are shown for
// information: they depend on the machine and the moment.
import { ALONE, BESIDE_REPEATS } from './repeats.ts'
import { format, type Rounds } from './rounds.ts'
import type { AcceptFigures } from './accepting.ts'

export interface Row {
  readonly key: string
  readonly text: string
  readonly value: number
  readonly target: { readonly atLeast?: number; readonly atMost?: number; readonly below?: number }
  readonly spread?: [number, number]
  readonly rates: string
}

export interface Figures extends AcceptFigures {
  settleRates: [size: number, rate: number][]
}

export function toRows(rounds: Rounds, { halfLoad, rssMb }: Figures): Row[] {
  const ratio = (key: string, text: string, [name, base]: [string, string], target: Row['target']): Row => ({
    key,
    text,
    value: rounds.ratio(name, base),
    spread: rounds.spread(name, base),
    rates: `${format(rounds.median(name))} : ${format(rounds.median(base))}`,
    target,
  })
  const [e256, e64] = ['engine, 256 connections', 'engine, 64 connections'] as const
  return [
    ratio('vsStub256', 'engine : database stubbed out, 256 connections', [e256, 'stub, 256 connections'], {
      atLeast: 0.8,
    }),
    ratio('vsNaive64', 'engine : transaction per request, 64 connections', [e64, 'naive, 64 connections'], {
      atLeast: 5,
    }),
    ratio(
      'vsNaive256',
      'engine : transaction per request, 256 connections',
      ['engine beside naive, 256 connections', 'naive, 256 connections'],
      { atLeast: 6 },
    ),
    ratio('hotVsSpread', 'one hot account : a thousand, 64 connections', ['one hot account', e64], { atLeast: 0.95 }),
    ratio('mix10VsClean', '10 % short of funds : none, 64 connections', ['10 % refused', e64], { atLeast: 0.85 }),
    ratio('besideRepeats', 'beside a client that repeats keys : alone', [BESIDE_REPEATS, ALONE], { atLeast: 0.9 }),
    ratio('workOffVsAccept', 'working off : accepting', ['working off', 'filling the queue'], { atLeast: 0.7 }),
    ratio(
      'claimMillionVsThousand',
      'cost of a claim, a million queued : a thousand',
      ['claim of a million, ms', 'claim of a thousand, ms'],
      { atMost: 1.3 },
    ),
    ratio(
      'besideMillionVsAlone',
      'time of one operation, beside a million : alone',
      ['one operation beside a million, ms', 'one operation alone, ms'],
      {},
    ),
    ratio(
      'listMillionVsTenThousand',
      'pages of a list, a million operations : ten thousand',
      ['pages of a million', 'pages of ten thousand'],
      { atLeast: 0.95 },
    ),
    { key: 'rssMb', text: 'resident memory under load, MB', value: rssMb, rates: '', target: { below: 150 } },
    ...(['rested', 'busy'] as const).map((state) => ({
      key: state === 'rested' ? 'p99HalfLoadMs' : 'p99HalfLoadBusyMs',
      text: `p99 at half load, ${state} database, ms`,
      value: halfLoad[state].p99Ms,
      rates: `p50 ${format(halfLoad[state].p50Ms)} at ${format(halfLoad.rate)}/s`,
      target: {},
    })),
  ]
}

export function toJson(rows: readonly Row[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ key, value }) => [key, Number(value.toFixed(3))]))
}

export function toTable(
  rows: readonly Row[],
  { directRate, settleRates }: Figures,
  conditions: readonly string[],
): string {
  const others: [string, string][] = [
    ['accept_operation called directly, 64 clients, no HTTP', `${format(directRate)}/s`],
    ...settleRates.map(([size, rate]): [string, string] => [`settling in batches of ${size}`, `${format(rate)}/s`]),
  ]
  return [...drawTable(rows, others), '', ...conditions].join('\n')
}

/** Returns the lines of a Markdown table: the rows, then the figures that are for information only. */
export function drawTable(rows: readonly Row[], others: readonly [text: string, value: string][]): string[] {
  const cells = [
    ['measure', 'key', 'value', 'target', '', 'rounds', 'for information'],
    ...rows.map((row) => [
      row.text,
      row.key,
      format(row.value),
      targetText(row.target),
      verdict(row),
      row.spread === undefined ? '' : `${format(row.spread[0])}–${format(row.spread[1])}`,
      row.rates,
    ]),
    ...others.map(([text, value]) => [text, '', '', '', '', '', value]),
  ]
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  return lines
}

function targetText({ atLeast, atMost, below }: Row['target']): string {
  if (atLeast !== undefined) return `≥ ${atLeast}`
  if (atMost !== undefined) return `≤ ${atMost}`
  return below === undefined ? '' : `< ${below}`
}

function verdict({ value, target: { atLeast, atMost, below } }: Row): string {
  if (atLeast === undefined && atMost === undefined && below === undefined) return ''
  const isMet = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity) && value < (below ?? Infinity)
  return isMet ? 'pass' : 'miss'
}
