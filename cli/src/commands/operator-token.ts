// `cardstock admin operator-token …`: manages the tokens of operators. Only create and generate may print a token in plain text.
import type { CreatedOperatorToken, OperatorToken } from '@cardstock/sdk'
import type { Command } from 'commander'
import { isSameOrigin, type Kept } from '../connect.ts'
import { UsageError } from '../failure.ts'
import { writePrivateFile } from '../files.ts'
import { limitOption, printList, take } from '../list.ts'
import { type Column, formatFields, type Output } from '../output.ts'
import type { Context } from '../context.ts'

const COLUMNS: readonly Column<OperatorToken>[] = [
  { title: 'ID', cell: (token) => token.id },
  { title: 'TOKEN', cell: (token) => `${token.prefix}…${token.last4 ?? ''}` },
  { title: 'CREATED', cell: (token) => token.createdAt },
  { title: 'LAST USED', cell: (token) => token.lastUsedAt },
  { title: 'REVOKED', cell: (token) => token.revokedAt },
  { title: 'NAME', isText: true, cell: (token) => token.name },
]

export function registerOperatorToken(program: Command, context: Context): void {
  const group = program.command('operator-token').description('the tokens of operators')
  registerGenerate(group, context)
  registerCreate(group, context)
  registerList(group, context)
  registerRevoke(group, context)
}

function registerCreate(group: Command, { connect, output, readKept }: Context): void {
  group
    .command('create')
    .description('create a token and show it, once')
    .requiredOption('--name <name>', 'who or what will use the token, for lists and for you')
    .option('--save', 'store the token in DATA_DIR/credentials.json instead of showing it')
    .action(async ({ name, save }: { name: string; save?: true }) => {
      const { baseUrl, operatorTokens } = connect()
      // Refuse before a token is created that could then not be stored.
      const store = save === true ? prepareSave(readKept(), baseUrl) : undefined
      const created = await operatorTokens.create({ name })
      if (store === undefined) {
        printCreated(output(), created)
        return
      }
      const { token, ...shown } = created
      store(token)
      output().result(shown, () => formatFields({ id: shown.id, name: shown.name, created: shown.createdAt }))
      output().note('The commands on this machine use the new token from now on. Revoke the old one when it is unused.')
    })
}

/** Returns a function that puts a token into the file that the commands on this machine read. */
function prepareSave({ path, kept }: Kept, baseUrl: string): (token: string) => void {
  if (!isSameOrigin(baseUrl, kept?.adminUrl ?? kept?.baseUrl)) {
    throw new UsageError(`${path} does not belong to ${baseUrl}. Run this on the machine of the server without --url.`)
  }
  return (operatorToken) => writePrivateFile(path, `${JSON.stringify({ ...kept, operatorToken }, null, 2)}\n`)
}

function printCreated(output: Output, created: CreatedOperatorToken): void {
  const { id, name, createdAt, token } = created
  output.result(created, () => formatFields({ id, name, created: createdAt, token }))
  output.note('The token is shown once. Keep it now: nobody can read it again.')
}

function registerList(group: Command, { connect, output }: Context): void {
  group
    .command('list')
    .description('list the tokens, without the tokens themselves')
    .addOption(limitOption())
    .action(async ({ limit }: { limit: number }) => {
      const { operatorTokens } = connect()
      printList(output(), await take((query) => operatorTokens.list(query), limit), COLUMNS)
    })
}

function registerRevoke(group: Command, { connect, output }: Context): void {
  group
    .command('revoke')
    .description('revoke a token immediately')
    .argument('<token>', 'id of the token')
    .action(async (id: string) => {
      await connect().operatorTokens.revoke(id)
      output().result({ id, revoked: true }, () => `${id} is revoked.`)
    })
}

/** Only the program of a server knows the format of tokens. */
function registerGenerate(group: Command, { host: { makeOperatorToken }, output }: Context): void {
  if (makeOperatorToken === undefined) return
  group
    .command('generate')
    .description('print a token for OPERATOR_TOKEN without storing it')
    .action(() => {
      const operatorToken = makeOperatorToken()
      const { result, note } = output()
      result({ operatorToken }, () => operatorToken)
      note('Shown once. Set OPERATOR_TOKEN to it and start the server; use it as CARDSTOCK_OPERATOR_TOKEN.')
    })
}
