// The table of actions and the states that allow them, for programs that offer actions: made from the tables that the
// server decides by, so that both always agree.
import { CARD_ACTIONS } from '../../server/src/card-changes/states.ts'
import { TOP_UP_STATUSES } from '../../server/src/cards/states.ts'
import { INVOICE_TRANSITIONS } from '../../server/src/funding/states.ts'
import { OPERATION_TRANSITIONS } from '../../server/src/operations/states.ts'
import { TRANSACTION_TRANSITIONS } from '../../server/src/transactions/states.ts'

type Table = Readonly<Record<string, readonly string[]>>

const fromOf = (transitions: Table, to: string) =>
  Object.keys(transitions).filter((from) => transitions[from]?.includes(to) === true)

/** What is in review is decided once, whatever it is. */
const resolve = (transitions: Table) => (transitions['manual_review'] === undefined ? [] : ['manual_review'])

const TABLES: readonly (readonly [name: string, type: string, comment: string, table: Table])[] = [
  [
    'CARD_ACTIONS',
    'CardStatus',
    'What can be asked of a card, and the statuses that allow it.',
    {
      topUp: TOP_UP_STATUSES,
      ...Object.fromEntries(Object.entries(CARD_ACTIONS).map(([action, { from }]) => [action, from])),
    },
  ],
  [
    'OPERATION_ACTIONS',
    'OperationStatus',
    'What a person can decide about an operation, and the statuses that allow it.',
    { resolve: resolve(OPERATION_TRANSITIONS) },
  ],
  [
    'INVOICE_ACTIONS',
    'InvoiceStatus',
    'What a person can decide about an invoice, and the statuses that allow it.',
    { resolve: resolve(INVOICE_TRANSITIONS) },
  ],
  [
    'TRANSACTION_ACTIONS',
    'TransactionStatus',
    'What can become of a payment in the sandbox, and the statuses that allow it.',
    Object.fromEntries(
      ['settled', 'reversed', 'expired'].map((status) => [status, fromOf(TRANSACTION_TRANSITIONS, status)]),
    ),
  ],
]

/** Returns the text of sdk/src/generated/actions.ts. */
export function makeActions(): string {
  const types = TABLES.map(([, type]) => type)
  const parts = TABLES.map(([name, type, comment, table]) => {
    const rows = Object.entries(table).map(([action, from]) => `  ${action}: [${from.map(quote).join(', ')}],`)
    return `/** ${comment} */\nexport const ${name} = {\n${rows.join('\n')}\n} as const satisfies Record<string, readonly ${type}[]>\n`
  })
  const header = `// Generated from the server's tables of states by \`npm run generate\`. Do not edit.\n`
  return `${header}import type { ${types.join(', ')} } from './values.ts'\n\n${parts.join('\n')}`
}

const quote = (text: string) => `'${text}'`
