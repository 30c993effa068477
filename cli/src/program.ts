// Makes a program of sets of commands: its global options, its exit codes, and how it reports failures.
import { Command, CommanderError, Help } from 'commander'
import { addExamples, type CommandSet, type Examples } from './command-set.ts'
import { connect, type ConnectOptions, readKeptFile } from './connect.ts'
import { connectCompany } from './connect-company.ts'
import type { Context } from './context.ts'
import { credentialsPath } from './credentials.ts'
import { EXIT, type ExitCode, reportFailure, UsageError } from './failure.ts'
import type { Host } from './host.ts'
import { createOutput, type Terminal } from './output.ts'
import { explainUsage } from './usage.ts'

export interface Program {
  readonly command: Command
  /** Those of all commands. */
  readonly examples: Examples
  run(args: readonly string[]): Promise<ExitCode>
}

interface GlobalOptions extends ConnectOptions {
  profile?: string
  json?: true
}

/** The commands of all sets, in their order. */
export function composeProgram(terminal: Terminal, host: Host, sets: readonly CommandSet[]): Program {
  let help = ''
  const command = createRoot(terminal, host, (text) => (help += text))
  let ending: ExitCode = EXIT.done
  const context = createContext(terminal, host, command, (code) => (ending = code))
  for (const { heading, register } of sets) {
    command.commandsGroup(heading)
    register(command, context)
  }
  const examples: Examples = Object.assign({}, ...sets.map((set) => set.examples))
  addExamples(command, examples, host)
  improveErrors(command, host)
  let running: Command | undefined
  command.hook('preAction', (_root, action) => {
    running = action
  })
  return {
    command,
    examples,
    async run(args) {
      if (args.length === 0) {
        command.outputHelp()
        return EXIT.done
      }
      try {
        await command.parseAsync(args, { from: 'user' })
        return ending
      } catch (error) {
        if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
        const options = { host, json: args.includes('--json') }
        if (error instanceof CommanderError && error.code === 'commander.help') {
          if (!options.json) terminal.err.write(help)
          else reportFailure(new UsageError('A command is missing. See --help.'), terminal, options)
          return EXIT.usage
        }
        return reportFailure(error, terminal, { ...options, command: running })
      }
    },
  }
}

/** `end` sets the exit code of a command that does not throw. */
function createContext(terminal: Terminal, host: Host, root: Command, end: (code: ExitCode) => void): Context {
  const { environ } = terminal
  const readKept = () => readKeptFile(credentialsPath({ dataDir: host.dataDir(environ) }))
  const surroundings = { environ, host, readKept }
  const globals = () => root.opts<GlobalOptions>()
  return {
    ...surroundings,
    output: () => createOutput(terminal, { json: globals().json === true }),
    connect: () => connect(globals(), surroundings),
    connectCompany: ({ key } = {}) => connectCompany({ ...globals(), key }, surroundings),
    fail: (code = EXIT.failed) => end(code),
    globals,
  }
}

/** Each command explains its own errors, because an error does not say which command it is about. */
function improveErrors(command: Command, host: Host): void {
  command.exitOverride((error) => {
    throw explainUsage(error, command, host)
  })
  for (const child of command.commands) improveErrors(child, host)
}

/** `keepHelp` receives the help text that is shown when a command is missing. */
function createRoot(
  { out }: Terminal,
  { name, description, version }: Host,
  keepHelp: (text: string) => void,
): Command {
  return new Command(name)
    .description(description)
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .option('--json', 'print one JSON value, and errors as JSON')
    .option('--url <url>', 'address of the running server (CARDSTOCK_URL)')
    .option('--profile <name>', 'which saved API key to use; see login (CARDSTOCK_PROFILE)')
    .option('--token <token>', 'operator token; visible to other users, prefer CARDSTOCK_OPERATOR_TOKEN')
    .configureHelp({
      showGlobalOptions: true,
      optionDescription: (option) =>
        `${option.mandatory ? '(required) ' : ''}${Help.prototype.optionDescription(option)}`,
    })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: keepHelp,
      // Errors are reported at the end of the run, as text or JSON.
      outputError: () => undefined,
    })
}
