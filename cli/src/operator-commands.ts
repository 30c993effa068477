// The commands of an operator, with an operator token: `cardstock admin …`. Before, they had no `admin`, and `holder` and `holders` were two
// commands with different keys. The former names still work, but no help shows them.
import { Command } from 'commander'
import type { CommandSet } from './command-set.ts'
import type { Context } from './context.ts'
import { registerAudit } from './commands/audit.ts'
import { registerAuditLog } from './commands/audit-log.ts'
import { registerCompany } from './commands/company.ts'
import { registerHolder } from './commands/holder.ts'
import { registerKey } from './commands/key.ts'
import { registerOperatorToken } from './commands/operator-token.ts'
import { registerPerson } from './commands/person.ts'
import { registerPrice } from './commands/price.ts'
import { registerProduct } from './commands/product.ts'
import { registerReconcile } from './commands/reconcile.ts'
import { registerReview } from './commands/review.ts'
import { registerSeals } from './commands/seals.ts'

export const operatorCommands: CommandSet = {
  heading: 'Operator:',
  register(program, context) {
    registerAll(
      program
        .command('admin')
        .description('what an operator does: companies, keys, people, prices, reviews, and the ledger'),
      context,
    )
    const former = new Command().copyInheritedSettings(program)
    registerAll(former, context)
    for (const command of former.commands) {
      const name = command.name()
      command.addHelpText('beforeAll', `cardstock ${name} is the former name of cardstock admin ${name}.\n`)
      program.addCommand(command, { hidden: true })
    }
  },
  examples: {
    'admin operator-token generate': ['cardstock admin operator-token generate'],
    'admin operator-token create': [
      "cardstock admin operator-token create --name 'Grace Hopper'",
      "cardstock admin operator-token create --name 'This server' --save",
    ],
    'admin operator-token list': ['cardstock admin operator-token list'],
    'admin operator-token revoke': ['cardstock admin operator-token revoke key_1'],
    'admin company create': ["cardstock admin company create --name 'Example Ltd' --kind corporate"],
    'admin company list': ['cardstock admin company list --limit 10'],
    'admin company show': ['cardstock admin company show co_1'],
    'admin company verify': [
      'cardstock admin company verify co_1',
      "cardstock admin company verify co_1 --reject --reason 'no documents'",
    ],
    'admin company suspend': ["cardstock admin company suspend co_1 --reason 'suspected fraud'"],
    'admin company resume': ["cardstock admin company resume co_1 --reason 'cleared'"],
    'admin company capabilities': ['cardstock admin company capabilities co_1 --live-services on'],
    'admin key create': ['cardstock admin key create co_1 --environment sandbox --name backend --scope all'],
    'admin key list': ['cardstock admin key list co_1'],
    'admin key rotate': ['cardstock admin key rotate co_1 key_1 --overlap-seconds 3600'],
    'admin key revoke': ['cardstock admin key revoke co_1 key_1'],
    'admin person invite': [
      'cardstock admin person invite ada@example.com --role owner --company co_1',
      'cardstock admin person invite grace@example.com --role support',
    ],
    'admin person list': ['cardstock admin person list --company co_1', 'cardstock admin person list'],
    'admin person role': ['cardstock admin person role ada@example.com finance --company co_1'],
    'admin person remove': ['cardstock admin person remove per_1 --company co_1'],
    'admin person reset': ['cardstock admin person reset ada@example.com --company co_1 --remove-second-factor'],
    'admin person invitations': ['cardstock admin person invitations --company co_1'],
    'admin person revoke': ['cardstock admin person revoke invt_1'],
    'admin holder create': [
      "cardstock admin holder create co_1 --environment live --name 'Ada Lovelace' --email ada@example.com --kind individual",
    ],
    'admin holder status': ['cardstock admin holder status co_1 hld_1 blocked --environment live'],
    'admin holder erase': ['cardstock admin holder erase co_1 hld_1 --environment live'],
    'admin product list': ['cardstock admin product list'],
    'admin product create': [
      "cardstock admin product create prod_card_gold --kind card --name 'Gold card' --price flatFee=5.00 --topup-price rate=0.015",
    ],
    'admin product update': ["cardstock admin product update prod_card_gold --name 'Golden card'"],
    'admin product retire': ['cardstock admin product retire prod_card_gold'],
    'admin price list': ['cardstock admin price list prod_card_gold'],
    'admin price set': [
      'cardstock admin price set prod_card_gold --type issue --price flatFee=4.00 --from 2027-01-01T00:00:00Z --company co_1',
    ],
    'admin review list': ['cardstock admin review list', 'cardstock admin review list --environment live'],
    'admin review show': ['cardstock admin review show op_1'],
    'admin review resolve': ["cardstock admin review resolve op_1 failed --reason 'the issuer has no such card'"],
    'admin audit': ['cardstock admin audit'],
    'admin reconcile': ['cardstock admin reconcile'],
    'admin seals': ['cardstock admin seals', 'cardstock admin seals --company co_1 --environment live --limit 1'],
    'admin audit-log': ['cardstock admin audit-log --company co_1'],
  },
}

function registerAll(group: Command, context: Context): void {
  registerOperatorToken(group, context)
  registerCompany(group, context)
  registerKey(group, context)
  registerPerson(group, context)
  registerHolder(group, context)
  registerProduct(group, context)
  registerPrice(group, context)
  registerReview(group, context)
  registerAudit(group, context)
  registerReconcile(group, context)
  registerSeals(group, context)
  registerAuditLog(group, context)
}
