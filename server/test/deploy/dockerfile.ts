// Reads the Dockerfile as far as the tests need it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../documents/blocks.ts'

export interface Instruction {
  readonly name: string
  readonly text: string
}

export interface Copy {
  /** The stage that the files come from; undefined for the checkout. */
  readonly stage: string | undefined
  readonly sources: readonly string[]
  readonly target: string
}

/** Returns the instructions of each stage, in order. A line that ends with a backslash goes on. */
export function readStages(): Instruction[][] {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
  const instructions = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }))
  const starts = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []))
  return starts.map((start, stage) => instructions.slice(start, starts[stage + 1]))
}

export function copiesOf(stage: readonly Instruction[]): Copy[] {
  return stage
    .filter(({ name }) => name === 'COPY')
    .map(({ text }) => {
      const words = text.split(' ')
      const option = words[0]?.startsWith('--from=') === true ? words.shift()?.slice('--from='.length) : undefined
      const target = words.pop() ?? ''
      return { stage: option, sources: words, target }
    })
}

/** Returns the text of the only instruction with this name. */
export function only(stage: readonly Instruction[], name: string): string {
  const found = stage.filter((instruction) => instruction.name === name)
  if (found.length !== 1) throw new Error(`The stage has ${found.length} instructions ${name}.`)
  return found[0]?.text ?? ''
}

/** Returns a command that is written as a JSON array. */
export function commandIn(text: string): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[]
}
