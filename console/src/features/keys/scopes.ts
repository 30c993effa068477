// What each scope of a key allows, in plain words.
import type { Scope } from '@cardstock/sdk'

interface ScopeMeaning {
  readonly title: string
  readonly text: string
  /** Whether a key with it can change something. */
  readonly isWrite: boolean
}

const read = (title: string, text: string): ScopeMeaning => ({ title, text, isWrite: false })
const write = (title: string, text: string): ScopeMeaning => ({ title, text, isWrite: true })

export const SCOPE_MEANINGS: Readonly<Record<string, ScopeMeaning | undefined>> = {
  'balance:read': read('Read balances', 'Balance, statements and invoices.'),
  'cards:read': read('Read cards', 'Cards, their balances, and who froze or closed them.'),
  'holders:read': read('Read holders', 'The people and companies that cards are for.'),
  'operations:read': read('Read operations', 'Operations, card transactions and spend.'),
  'webhooks:read': read('Read deliveries', 'Events, delivery attempts and the request log.'),
  'cards:write': write(
    'Issue and change cards',
    'Issue, top up, freeze and close cards, and open the page with their number. Spends money.',
  ),
  'services:write': write('Order services', 'Order services from the catalogue. Spends money.'),
  'funding:write': write('Add funds', 'Create and cancel invoices, which are paid in USDT.'),
  'holders:write': write('Add and change holders', 'Add, edit and erase the people and companies that cards are for.'),
  'webhooks:write': write('Change webhooks', 'Add, edit and delete endpoints, and resend events.'),
}

/** The scopes that a key can have, reading first. People's rights, such as inviting others, are not among them. */
export const KEY_SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[]

export const READ_SCOPES = KEY_SCOPES.filter((scope) => SCOPE_MEANINGS[scope]?.isWrite === false)
