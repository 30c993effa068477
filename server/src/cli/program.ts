// The `cardstock` program: the commands that call a running server, which are in a package of their own, and those of this machine. Each
// group of commands has a file that registers it. None of them may load the server, so that --help stays quick.
import {
  type CommandSet,
  companyCommands,
  composeProgram,
  type Context,
  createVerifyCommands,
  developerCommands,
  type Host,
  operatorCommands,
  type Program,
  type Terminal,
  UsageError,
} from '@cardstock/cli'
import { type Command, Option } from 'commander'
import type { Rails } from './process/issuer.ts'
import type { SimulateLithicOptions } from './process/simulate-lithic.ts'
import type { SimulateStripeOptions } from './process/simulate-stripe.ts'
import { listProviders } from '../adapter/provider-kit/find-providers.ts'
import { makeToken } from '../access/tokens.ts'
import type { Role } from '../app/parts.ts'
import { readConfig } from '../config/config.ts'
import { explainError } from './explain-error.ts'
import { PROGRAM_NAME, START_COMMAND } from './installation.ts'
import { ISSUER_EXAMPLES, registerIssuerCommands } from './issuer/commands.ts'
import { registerArchive } from './maintenance/archive.ts'
import { registerBackup, registerBackupKey, registerRestore } from './maintenance/backup.ts'
import { registerConfig } from './maintenance/config.ts'
import { registerDoctor } from './maintenance/doctor/doctor.ts'
import { registerExport } from './maintenance/export.ts'
import { registerMail } from './maintenance/mail.ts'
import { registerMigrate } from './maintenance/migrate.ts'
import { registerPrivatePostgres } from './maintenance/private-postgres.ts'
import { registerSecretKey } from './maintenance/secret-key.ts'
import { readVersion } from './version.ts'

const HOST: Omit<Host, 'version'> = {
  name: PROGRAM_NAME,
  description: 'Runs and operates a Cardstock server.',
  firstCommands: ['serve', 'login', 'balance'],
  startAdvice: `Start a server with ${START_COMMAND}`,
  dataDir: (environ) => readConfig(environ).dataDir,
  makeOperatorToken: () => makeToken('operator'),
  explainError,
}

const serverCommands: CommandSet = {
  heading: 'Server and maintenance:',
  register(program, context) {
    registerServe(program, context)
    registerIssuer(program, context)
    registerSimulate(program, context)
    registerMigrate(program, context)
    registerBackup(program, context)
    registerBackupKey(program, context)
    registerRestore(program, context)
    registerExport(program, context)
    registerArchive(program, context)
    registerDoctor(program, context)
    registerConfig(program, context)
    registerMail(program, context)
    registerSecretKey(program, context)
    registerPrivatePostgres(program, context)
  },
  examples: {
    serve: ['cardstock serve', 'cardstock serve --processes 4', 'cardstock serve --role worker'],
    issuer: ['cardstock issuer', 'cardstock issuer --cards lithic --invoices tron'],
    ...ISSUER_EXAMPLES,
    'simulate tron': ['cardstock simulate tron'],
    'simulate lithic': ['cardstock simulate lithic', 'cardstock simulate lithic --mode limit'],
    'simulate stripe': ['cardstock simulate stripe'],
    migrate: ['cardstock migrate'],
    backup: [
      'cardstock backup monday.age --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
      'cardstock backup monday.age',
    ],
    'backup-key generate': ['cardstock backup-key generate backup.key'],
    restore: ['cardstock restore monday.age --identity-file backup.key'],
    export: ['cardstock export co_1 lovelace.ndjson'],
    archive: ['cardstock archive --before 2025-01-01 --to /var/archives/cardstock'],
    doctor: ['cardstock doctor', 'cardstock doctor --json'],
    config: ['cardstock config'],
    'mail test': ['cardstock mail test ada@example.com'],
    'secret-key rotate': ['cardstock secret-key rotate'],
    'private-postgres verify': ['cardstock private-postgres verify'],
  },
}

/** Imported when it is needed, because it loads the server. */
const verifyCommands = createVerifyCommands(async (paths, options, context) => {
  const { verifyArchive } = await import('./maintenance/verify-archive.ts')
  await verifyArchive(paths, options, context)
})

