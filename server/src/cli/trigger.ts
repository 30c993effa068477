// `cardstock trigger TYPE`: makes an event happen by driving real sandbox objects through the API, and shows it.
import type { Card, Client, CompanyApi, EventType, WebhookEvent } from '@cardstock/sdk'
import { Argument, type Command } from 'commander'
import { systemClock } from '../lib/clock.ts'
import { keyOption } from './connect-company.ts'
import { UsageError } from './failure.ts'
import type { Context } from './program.ts'

interface Connection {
  api: CompanyApi
  client: Client
}

type Trigger = (connection: Connection) => Promise<unknown>

/** A thousand dollars: enough for any of these, a hundred times over. */
const FUNDS = '1000.00'
/** An operation of the sandbox takes a second at most. */
const WAIT_MS = 20_000
const POLL_INTERVAL_MS = 200

const order = async ({ api }: Connection, recipient: string) => {
  await api.sandbox.fund(FUNDS)
  return api.operations.create({ type: 'service', productId: 'prod_service_mobile', amount: '10.00', recipient })
}

async function issueCard({ api }: Connection): Promise<unknown> {
  await api.sandbox.fund(FUNDS)
  const { data } = await api.holders.list({ status: 'active', limit: 1 })
  const holder =
    data[0] ?? (await api.holders.create({ name: 'Test Holder', email: 'holder@example.com', kind: 'individual' }))
  return api.operations.create({
    type: 'issue',
    productId: 'prod_card_virtual',
    amount: '25.00',
    holderId: holder.id,
    name: 'Trigger',
  })
}

/** An active card, made when there is none. */
async function requireCard(connection: Connection): Promise<Card> {
  const find = async () => (await connection.api.cards.list({ status: 'active', limit: 1 })).data[0]
  const known = await find()
  if (known !== undefined) return known
  await issueCard(connection)
  return waitFor(find, 'the card')
}

const createInvoice = ({ client }: Connection) =>
  client.request<{ id: string }>('POST', '/api/v1/card-account/invoices', {
    body: { amount: '100' },
    idempotencyKey: crypto.randomUUID(),
  })

/** What can be made to happen. The rest takes its time, or somebody else. */
export const TRIGGERS: Readonly<Partial<Record<EventType, Trigger>>> = {
  'operation.queued': (connection) => order(connection, 'trigger@example.com'),
  'operation.processing': (connection) => order(connection, 'trigger@example.com'),
  'operation.completed': (connection) => order(connection, 'trigger@example.com'),
  'operation.failed': (connection) => order(connection, 'fail'),
  'operation.manual_review': (connection) => order(connection, 'unknown'),
  'card.created': issueCard,
  'card.updated': async (connection) => {
    const card = await requireCard(connection)
    await connection.client.request('POST', `/api/v1/cards/${card.id}/freeze`)
    await connection.client.request('POST', `/api/v1/cards/${card.id}/unfreeze`)
  },
  'transaction.created': async (connection) => {
    const card = await requireCard(connection)
    const body = { cardId: card.id, type: 'purchase', amount: '5.00', merchant: 'Trigger' }
    await connection.client.request('POST', '/api/v1/sandbox/transactions', {
      body,
      idempotencyKey: crypto.randomUUID(),
    })
  },
  'invoice.pending': createInvoice,
  'invoice.completed': async (connection) => {
    const { id } = await createInvoice(connection)
    await connection.client.request('POST', `/api/v1/sandbox/invoices/${id}/complete`)
  },
  'webhook.ping': async ({ api }) => {
    const { data } = await api.webhookEndpoints.list()
    const endpoint = data.find(({ status }) => status === 'enabled')
    if (endpoint === undefined)
      throw new UsageError('There is no enabled webhook endpoint to ping. Register one first.')
    await api.webhookEndpoints.ping(endpoint.id)
  },
}

export function registerTrigger(program: Command, { connectCompany, output }: Context): void {
  program
    .command('trigger')
    .description('make an event happen in the sandbox, and show it')
    .addArgument(new Argument('<type>', 'type of the event').choices(Object.keys(TRIGGERS)))
    .addOption(keyOption())
    .action(async (type: EventType, { key }: { key?: string }) => {
      const { api, client, token } = connectCompany({ key })
      if (!token.startsWith('cstk_sandbox_'))
        throw new UsageError('trigger is for the sandbox: give a cstk_sandbox_… key.')
      const before = new Set((await api.events.list({ type, limit: 100 })).data.map(({ id }) => id))
      await TRIGGERS[type]?.({ api, client })
      const isNew = (event: WebhookEvent) => !before.has(event.id)
      const event = await waitFor(
        async () => (await api.events.list({ type, limit: 100 })).data.find(isNew),
        'the event',
      )
      output().result(event, () => JSON.stringify(event, null, 2))
    })
}

async function waitFor<Value>(find: () => Promise<Value | undefined>, what: string): Promise<Value> {
  const end = systemClock.now().getTime() + WAIT_MS
  for (;;) {
    const value = await find()
    if (value !== undefined) return value
    if (systemClock.now().getTime() > end)
      throw new Error(`${what} did not come within ${WAIT_MS / 1000} s; is a worker running?`)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}
