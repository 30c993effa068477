// The `cardstock` program: its commands, global options and exit codes. Each group of commands has a file that registers it.
// None of them may load the server, so that --help stays quick.
import { Command, CommanderError, Option } from 'commander'
import type { Role } from '../app/parts.ts'
import { registerAccount } from './commands/account.ts'
import { registerArchive } from './maintenance/archive.ts'
import { registerAudit } from './commands/audit.ts'
import { registerAuditLog } from './commands/audit-log.ts'
import { registerBackup, registerBackupKey, registerRestore } from './maintenance/backup.ts'
import { registerCard } from './commands/card.ts'
import { registerCompany } from './commands/company.ts'
import { registerCompletion } from './commands/completion.ts'
import { registerConfig } from './maintenance/config.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { connectCompany } from './connect-company.ts'
import { registerDoctor } from './maintenance/doctor/doctor.ts'
import { registerExport } from './maintenance/export.ts'
import { registerEvents } from './commands/events.ts'
import { addExamples } from './examples.ts'
import { EXIT, type ExitCode, reportFailure, UsageError } from './failure.ts'
import { registerHolder } from './commands/holder.ts'
import { registerHolders } from './commands/holders.ts'
import { registerInvoices } from './commands/invoices.ts'
import { registerKey } from './commands/key.ts'
import { registerListen } from './commands/listen.ts'
import { registerLogin } from './commands/login.ts'
import { registerLogs } from './commands/logs.ts'
import { registerMigrate } from './maintenance/migrate.ts'
import { registerOperations } from './commands/operations.ts'
import { registerOperatorToken } from './commands/operator-token.ts'
import { createOutput, type Terminal } from './output.ts'
import { registerPerson } from './commands/person.ts'
import { registerPrice } from './commands/price.ts'
import { registerProduct } from './commands/product.ts'
import { registerReconcile } from './commands/reconcile.ts'
import { registerReview } from './commands/review.ts'
import { registerSeals } from './commands/seals.ts'
import { registerSecretKey } from './maintenance/secret-key.ts'
import { registerStatement } from './commands/statement.ts'
import { registerTransactions } from './commands/transactions.ts'
import { registerTrigger } from './commands/trigger.ts'
import { registerVerify } from './maintenance/verify.ts'
import { readVersion } from './version.ts'
import { registerWebhooks } from './commands/webhooks.ts'
import type { Context } from './context.ts'

export interface Program {
  readonly command: Command
  run(args: readonly string[]): Promise<ExitCode>
}

interface GlobalOptions extends ConnectOptions {
  profile?: string
  json?: true
}

/** The roles of app.ts, repeated here so that --help need not load it. */
const ROLES: readonly Role[] = ['all', 'api', 'worker']

export function createProgram(terminal: Terminal): Program {
  let help = ''
  const command = createRoot(terminal, (text) => (help += text))
  let ending: ExitCode = EXIT.done
  const context: Context = {
    environ: terminal.environ,
    output: () => createOutput(terminal, { json: command.opts<GlobalOptions>().json === true }),
    connect: () => connect(command.opts<GlobalOptions>(), terminal.environ),
    connectCompany: ({ key } = {}) => connectCompany({ ...command.opts<GlobalOptions>(), key }, terminal.environ),
    fail: (code = EXIT.failed) => {
      ending = code
    },
    globals: () => command.opts<GlobalOptions>(),
  }
  registerAll(command, context)
  let running: Command | undefined
  command.hook('preAction', (_root, action) => {
    running = action
  })
  return {
    command,
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
        const json = args.includes('--json')
        if (error instanceof CommanderError && error.code === 'commander.help') {
          if (!json) terminal.err.write(help)
          else await reportFailure(new UsageError('A command is missing. See --help.'), terminal, { json })
          return EXIT.usage
        }
        return reportFailure(error, terminal, { json, command: running })
      }
    },
  }
}

