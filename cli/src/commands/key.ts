// `cardstock admin key …`: manages a company's API keys. Only create and rotate may print a key in plain text.
import {
  type ApiKey,
  type CreatedApiKey,
  type Environment,
  ENVIRONMENTS,
  type NewApiKey,
  type Scope,
  SCOPES,
} from '@cardstock/sdk'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<ApiKey>[] = [
  { title: 'ID', cell: (key) => key.id },
  { title: 'KEY', cell: (key) => `${key.prefix}…${key.last4}` },
  { title: 'CREATED', cell: (key) => key.createdAt },
  { title: 'LAST USED', cell: (key) => key.lastUsedAt },
  { title: 'EXPIRES', cell: (key) => key.expiresAt },
  { title: 'REVOKED', cell: (key) => key.revokedAt },
  { title: 'NAME', isText: true, cell: (key) => key.name },
  { title: 'SCOPES', isText: true, cell: (key) => key.scopes },
]

export function registerKey(program: Command, context: Context): void {
  const group = program.command('key').description("a company's API keys")
  registerCreate(group, context)
  registerList(group, context)
  registerRotate(group, context)
  registerRevoke(group, context)
}

interface CreateOptions {
  environment: Environment
  name: string
  scope: (Scope | 'all')[]
  expiresAt?: string
  cidr?: string[]
}

function registerCreate(group: Command, { connect, output }: Context): void {
  group
    .command('create')
    .description('create a key and show it, once')
    .argument('<company>', 'id of the company')
    .addOption(
      new Option('--environment <environment>', 'where the key works').choices(ENVIRONMENTS).makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'name of the key, for lists')
    .addOption(
      new Option('--scope <scope...>', 'what the key may do').choices([...SCOPES, 'all']).makeOptionMandatory(),
    )
    .option('--expires-at <time>', 'end of the key, such as 2027-01-31T00:00:00Z')
    .option('--cidr <block...>', 'addresses from which the key may be used, such as 203.0.113.0/24')
    .action(async (company: string, options: CreateOptions) => {
      printCreated(output(), await connect().keys.create(company, toNewKey(options)))
    })
}

function toNewKey({ environment, name, scope, expiresAt, cidr }: CreateOptions): NewApiKey {
  const scopes = scope.flatMap((wanted) => (wanted === 'all' ? SCOPES : [wanted]))
  return {
    environment,
    name,
    scopes: [...new Set(scopes)],
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(cidr === undefined ? {} : { allowedCidrs: cidr }),
  }
}

function registerList(group: Command, { connect, output }: Context): void {
  group
    .command('list')
    .description("list a company's keys")
    .argument('<company>', 'id of the company')
    .addOption(limitOption())
    .action(async (company: string, { limit }: { limit: number }) => {
      const { keys } = connect()
      printList(output(), await take((query) => keys.list(company, query), limit), COLUMNS)
    })
}

function registerRotate(group: Command, { connect, output }: Context): void {
  group
    .command('rotate')
    .description('replace a key and show the new one, once')
    .argument('<company>', 'id of the company')
    .argument('<key>', 'id of the key')
    .option('--overlap-seconds <n>', 'how long the old key keeps working, 0 to 604800 (default: one day)', parseSeconds)
    .action(async (company: string, key: string, options: { overlapSeconds?: number }) => {
      printCreated(output(), await connect().keys.rotate(company, key, options))
    })
}

function parseSeconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number of seconds.')
  return Number(text)
}

function registerRevoke(group: Command, { connect, output }: Context): void {
  group
    .command('revoke')
    .description('revoke a key immediately')
    .argument('<company>', 'id of the company')
    .argument('<key>', 'id of the key')
    .action(async (company: string, key: string) => {
      await connect().keys.revoke(company, key)
      output().result({ id: key, revoked: true }, () => `${key} is revoked.`)
    })
}

function printCreated(output: Output, key: CreatedApiKey): void {
  output.result(key, () =>
    formatFields({
      id: key.id,
      name: key.name,
      environment: key.environment,
      scopes: key.scopes,
      'allowed from': key.allowedCidrs.length === 0 ? 'anywhere' : key.allowedCidrs,
      created: key.createdAt,
      expires: key.expiresAt ?? 'never',
      key: key.key,
    }),
  )
  output.note('The key is shown once. Keep it now: nobody can read it again.')
}
