// The entry of the `cardstock` command: the commands that call a running server, without those of the server itself.
import { resolve } from 'node:path'
import { VERSION } from '@cardstock/sdk'
import { companyCommands } from './company-commands.ts'
import { createVerifyCommands } from './commands/verify.ts'
import { developerCommands } from './developer-commands.ts'
import type { Host } from './host.ts'
import { operatorCommands } from './operator-commands.ts'
import { composeProgram } from './program.ts'
import { runProgram } from './run-program.ts'
import { SERVER_COMMANDS } from './server-commands.ts'

const HOST: Host = {
  name: 'cardstock',
  description: 'Calls a running Cardstock server, as a company or as its operator.',
  // The packages have one version, and a test compares them.
  version: VERSION,
  firstCommands: ['login', 'balance', 'listen'],
  startAdvice: undefined,
  elsewhere: { commands: SERVER_COMMANDS, program: 'cardstock-server', package: '@cardstock/server' },
  // Where a server of this folder keeps them: the default of its setting.
  dataDir: (environ) => resolve(environ['DATA_DIR'] || 'data'),
  explainError: () => undefined,
}

const SETS = [operatorCommands, companyCommands, createVerifyCommands(), developerCommands]

await runProgram((terminal) => composeProgram(terminal, HOST, SETS))