/** The order in which the help lists them. */
const SETS = [serverCommands, operatorCommands, companyCommands, verifyCommands, developerCommands]

export function createProgram(terminal: Terminal): Program {
  return composeProgram(terminal, { ...HOST, version: readVersion() }, SETS)
}

/** The roles of app/parts.ts, repeated here so that --help need not load it. */
const ROLES: readonly Role[] = ['all', 'api', 'worker']

/** More than any machine has cores for. */
const PROCESSES_MAX = 64

function parseProcesses(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count <= PROCESSES_MAX) return count
  throw new UsageError(`--processes must be a whole number from 0 to ${PROCESSES_MAX}.`)
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError('A port is a whole number from 0 to 65535; 0 picks a free one.')
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
    .action(async ({ role, processes }: { role: Role; processes?: number }) => {
      if (role === 'worker' && processes !== undefined && processes > 0) {
        throw new UsageError('--processes is for processes that answer requests. Start several workers instead.')
      }
      const { serve } = await import('./process/serve.ts')
      await serve(environ, { role, processes: processes ?? (role === 'all' ? 1 : 0) })
    })
}

/** Registered here and not in issuer.ts, which loads a server too. */
function registerIssuer(program: Command, context: Context): void {
  const { environ } = context
  const issuer = program
    .command('issuer')
    .description(
      'start an issuer: cards at Lithic or Stripe, deposits on TRON, or the reference issuer, which only pretends',
    )
    .addOption(
      new Option('--cards <who>', 'who issues cards')
        .choices([...listProviders(), 'reference', 'none'])
        .default(environ['ISSUER_CARDS'] || 'reference', 'ISSUER_CARDS, or reference'),
    )
    .addOption(
      new Option('--invoices <who>', 'who takes deposits')
        .choices(['reference', 'tron', 'none'])
        .default(environ['ISSUER_INVOICES'] || 'reference', 'ISSUER_INVOICES, or reference'),
    )
    .addOption(new Option('--child', 'started by a server').hideHelp())
    .option('--events-url <url>', 'server to which it sends its events (default: the one in DATA_DIR/credentials.json)')
    .action(async ({ eventsUrl, ...rails }: Rails & { eventsUrl?: string }) => {
      const { runIssuer } = await import('./process/issuer.ts')
      await runIssuer(eventsUrl === undefined ? environ : { ...environ, ISSUER_EVENTS_URL: eventsUrl }, rails)
    })
  registerIssuerCommands(issuer, context)
}

function registerSimulate(program: Command, { environ }: Context): void {
  const simulate = program.command('simulate').description('start a simulated network outside, for trials and tests')
  simulate
    .command('tron')
    .description('start a simulated TRON node, with a wallet to try it with; nothing in it is worth anything')
    .option('--port <port>', 'port of the node', parsePort, 8095)
    .option('--control-port <port>', 'port on which you send transfers', parsePort, 8096)
    .action(async (options: { port: number; controlPort: number }) => {
      const { simulateTron } = await import('./process/simulate-tron.ts')
      await simulateTron(environ, options)
    })
  simulate
    .command('lithic')
    .description(
      'start a simulated Lithic, a card provider, with settings to try it with; no card of it can pay anywhere',
    )
    .option('--port <port>', 'port of its API', parsePort, 8097)
    .option('--control-port <port>', 'port on which you make payments', parsePort, 8098)
    .addOption(
      new Option('--mode <mode>', 'what the money of a card is').choices(['balance', 'limit']).default('balance'),
    )
    .action(async (options: SimulateLithicOptions) => {
      const { simulateLithic } = await import('./process/simulate-lithic.ts')
      await simulateLithic(environ, options)
    })
  simulate
    .command('stripe')
    .description(
      'start a simulated Stripe, a card provider, with settings to try it with; no card of it can pay anywhere',
    )
    .option('--port <port>', 'port of its API', parsePort, 8099)
    .option('--control-port <port>', 'port on which you make payments', parsePort, 8100)
    .action(async (options: SimulateStripeOptions) => {
      const { simulateStripe } = await import('./process/simulate-stripe.ts')
      await simulateStripe(environ, options)
    })
}
