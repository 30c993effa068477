// `cardstock admin holder …`: an operator adds a cardholder, changes a holder's status, or erases a holder.
import {
  type Environment,
  ENVIRONMENTS,
  HOLDER_KINDS,
  HOLDER_STATUSES,
  type HolderStatus,
  type NewCompanyHolder,
} from '@cardstock/sdk'
import { Argument, type Command, Option } from 'commander'
import { requireConfirmation } from '../confirm.ts'
import { eraseWarning, printHolder } from './print-holder.ts'
import type { Context } from '../context.ts'

export function registerHolder(program: Command, context: Context): void {
  const group = program.command('holder').description("a company's cardholders")
  registerCreate(group, context)
  registerStatus(group, context)
  registerErase(group, context)
}

function environmentOption(): Option {
  return new Option('--environment <environment>', 'where the holder is').choices(ENVIRONMENTS).makeOptionMandatory()
}

function registerCreate(group: Command, { connect, output }: Context): void {
  group
    .command('create')
    .description('add a cardholder, who is active immediately')
    .argument('<company>', 'id of the company')
    .addOption(environmentOption())
    .requiredOption('--name <name>', 'name of the holder')
    .requiredOption('--email <email>', 'e-mail address of the holder')
    .addOption(new Option('--kind <kind>', 'kind of holder').choices(HOLDER_KINDS).makeOptionMandatory())
    .option('--external-id <id>', "the company's own id of the holder")
    .action(async (company: string, options: NewCompanyHolder) => {
      printHolder(output(), await connect().holders.create(company, options))
    })
}

function registerStatus(group: Command, { connect, output }: Context): void {
  group
    .command('status')
    .description("change a cardholder's status")
    .argument('<company>', 'id of the company')
    .argument('<holder>', 'id of the holder')
    .addArgument(new Argument('<status>', 'the new status').choices(HOLDER_STATUSES))
    .addOption(environmentOption())
    .action(
      async (company: string, holder: string, status: HolderStatus, { environment }: { environment: Environment }) => {
        printHolder(output(), await connect().holders.setStatus(company, holder, { environment, status }))
      },
    )
}

function registerErase(group: Command, { connect, output }: Context): void {
  group
    .command('erase')
    .description('erase the personal data of a cardholder for good; its cards must be closed')
    .argument('<company>', 'id of the company')
    .argument('<holder>', 'id of the holder')
    .addOption(environmentOption())
    .option('--yes', 'do not ask for confirmation')
    .action(async (company: string, holder: string, options: { environment: Environment; yes?: boolean }) => {
      await requireConfirmation(eraseWarning(holder), options)
      printHolder(output(), await connect().holders.erase(company, holder, { environment: options.environment }))
    })
}