function registerAll(command: Command, context: Context): void {
  registerServe(command, context)
  registerIssuer(command, context)
  registerMigrate(command, context)
  registerBackup(command, context)
  registerBackupKey(command, context)
  registerRestore(command, context)
  registerExport(command, context)
  registerArchive(command, context)
  registerDoctor(command, context)
  registerConfig(command, context)
  registerSecretKey(command, context)
  registerOperatorToken(command, context)
  registerCompany(command, context)
  registerKey(command, context)
  registerPerson(command, context)
  registerHolder(command, context)
  registerProduct(command, context)
  registerPrice(command, context)
  registerReview(command, context)
  registerAudit(command, context)
  registerReconcile(command, context)
  registerSeals(command, context)
  registerAuditLog(command, context)
  registerLogin(command, context)
  registerOperations(command, context)
  registerAccount(command, context)
  registerInvoices(command, context)
  registerCard(command, context)
  registerHolders(command, context)
  registerTransactions(command, context)
  registerStatement(command, context)
  registerVerify(command, context)
  registerWebhooks(command, context)
  registerListen(command, context)
  registerTrigger(command, context)
  registerEvents(command, context)
  registerLogs(command, context)
  registerCompletion(command, context)
  addExamples(command)
}

/** `keepHelp` receives the help text that is shown when a command is missing. */
function createRoot({ out }: Terminal, keepHelp: (text: string) => void): Command {
  return new Command('cardstock')
    .description('Runs and operates a Cardstock server.')
    .version(readVersion(), '--version', 'show the version')
    .helpOption('-h, --help', 'show help')
    .option('--json', 'print one JSON value, and errors as JSON')
    .option('--url <url>', 'address of the running server (CARDSTOCK_URL)')
    .option('--profile <name>', 'which saved API key to use; see login (CARDSTOCK_PROFILE)')
    .option('--token <token>', 'operator token; visible to other users, prefer CARDSTOCK_OPERATOR_TOKEN')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: keepHelp,
      // Errors are reported at the end of the run, as text or JSON.
      outputError: () => undefined,
    })
    .exitOverride()
}

/** More than any machine has cores for. */
const PROCESSES_MAX = 64

function parseProcesses(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count <= PROCESSES_MAX) return count
  throw new UsageError(`--processes must be a whole number from 0 to ${PROCESSES_MAX}.`)
}

/** Registered here and not in serve.ts, which loads the whole server. */
function registerServe(program: Command, { environ }: Context): void {
  program
    .command('serve')
    .description('start the server; it migrates its database and runs until it is stopped')
    .addOption(
      new Option('--role <role>', 'answer requests, process the work behind them, or both')
        .choices(ROLES)
        .default('all'),
    )
    .option(
      '--processes <count>',
      'this many processes answer requests, and one more does the background work; 0: one process does both (default: 1; with --role: 0)',
      parseProcesses,
    )
    .addOption(new Option('--child', 'started by a supervisor').hideHelp())
    .action(async ({ role, processes, child }: { role: Role; processes?: number; child?: boolean }) => {
      if (role === 'worker' && processes !== undefined && processes > 0) {
        throw new UsageError('--processes is for processes that answer requests. Start several workers instead.')
      }
      const { serve } = await import('./process/serve.ts')
      await serve(environ, { role, processes: processes ?? (role === 'all' ? 1 : 0), child })
    })
}

/** Registered here and not in issuer.ts, which loads a server too. */
function registerIssuer(program: Command, { environ }: Context): void {
  program
    .command('issuer')
    .description('start the reference issuer, which stands in for a live issuer in trials and tests')
    .option('--events-url <url>', 'server to which it sends its events (default: the one in DATA_DIR/credentials.json)')
    .action(async ({ eventsUrl }: { eventsUrl?: string }) => {
      const { runIssuer } = await import('./process/issuer.ts')
      await runIssuer(eventsUrl === undefined ? environ : { ...environ, ISSUER_EVENTS_URL: eventsUrl })
    })
}
