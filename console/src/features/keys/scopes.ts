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
  'cards:read': read('Read cards', 'Cards, their balances and their payments.'),
  'holders:read': read('Read holders', 'The people and teams that cards are for.'),
  'operations:read': read('Read operations', 'What was ordered and what became of it.'),
  'webhooks:read': read('Read deliveries', 'Events, delivery attempts and the request log.'),
  'cards:write': write('Issue and change cards', 'Issue, top up, freeze and close cards. Spends money.'),
  'services:write': write('Order services', 'Order services from the catalogue. Spends money.'),
  'funding:write': write('Add funds', 'Create invoices that are paid in USDT.'),
  'holders:write': write('Add holders', 'Add the people and teams that cards are for.'),
  'webhooks:write': write('Change webhooks', 'Add, change and remove endpoints, and send events again.'),
}

/** The scopes that a key can have, reading first. People's rights, such as inviting others, are not among them. */
export const KEY_SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[]

export const READ_SCOPES = KEY_SCOPES.filter((scope) => SCOPE_MEANINGS[scope]?.isWrite === false)
