// The journal of a long run: one line of JSON for each seed that has ended, so that an interrupted run can go on.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { SeedResult } from './run.ts'

/** What a report needs of a seed. */
export interface SeedLine {
  readonly seed: number
  readonly violations: readonly string[]
  readonly isRepeated: boolean
  readonly operations: number
  readonly steps: number
  readonly statements: number
  readonly simulatedMs: number
  readonly counts: Readonly<Record<string, number>>
}

export function toLine(result: SeedResult): SeedLine {
  const { options, violations, isRepeated, operations, steps, statements, simulatedMs, counts } = result
  const { seed } = options
  return {
    seed,
    violations,
    isRepeated,
    operations,
    steps,
    statements,
    simulatedMs,
    counts: Object.fromEntries(counts),
  }
}

export class Journal {
  readonly #path: string | undefined
  /** Every seed that has ended, also in earlier runs. */
  readonly lines: SeedLine[] = []

  /** Without a path, nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path
    if (path !== undefined && existsSync(path)) this.lines.push(...readLines(path))
  }

  add(line: SeedLine): void {
    this.lines.push(line)
    if (this.#path !== undefined) appendFileSync(this.#path, `${JSON.stringify(line)}\n`)
  }
}

/** The last line may be cut, if the process was killed while it wrote. Its seed is run again. */
function readLines(path: string): SeedLine[] {
  const texts = readFileSync(path, 'utf8').split('\n')
  texts.pop()
  return texts.map((text) => JSON.parse(text) as SeedLine)
}
