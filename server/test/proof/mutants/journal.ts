// Keeps what became of each mutant in a file, so that a long run can be interrupted and goes on later. What the tests reach and
// how long they take without a mutant is kept beside it.
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Verdict } from './lane.ts'

export interface Line {
  readonly name: string
  readonly kind: Verdict['kind']
  /** The test file that failed first. */
  readonly by: string | null
  /** The first line of its error. */
  readonly error?: string
  readonly seconds: number
}

export class MutantJournal {
  readonly lines: Line[] = []
  /** Where the functions that each test reaches are kept. */
  readonly reachFile: string
  readonly #file: string | undefined

  constructor(file: string | undefined) {
    this.#file = file
    this.reachFile = file === undefined ? join(mkdtempSync(join(tmpdir(), 'mutants-')), 'reach.jsonl') : `${file}.reach`
    if (file === undefined || !existsSync(file)) return
    const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    this.lines.push(...whole.map((line) => JSON.parse(line) as Line))
  }

  add(line: Line): void {
    this.lines.push(line)
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(line)}\n`)
  }
}
