// `cardstock completion bash|zsh|fish`: a script that completes commands and options, made from the commands themselves.
import { Argument, type Command } from 'commander'
import { listVisible } from '../command-set.ts'
import type { Context } from '../context.ts'

type Shell = 'bash' | 'zsh' | 'fish'
const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish']

export function registerCompletion(program: Command, { host, output }: Context): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: Shell) => {
      const script = makeScript(shell, host.name, listWords(program))
      output().result({ shell, script }, () => script)
    })
}

/** What can follow each command: "operations" → create, get, … and its options. Former names are not offered, but completed. */
function listWords(command: Command, path = ''): [path: string, words: string[]][] {
  const names = listVisible(command).map((child) => child.name())
  const options = command.options.map((option) => option.long ?? '').filter((long) => long !== '')
  const global = path === '' ? [] : ['--json', '--help']
  const children = command.commands.flatMap((child) => listWords(child, `${path} ${child.name()}`.trim()))
  return [[path, [...names, ...options, ...global]], ...children]
}

function makeScript(shell: Shell, name: string, words: readonly [string, string[]][]): string {
  if (shell === 'fish') return makeFish(name, words)
  const bash = makeBash(name, words)
  return shell === 'bash'
    ? bash
    : `autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bash}`
}

/** The longest known path among the words before the cursor decides; options and their values do not count. */
function makeBash(name: string, words: readonly [string, string[]][]): string {
  const functionName = `_${name.replace('-', '_')}`
  const cases = words.map(([path, list]) => `      '${path}') words='${list.join(' ')}' ;;`)
  return `# Completion of ${name}. Load it with: source <(${name} completion bash)
${functionName}() {
  local path='' words='' known='' word
  for word in '' "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    known="\${path:+$path }$word"
    [ -z "$word" ] && known=''
    case "$known" in
${cases.join('\n')}
      *) continue ;;
    esac
    path="$known"
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F ${functionName} ${name}
`
}

function makeFish(name: string, words: readonly [string, string[]][]): string {
  const functionName = `__${name.replace('-', '_')}_words`
  const cases = words.map(([path, list]) => `      case '${path}'\n        set found ${list.join(' ')}`)
  return `# Completion of ${name}. Load it with: ${name} completion fish | source
function ${functionName}
  set -l path ''
  set -l found
  for word in '' (commandline -opc)[2..-1]
    set -l known (string trim -- "$path $word")
    switch "$known"
${cases.join('\n')}
      case '*'
        continue
    end
    set path $known
  end
  printf '%s\\n' $found
end
complete -c ${name} -f -a '(${functionName})'
`
}
