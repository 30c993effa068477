// How many mutants were noticed, and which were not.
import { findReason } from './equivalent.ts'
import type { Line } from './journal.ts'
import { domainOf } from './tests.ts'

export const SCORE_MIN = 0.9

/** The share of noticed mutants. Those that are invalid, or change nothing that anybody could see, do not count. */
export function scoreOf(lines: readonly Line[]): number {
  const counted = lines.filter(isCounted)
  return counted.length === 0 ? 1 : counted.filter(({ kind }) => kind === 'noticed').length / counted.length
}

function isCounted({ name, kind }: Line): boolean {
  return kind !== 'invalid' && !(kind === 'survived' && findReason(name) !== undefined)
}

export function reportScore(lines: readonly Line[], made: number): string[] {
  const survivors = lines.filter((line) => line.kind === 'survived' && isCounted(line))
  const partOf = ({ name }: Line) => `${domainOf(name)}, ${name.startsWith('sql/') ? 'SQL' : 'TypeScript'}`
  const parts = [...new Set(lines.map(partOf))].toSorted()
  return [
    ...(survivors.length === 0 ? [] : ['', 'Nothing noticed:', ...survivors.map(({ name }) => `  ${name}`)]),
    '',
    '| Part | Tried | Noticed | Not noticed | Equivalent | Invalid | Score |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...parts.map((part) =>
      rowOf(
        part,
        lines.filter((line) => partOf(line) === part),
      ),
    ),
    rowOf('all', lines),
    `${lines.length} of ${made} mutants were tried.`,
  ]
}

function rowOf(part: string, lines: readonly Line[]): string {
  const count = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).length
  const survivors = lines.filter((line) => line.kind === 'survived' && isCounted(line)).length
  const figures = [lines.length, count('noticed'), survivors, count('survived') - survivors, count('invalid')]
  return `| ${[part, ...figures, `${(100 * scoreOf(lines)).toFixed(0)} %`].join(' | ')} |`
}
