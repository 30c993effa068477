// The commands of an operator, with an operator token.
import type { CommandSet } from './command-set.ts'
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
  register(program, context) {
    registerOperatorToken(program, context)
    registerCompany(program, context)
    registerKey(program, context)
    registerPerson(program, context)
    registerHolder(program, context)
    registerProduct(program, context)
    registerPrice(program, context)
    registerReview(program, context)
    registerAudit(program, context)
    registerReconcile(program, context)
    registerSeals(program, context)
    registerAuditLog(program, context)
  },
  examples: {
    'operator-token generate': ['cardstock operator-token generate'],
    'operator-token create': [
      "cardstock operator-token create --name 'Grace Hopper'",
      "cardstock operator-token create --name 'This server' --save",
    ],
    'operator-token list': ['cardstock operator-token list'],
    'operator-token revoke': ['cardstock operator-token revoke key_1'],
    'company create': ["cardstock company create --name 'Example Ltd' --kind corporate"],
    'company list': ['cardstock company list --limit 10'],
    'company show': ['cardstock company show co_1'],
    'company verify': [
      'cardstock company verify co_1',
      "cardstock company verify co_1 --reject --reason 'no documents'",
    ],
    'company suspend': ["cardstock company suspend co_1 --reason 'suspected fraud'"],
    'company resume': ["cardstock company resume co_1 --reason 'cleared'"],
    'company capabilities': ['cardstock company capabilities co_1 --live-services on'],
    'key create': ['cardstock key create co_1 --environment sandbox --name backend --scope all'],
    'key list': ['cardstock key list co_1'],
    'key rotate': ['cardstock key rotate co_1 key_1 --overlap-seconds 3600'],
    'key revoke': ['cardstock key revoke co_1 key_1'],
    'person invite': [
      'cardstock person invite ada@example.com --role owner --company co_1',
      'cardstock person invite grace@example.com --role support',
    ],
    'person list': ['cardstock person list --company co_1', 'cardstock person list'],
    'person role': ['cardstock person role ada@example.com finance --company co_1'],
    'person remove': ['cardstock person remove per_1 --company co_1'],
    'person reset': ['cardstock person reset ada@example.com --company co_1 --remove-second-factor'],
    'person invitations': ['cardstock person invitations --company co_1'],
    'person revoke': ['cardstock person revoke invt_1'],
    'holder create': [
      "cardstock holder create co_1 --environment live --name 'Ada Lovelace' --email ada@example.com --kind individual",
    ],
    'holder status': ['cardstock holder status co_1 hld_1 blocked --environment live'],
    'holder erase': ['cardstock holder erase co_1 hld_1 --environment live'],
    'product list': ['cardstock product list'],
    'product create': [
      "cardstock product create prod_card_gold --kind card --name 'Gold card' --price flatFee=5.00 --topup-price rate=0.015",
    ],
    'product update': ["cardstock product update prod_card_gold --name 'Golden card'"],
    'product retire': ['cardstock product retire prod_card_gold'],
    'price list': ['cardstock price list prod_card_gold'],
    'price set': [
      'cardstock price set prod_card_gold --type issue --price flatFee=4.00 --from 2027-01-01T00:00:00Z --company co_1',
    ],
    'review list': ['cardstock review list', 'cardstock review list --environment live'],
    'review show': ['cardstock review show op_1'],
    'review resolve': ["cardstock review resolve op_1 failed --reason 'the issuer has no such card'"],
    audit: ['cardstock audit'],
    reconcile: ['cardstock reconcile'],
    seals: ['cardstock seals', 'cardstock seals --company co_1 --environment live --limit 1'],
    'audit-log': ['cardstock audit-log --company co_1'],
  },
}
