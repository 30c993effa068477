// `cardstock operator-token`: prints a new operator token. It is not stored; a server accepts it once it is in OPERATOR_TOKEN.
import type { Command } from 'commander'
import { makeToken } from '../access/tokens.ts'
import type { Context } from './program.ts'

export function registerOperatorToken(program: Command, { output }: Context): void {
  program
    .command('operator-token')
    .description('create an operator token for OPERATOR_TOKEN')
    .action(() => {
      const operatorToken = makeToken('operator')
      const { result, note } = output()
      result({ operatorToken }, () => operatorToken)
      note('Shown once. Set OPERATOR_TOKEN to it and start the server; use it as CARDSTOCK_OPERATOR_TOKEN.')
    })
}
