// The way of a card in a trial: a deposit, a holder, an issue, a top-up, a freeze, and the end, and then every book is compared.
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from '@cardstock/cli'
import { Cardstock, CardstockAdmin, type Operation } from '@cardstock/sdk'
import type { Environ } from '../../config/config.ts'
import { type Control, openControl } from '../issuer/control.ts'

export interface Cycle {
  readonly baseUrl: string
  readonly operatorToken: string
  readonly controlUrl: string
  readonly environ: Environ
  readonly deposit: 'reference' | 'tron'
  readonly set?: Readonly<Record<string, string>> | undefined
  say(text: string): void
}

const DEPOSIT = '50'
const ON_CARD = '10.00'
const TOP_UP = '10.00'
/** A provider answers within seconds; what takes longer is told to the person who waits. */
const OPERATION_MS_MAX = 180_000
/** A person has to send it, and the chain has to confirm it. */
const DEPOSIT_MS_MAX = 3_600_000
/** The issuer makes a database first. */
const ISSUER_MS_MAX = 60_000
const LOOK_MS = 500

/** Throws an error that says what went wrong. */
export async function runCycle(cycle: Cycle): Promise<void> {
  const { baseUrl, operatorToken, say } = cycle
  const admin = new CardstockAdmin({ baseUrl, operatorToken })
  const control = openControl(cycle.environ, cycle.controlUrl)
  await awaitIssuer(control)
  const company = await admin.companies.create({ name: 'Trial', kind: 'corporate' })
  await admin.companies.decideVerification(company.id, { decision: 'approve' })
  await admin.companies.changeCapabilities(company.id, { liveServices: true, directInvoices: true })
  const { key } = await admin.keys.create(company.id, { environment: 'live', name: 'trial', scopes: SCOPES })
  const api = new Cardstock({ baseUrl, apiKey: key })
  await fund(cycle, api, control)
  const holder = await admin.holders.create(company.id, {
    environment: 'live',
    name: 'Trial Holder',
    email: 'trial@example.com',
    kind: 'individual',
  })
  await linkHolder(cycle, control, holder.id)
  await carryOut(api, {
    type: 'issue',
    productId: 'prod_card_virtual',
    holderId: holder.id,
    amount: ON_CARD,
    name: 'Trial',
  })
  const [card] = await api.cards.list({ limit: 1 }).toArray({ max: 1 })
  if (card === undefined) throw new UsageError('The issue was completed, and the server has no card.')
  say(`Issued the card ending in ${card.last4} with ${ON_CARD} USD.`)
  await carryOut(api, { type: 'topup', cardId: card.id, amount: TOP_UP })
  say(`Topped it up with ${TOP_UP} USD.`)
  for (const action of ['freeze', 'unfreeze', 'close'] as const) {
    const { status, pendingStatus } = await api.cards[action](card.id)
    if (pendingStatus !== undefined)
      throw new UsageError(`The outcome of "${action}" is not known. Look at the card at the provider.`)
    say(`After "${action}" it is ${status}.`)
  }
  await compare(admin, control, say)
}

const SCOPES = ['funding:write', 'cards:write', 'cards:read', 'operations:read', 'balance:read'] as const

async function awaitIssuer(control: Control): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    try {
      await control.call('GET', '/control/holder-fields')
      return
    } catch (error) {
      if (waitedMs >= ISSUER_MS_MAX) throw error
      await pause(LOOK_MS)
    }
  }
}

async function fund({ deposit, say }: Cycle, api: Cardstock, control: Control): Promise<void> {
  const invoice = await api.invoices.create({ amount: DEPOSIT })
  if (deposit === 'reference') await control.call('POST', `/control/invoices/${invoice.id}/payments`, {})
  else
    say(
      `Send exactly ${invoice.payAmount ?? '?'} USDT of the test network to ${invoice.address ?? '?'}. Waiting for it …`,
    )
  const paid = await api.invoices.waitFor(invoice.id, { timeoutMs: DEPOSIT_MS_MAX })
  if (paid.status !== 'completed') throw new UsageError(`The invoice is ${paid.status}.`)
  say(`Deposited: ${(await api.balance.get()).available} USD is available.`)
}

async function linkHolder({ set }: Cycle, control: Control, holderId: string): Promise<void> {
  const { data } = (await control.call('GET', '/control/holder-fields')) as {
    data: { name: string; label: string; isRequired: boolean }[]
  }
  const missing = data.filter(({ name, isRequired }) => isRequired && set?.[name] === undefined)
  if (missing.length > 0) {
    const names = missing.map(({ name, label }) => `--set ${name}=… (${label})`)
    throw new UsageError(`The provider needs to know more of the holder. Add: ${names.join(', ')}.`)
  }
  if (data.length > 0)
    await control.call('PUT', `/control/holders/${holderId}/details`, { by: 'trial', details: set ?? {} })
}

async function carryOut(api: Cardstock, order: Parameters<Cardstock['operations']['create']>[0]): Promise<Operation> {
  const { id } = await api.operations.create(order)
  const operation = await api.operations.waitFor(id, { timeoutMs: OPERATION_MS_MAX })
  if (operation.status === 'completed') return operation
  const why = operation.failure === undefined ? '' : `: ${operation.failure.message}`
  throw new UsageError(`The ${operation.type} is ${operation.status}${why}.`)
}

async function compare(admin: CardstockAdmin, control: Control, say: (text: string) => void): Promise<void> {
  const cards = (await control.call('POST', '/control/cards/reconcile', {})) as {
    differences: { cardId: string | null }[]
  }
  // An account that is used for trials has other cards.
  const differences = cards.differences.filter(({ cardId }) => cardId !== null).length
  const books = await admin.books.reconcile()
  if (differences + books.differences.length > 0) {
    throw new UsageError(`The books differ: ${differences} at the provider, ${books.differences.length} at the server.`)
  }
  say('Server, issuer and provider agree.')
}
