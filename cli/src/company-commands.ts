// The commands of a company, with its API key.
import type { CommandSet } from './command-set.ts'
import { registerAccount } from './commands/account.ts'
import { registerBulk } from './commands/bulk.ts'
import { registerCard } from './commands/card.ts'
import { registerHolders } from './commands/holders.ts'
import { registerInvoices } from './commands/invoices.ts'
import { registerLogin } from './commands/login.ts'
import { registerOperations } from './commands/operations.ts'
import { registerStatement } from './commands/statement.ts'
import { registerTransactions } from './commands/transactions.ts'

export const companyCommands: CommandSet = {
  heading: 'Company:',
  register(program, context) {
    registerLogin(program, context)
    registerOperations(program, context)
    registerBulk(program, context)
    registerAccount(program, context)
    registerInvoices(program, context)
    registerCard(program, context)
    registerHolders(program, context)
    registerTransactions(program, context)
    registerStatement(program, context)
  },
  examples: {
    login: ['cardstock login --url https://cards.example.com', 'cardstock login --profile live < key.txt'],
    logout: ['cardstock logout --profile live'],
    whoami: ['cardstock whoami'],
    products: ['cardstock products'],
    quote: ['cardstock quote --type topup --card card_1 --amount 50.00'],
    'operations create': [
      'cardstock operations create --type issue --product prod_card_virtual --holder hld_1 --amount 25.00 --wait',
      'cardstock operations create --type topup --card card_1 --amount 50.00',
      'cardstock operations create --type service --product prod_service_esim --recipient ada@example.com --amount 20.00',
    ],
    'operations get': ['cardstock operations get op_1'],
    'operations list': [
      'cardstock operations list --status manual_review',
      'cardstock operations list --from 2026-01-01',
    ],
    'operations watch': ['cardstock operations watch op_1'],
    'bulk template': ['cardstock bulk template issue > cards.csv'],
    'bulk check': ['cardstock bulk check cards.csv'],
    'bulk send': [
      'cardstock bulk send cards.csv --output result.csv',
      'cardstock bulk send allowances.csv --batch 2026-08 --yes',
    ],
    balance: ['cardstock balance', 'cardstock balance --profile live --json'],
    'account history': ['cardstock account history --from 2026-01-01 --to 2026-01-31'],
    'account warning': [
      'cardstock account warning',
      'cardstock account warning 500.00',
      'cardstock account warning off',
    ],
    'account entries': ['cardstock account entries --kind fee', 'cardstock account entries --reference op_1'],
    'invoices create': ['cardstock invoices create --amount 500'],
    'invoices show': ['cardstock invoices show inv_1'],
    'invoices list': ['cardstock invoices list --status pending'],
    'cards list': ['cardstock cards list --status active', 'cardstock cards list --holder hld_1 --json'],
    'cards get': ['cardstock cards get card_1'],
    'cards freeze': ['cardstock cards freeze card_1'],
    'cards unfreeze': ['cardstock cards unfreeze card_1'],
    'cards close': ['cardstock cards close card_1'],
    'cards number-page': ['cardstock cards number-page card_1'],
    'holders create': ["cardstock holders create --name 'Ada Lovelace' --email ada@example.com"],
    'holders get': ['cardstock holders get hld_1'],
    'holders erase': ['cardstock holders erase hld_1', 'cardstock holders erase hld_1 --yes'],
    'holders list': ['cardstock holders list --status active'],
    'transactions get': ['cardstock transactions get txn_1'],
    'transactions list': ['cardstock transactions list --card card_1 --from 2026-01-01 --to 2026-01-31'],
    'transactions totals': ['cardstock transactions totals --status settled --from 2026-01-01 --to 2026-01-31'],
    'transactions spend': ['cardstock transactions spend --by merchant --from 2026-01-01 --to 2026-01-31'],
    statement: ['cardstock statement --from 2026-01-01 --to 2026-01-31 --format pdf'],
  },
}
