// Makes each type of event happen with calls that a company can make in the sandbox, or says why it cannot.
import { amounts, type Card, type Cardstock, CardstockError, type EventType, type FundingInvoice } from '@cardstock/sdk'
import { UsageError } from '../failure.ts'
import { waitFor } from './wait-for.ts'

export interface Connection {
  api: Cardstock
}

type Trigger = (connection: Connection) => Promise<unknown>

/** A thousand dollars: enough for any of these a hundred times over. */
const FUNDS = '1000.00'
/** The name of cards made here. Other cards may have a name that makes the sandbox refuse changes. */
const CARD_NAME = 'Trigger'
/** Small compared with a new card's balance, so that a card lasts for many payments. */
const PAYMENT = '0.10'

async function order({ api }: Connection, recipient: string): Promise<unknown> {
  await api.sandbox.fund({ amount: FUNDS })
  return api.operations.create({ type: 'service', productId: 'prod_service_mobile', amount: '10.00', recipient })
}

async function issueCard({ api }: Connection): Promise<unknown> {
  await api.sandbox.fund({ amount: FUNDS })
  const { data } = await api.holders.list({ status: 'active', limit: 1 })
  const holder =
    data[0] ?? (await api.holders.create({ name: 'Test Holder', email: 'holder@example.com', kind: 'individual' }))
  return api.operations.create({
    type: 'issue',
    productId: 'prod_card_virtual',
    amount: '25.00',
    holderId: holder.id,
    name: CARD_NAME,
  })
}

/** Returns an active card that can pay. Issues one if there is none among the newest. */
async function requireCard(connection: Connection): Promise<Card> {
  const find = async () => {
    const { data } = await connection.api.cards.list({ status: 'active', limit: 100 })
    return data.find(({ name, balance }) => name === CARD_NAME && amounts.compare(balance, PAYMENT) >= 0)
  }
  const known = await find()
  if (known !== undefined) return known
  await issueCard(connection)
  return waitFor(find, 'the card')
}

async function pay(connection: Connection, status: 'pending' | 'settled') {
  const { id } = await requireCard(connection)
  return connection.api.sandbox.createTransaction({
    cardId: id,
    type: 'purchase',
    amount: PAYMENT,
    merchant: CARD_NAME,
    status,
  })
}

/** Creates an invoice. Only one may be unresolved, so an earlier one is paid or its review decided first. */
async function createInvoice(connection: Connection): Promise<FundingInvoice> {
  const create = () => connection.api.invoices.create({ amount: '100' })
  try {
    return await create()
  } catch (error) {
    const open = unresolvedInvoice(error)
    if (open === undefined) throw error
    if (open.status === 'manual_review') await decide(connection, open.invoiceId, 'failed')
    else await complete(connection, open.invoiceId)
    return create()
  }
}

function unresolvedInvoice(error: unknown): { invoiceId: string; status: string } | undefined {
  if (!(error instanceof CardstockError) || error.code !== 'invoice_unresolved') return undefined
  return error.details as { invoiceId: string; status: string }
}

const complete = ({ api }: Connection, id: string) => api.sandbox.completeInvoice(id)

const decide = ({ api }: Connection, id: string, outcome: 'failed' | 'expired') =>
  api.sandbox.resolveReview(id, { outcome })

/** Creates an invoice and pays too little, which puts it in review. */
async function createReviewedInvoice(connection: Connection): Promise<string> {
  const { id } = await createInvoice(connection)
  await connection.api.sandbox.payInvoice(id, { amount: '1' })
  return id
}

export const TRIGGERS = {
  'operation.queued': (connection) => order(connection, 'trigger@example.com'),
  'operation.processing': (connection) => order(connection, 'trigger@example.com'),
  'operation.completed': (connection) => order(connection, 'trigger@example.com'),
  'operation.failed': (connection) => order(connection, 'fail'),
  'operation.manual_review': (connection) => order(connection, 'unknown'),
  'invoice.pending': createInvoice,
  'invoice.completed': async (connection) => complete(connection, (await createInvoice(connection)).id),
  // Deciding a review as expired spares waiting an hour for the expiry.
  'invoice.expired': async (connection) => decide(connection, await createReviewedInvoice(connection), 'expired'),
  'invoice.failed': async (connection) => decide(connection, await createReviewedInvoice(connection), 'failed'),
  'invoice.manual_review': createReviewedInvoice,
  'card.created': issueCard,
  'card.updated': async (connection) => {
    const { id } = await requireCard(connection)
    await connection.api.cards.freeze(id)
    await connection.api.cards.unfreeze(id)
  },
  'transaction.created': (connection) => pay(connection, 'settled'),
  'transaction.updated': async (connection) => {
    const { id } = await pay(connection, 'pending')
    await connection.api.sandbox.setTransactionStatus(id, { status: 'settled' })
  },
  'webhook.ping': async ({ api }) => {
    const { data } = await api.webhookEndpoints.list()
    const endpoint = data.find(({ status }) => status === 'enabled')
    if (endpoint === undefined) throw new UsageError('There is no enabled webhook endpoint to ping. Create one first.')
    await api.webhookEndpoints.ping(endpoint.id)
  },
} as const satisfies Partial<Record<EventType, Trigger>>

/** Events that no company call can cause, and what causes them. */
export const UNTRIGGERED: Readonly<Record<Exclude<EventType, keyof typeof TRIGGERS>, string>> = {
  'webhook.disabled':
    'webhook.disabled cannot be triggered, because only the server disables an endpoint. To cause it, answer a delivery to one of your endpoints with 410.',
  'api_key.expiring':
    'api_key.expiring cannot be triggered, because only the operator creates keys. To cause it, create a key that expires within seven days (cardstock admin key create --expires-at).',
}
