// `cardstock completion bash|zsh|fish`: a script that completes commands, options and their values, made from the commands themselves.
import { Argument, type Command } from 'commander'
import { listVisible } from '../command-set.ts'
import type { Context } from '../context.ts'

type Shell = 'bash' | 'zsh' | 'fish'
const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

export function registerCompletion(program: Command, { host, output }: Context): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: Shell) => {
      const script = makeScript(shell, host.name, listPlaces(program))
      output().result({ shell, script }, () => script)
    })
}

/** A command, or the program itself with an empty path. */
interface Place {
  readonly path: string
  /** What can follow it: "operations" → create, get, … and its options, and the values of its arguments. */
  readonly words: readonly string[]
  /** The values of each option that takes one. There are none if anything may be given. */
  readonly values: readonly { readonly flags: readonly string[]; readonly choices: readonly string[] }[]
}

/** Former names are not offered, but completed. */
function listPlaces(command: Command, path = ''): Place[] {
  const names = listVisible(command).map((child) => child.name())
  const options = command.options.map((option) => option.long ?? '').filter((long) => long !== '')
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []).filter(isPlain)
  const global = path === '' ? [] : ['--json', '--help']
  const values = command.options
    .filter((option) => option.required || option.optional)
    .map(({ short, long, argChoices = [] }) => ({
      flags: [short, long].filter((flag) => flag !== undefined),
      choices: argChoices.filter(isPlain),
    }))
  const children = command.commands.flatMap((child) => listPlaces(child, `${path} ${child.name()}`.trim()))
  return [{ path, words: [...names, ...choices, ...options, ...global], values }, ...children]
}

/** A shell would take the asterisk, which stands for all types of events, for the names of files. */
const isPlain = (value: string) => value !== '*'

function makeScript(shell: Shell, name: string, places: readonly Place[]): string {
  if (shell === 'fish') return makeFish(name, places)
  const bash = makeBash(name, places)
  return shell === 'bash'
    ? bash
    : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
}

/**
 * The longest known path among the words before the cursor decides; options and their values do not count. After an option that takes any
 * value, the shell completes the names of files. In zsh, `path` is the search path, and the length of a slice must not begin with a letter.
 */
function makeBash(name: string, places: readonly Place[]): string {
  const functionName = `_${name.replace('-', '_')}`
  const cases = places.map(({ path, words }) => `      '${path}') words='${words.join(' ')}' ;;`)
  const values = listValues(places, '*').map(
    ({ at, choices }) => `    ${at.join('|')}) words='${choices.join(' ')}' ;;`,
  )
  return `# Completion of ${name}. Load it with: source <(${name} completion bash)
${functionName}() {
  local place='' words='' known='' word
  for word in '' "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    known="\${place:+$place }$word"
    [ -z "$word" ] && known=''
    case "$known" in
${cases.join('\n')}
      *) continue ;;
    esac
    place="$known"
  done
  case "$place:\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${functionName} ${name}
`
}

interface Values {
  /** Each option as `path:option`. */
  readonly at: string[]
  readonly choices: readonly string[]
}

/** The options that take a value; those that may have the same values are together. `anywhere` is the pattern for the program's own options. */
function listValues(places: readonly Place[], anywhere: string): Values[] {
  const found = new Map<string, Values>()
  for (const { path, values } of places)
    for (const { flags, choices } of values) {
      const same = found.get(choices.join()) ?? { at: [], choices }
      same.at.push(...flags.map((flag) => (path === '' ? `${anywhere}:${flag}` : `'${path}:${flag}'`)))
      found.set(choices.join(), same)
    }
  return [...found.values()]
}

function makeFish(name: string, places: readonly Place[]): string {
  const functionName = `__${name.replace('-', '_')}_words`
  const cases = places.map(({ path, words }) => `      case '${path}'\n        set found ${words.join(' ')}`)
  const values = listValues(places, "'*'").map(
    ({ at, choices }) => `    case ${at.join(' ')}\n      set found ${choices.join(' ')}`,
  )
  return `# Completion of ${name}. Load it with: ${name} completion fish | source
function ${functionName}
  set -l path ''
  set -l found
  set -l typed (commandline -opc)
  for word in '' $typed[2..-1]
    set -l known (string trim -- "$path $word")
    switch "$known"
${cases.join('\n')}
      case '*'
        continue
    end
    set path $known
  end
  switch "$path:$typed[-1]"
${values.join('\n')}
  end
  printf '%s\\n' $found
end
complete -c ${name} -f -a '(${functionName})'
`
}
