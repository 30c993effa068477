// The examples that open the help of each command. A test parses every one of them, so that none names an option that does
// not exist.
import type { Command } from 'commander'

export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['cardstock serve', 'cardstock serve --processes 4', 'cardstock serve --role worker'],
  issuer: ['cardstock issuer'],
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
  'secret-key rotate': ['cardstock secret-key rotate'],
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
  'company verify': ['cardstock company verify co_1', "cardstock company verify co_1 --reject --reason 'no documents'"],
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
  balance: ['cardstock balance', 'cardstock balance --profile live --json'],
  'account history': ['cardstock account history --from 2026-01-01 --to 2026-01-31'],
  'account entries': ['cardstock account entries --kind fee', 'cardstock account entries --reference op_1'],
  'invoices create': ['cardstock invoices create --amount 500'],
  'invoices show': ['cardstock invoices show inv_1'],
  'invoices list': ['cardstock invoices list --status pending'],
  'cards list': ['cardstock cards list --status active', 'cardstock cards list --holder hld_1 --json'],
  'cards get': ['cardstock cards get card_1'],
  'cards freeze': ['cardstock cards freeze card_1'],
  'cards unfreeze': ['cardstock cards unfreeze card_1'],
  'cards close': ['cardstock cards close card_1'],
  'holders create': ["cardstock holders create --name 'Ada Lovelace' --email ada@example.com"],
  'holders get': ['cardstock holders get hld_1'],
  'holders erase': ['cardstock holders erase hld_1', 'cardstock holders erase hld_1 --yes'],
  'holders list': ['cardstock holders list --status active'],
  'transactions get': ['cardstock transactions get txn_1'],
  'transactions list': ['cardstock transactions list --card card_1 --from 2026-01-01 --to 2026-01-31'],
  'transactions totals': ['cardstock transactions totals --status settled --from 2026-01-01 --to 2026-01-31'],
  statement: ['cardstock statement --from 2026-01-01 --to 2026-01-31 --format pdf'],
  verify: [
    'cardstock verify statement-2026-01-01-2026-01-31.json',
    'cardstock verify statement-2026-01-01-2026-01-31.json --server',
    'cardstock verify --database /var/archives/cardstock',
  ],
  'webhooks list': ['cardstock webhooks list'],
  'webhooks create': [
    'cardstock webhooks create --to https://example.com/cardstock',
    'cardstock webhooks create --to https://example.com/cardstock --event operation.completed operation.failed',
  ],
  'webhooks update': ['cardstock webhooks update we_1 --status disabled'],
  'webhooks delete': ['cardstock webhooks delete we_1'],
  'webhooks ping': ['cardstock webhooks ping we_1'],
  'webhooks rotate-secret': ['cardstock webhooks rotate-secret we_1 --overlap-seconds 3600'],
  'webhooks recover': ['cardstock webhooks recover we_1 --since 2026-01-31'],
  listen: ['cardstock listen --forward-to http://127.0.0.1:3000/webhooks'],
  trigger: ['cardstock trigger operation.completed'],
  'events tail': ['cardstock events tail', 'cardstock events tail --type operation.failed --json'],
  'logs tail': ['cardstock logs tail --status 422', 'cardstock logs tail --path /api/v1/operations --key key_1 --json'],
  completion: ['source <(cardstock completion bash)', 'cardstock completion fish | source'],
}

/** The help of the program itself begins with these. */
const FIRST_EXAMPLES: readonly string[] = ['serve', 'login', 'balance'].flatMap((name) => EXAMPLES[name]?.[0] ?? [])
/** The help of a group of commands shows one example of each of its first commands. */
const GROUP_EXAMPLES_MAX = 3

/** Returns the examples that the help of the command begins with. */
export function addExamples(command: Command, path = ''): readonly string[] {
  const below = command.commands.flatMap((child) => addExamples(child, `${path} ${child.name()}`.trim()).slice(0, 1))
  const own = path === '' ? FIRST_EXAMPLES : EXAMPLES[path]
  const lines = own ?? below.slice(0, GROUP_EXAMPLES_MAX)
  command.addHelpText('before', ['Examples:', ...lines.map((line) => `  ${line}`), ''].join('\n'))
  return lines
}
