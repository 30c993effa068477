// What this package needs of the program that contains it, and must not know itself.
import type { Failure } from './failure.ts'
import type { Environ } from './output.ts'

export interface Host {
  /** What is typed to run the program. */
  readonly name: string
  readonly description: string
  readonly version: string
  /** The commands whose first examples open the help of the program itself. */
  readonly firstCommands: readonly string[]
  /** How to start a server here, as the beginning of a sentence; undefined if the program has none. */
  readonly startAdvice: string | undefined
  /** Commands that another program has, so that whoever types one is told where it is. */
  readonly elsewhere?: { readonly commands: readonly string[]; readonly program: string; readonly package: string }
  /** Returns the folder in which a server of this machine keeps its credentials. */
  dataDir(environ: Environ): string
  /** Undefined in a program that does not know the format of tokens. */
  makeOperatorToken?(): string
  /** Returns what an error of the program's own commands means, or undefined if it is none of theirs. */
  explainError(error: Error): Failure | undefined
}

/** `otherwise` is what somebody can do whose server is on another machine. */
export function adviseStart({ startAdvice }: Pick<Host, 'startAdvice'>, otherwise: string): string {
  if (startAdvice !== undefined) return `${startAdvice}, or ${otherwise}`
  return otherwise.charAt(0).toUpperCase() + otherwise.slice(1)
}

/** Returns a text whose commands begin with `cardstock` so that they begin with what is typed to run this program. */
export function nameProgram(text: string, { name }: Pick<Host, 'name'>): string {
  return text.replaceAll(/\bcardstock (?=[a-z-])/g, `${name} `)
}
