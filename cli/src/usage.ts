// Explains wrong usage better than the parser does: it names everything that is missing at once, and commands that were perhaps meant.
import { type Command, CommanderError } from 'commander'
import { listVisible } from './command-set.ts'
import type { Host } from './host.ts'

/** More suggestions than this are a list of commands, which --help shows better. */
const SUGGESTIONS_MAX = 3
/** A typing error changes, adds or leaves out one letter, or swaps two. */
const DISTANCE_MAX = 2

/** Returns the error with a better message, if there is one. `command` is the one that could not be parsed. */
export function explainUsage(
  error: CommanderError,
  command: Command,
  { elsewhere }: Pick<Host, 'elsewhere'>,
): CommanderError {
  const message = describeElsewhere(error, command, elsewhere) ?? describe(error, command)
  return message === undefined ? error : new CommanderError(error.exitCode, error.code, message)
}

/** A command of the server's program is no typing error. */
function describeElsewhere({ code }: CommanderError, command: Command, elsewhere: Host['elsewhere']) {
  const [word = ''] = command.args
  if (code !== 'commander.unknownCommand' || command.parent !== null) return undefined
  if (elsewhere?.commands.includes(word) !== true) return undefined
  const { program, package: owner } = elsewhere
  return `${word} works on the machine of a server. Run ${program} ${word} there; the package ${owner} has it.`
}

function describe({ code, message }: CommanderError, command: Command): string | undefined {
  if (code === 'commander.missingMandatoryOptionValue' || code === 'commander.missingArgument')
    return `Missing: ${listMissing(command).join(', ')}.`
  if (code !== 'commander.unknownCommand' || message.includes('Did you mean')) return undefined
  const meant = findMeant(command)
  return meant.length === 0 ? undefined : `${message}\nDid you mean ${meant.join(', or ')}?`
}

function listMissing(command: Command): string[] {
  const given = command.args.filter((word) => !word.startsWith('-')).length
  const missing = command.registeredArguments.slice(given).filter((argument) => argument.required)
  const options = command.options.filter(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  )
  return [...missing.map((argument) => `<${argument.name()}>`), ...options.map((option) => option.flags)]
}

/** Returns the commands of other groups whose last word is the unknown one, or nearly so. */
function findMeant(command: Command): string[] {
  const [word = '', next = ''] = command.args
  // `cardstock create invoice` has its words the wrong way round.
  const group = command.parent === null ? next : command.name()
  const paths = listPaths(findRoot(command))
  const same = paths.filter((path) => path.at(-1) === word)
  const found = same.length > 0 ? same : paths.filter((path) => isNear(path.at(-1) ?? '', word))
  const inGroup = found.filter((path) => isNear(path.at(-2) ?? '', group))
  const meant = inGroup.length > 0 ? inGroup : found
  return meant.length > SUGGESTIONS_MAX ? [] : meant.map((path) => path.join(' '))
}

function findRoot(command: Command): Command {
  return command.parent === null ? command : findRoot(command.parent)
}

/** Returns the words of every command and group that the help shows, without the name of the program. */
function listPaths(command: Command, path: readonly string[] = []): (readonly string[])[] {
  return listVisible(command).flatMap((child) => {
    const own = [...path, child.name()]
    return [own, ...listPaths(child, own)]
  })
}

function isNear(known: string, typed: string): boolean {
  return typed.length > DISTANCE_MAX && measureDistance(known, typed) <= DISTANCE_MAX
}

/** Returns how many letters must be changed, added or removed to make one word of the other. */
function measureDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1]
    for (const [at, another] of Array.from(other).entries()) {
      const change = (row[at] ?? 0) + (letter === another ? 0 : 1)
      next.push(Math.min(change, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
