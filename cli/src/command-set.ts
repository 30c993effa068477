// A set of commands that a program can offer, and the examples in their help.
import type { Command } from 'commander'
import type { Context } from './context.ts'
import { type Host, nameProgram } from './host.ts'

/** The lines that open the help of each command, by the words of the command, in the order of the commands. */
export type Examples = Readonly<Record<string, readonly string[]>>

export interface CommandSet {
  /** Stands above the commands in the help. */
  readonly heading: string
  /** Adds the commands in the order in which the help lists them. */
  register(program: Command, context: Context): void
  readonly examples: Examples
}

/** The help of a group of commands shows one example of each of its first commands. */
const GROUP_EXAMPLES_MAX = 3

/**
 * Adds the examples to the help of the program and of all its commands. Its own help shows the first one of each of `firstCommands`. The
 * examples say `cardstock`; the help says the name of the program.
 */
export function addExamples(
  program: Command,
  examples: Examples,
  { name, firstCommands }: Pick<Host, 'name' | 'firstCommands'>,
): void {
  const first = firstCommands.flatMap((command) => examples[command]?.[0] ?? [])
  const named = Object.entries({ ...examples, '': first }).map(
    ([path, lines]) => [path, lines.map((line) => nameProgram(line, { name }))] as const,
  )
  addBelow(program, Object.fromEntries(named))
}

/** Returns the examples that the help of the command begins with. */
function addBelow(command: Command, examples: Examples, path = ''): readonly string[] {
  const below = command.commands.flatMap((child) =>
    addBelow(child, examples, `${path} ${child.name()}`.trim()).slice(0, 1),
  )
  const lines = examples[path] ?? below.slice(0, GROUP_EXAMPLES_MAX)
  // Former names have none: the examples are those of the new name.
  if (lines.length > 0) command.addHelpText('before', ['Examples:', ...lines.map((line) => `  ${line}`), ''].join('\n'))
  return lines
}

/** Returns the commands that the help lists: those without a former name of another, and without `help` itself. */
export function listVisible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => command.commands.includes(child))
}
