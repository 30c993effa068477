// What is refused to an operator and to the live issuer.
import { findId } from '../../../../src/lib/ids.ts'
import { createCustomer, send, serviceBody } from '../../../support/operations.ts'
import { openInvoice } from '../../../support/invoices.ts'
import { EventSender } from '../../../support/issuer-events.ts'
import type { LiveWorld } from '../../../support/live.ts'
import type { Recorder } from '../recorder.ts'

const PRICES_AHEAD_MAX = 100
const TOKENS_MAX = 20
const KEYS_MAX = 100

export async function refuseCatalogue({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const admin = (path: string, body?: object) => server.post(`/admin/v1/products${path}`, server.operatorToken, body)
  const pricing = { flatFee: '1.00', minimumAmount: '10.00' }
  const product = { id: 'prod_service_gift', kind: 'service', name: 'Gift', description: 'A gift by post.', pricing }
  const made = await admin('', product)
  if (made.status !== 201) throw new Error(made.text)
  recorder.refuse('product_exists', await admin('', product))
  const validFrom = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
  const ahead = () => admin(`/${product.id}/prices`, { operationType: 'service', pricing, validFrom })
  for (let count = 0; count < PRICES_AHEAD_MAX; count += 1) await ahead()
  recorder.refuse('catalog_limit', await ahead())
  await admin(`/${product.id}/retire`)
  const customer = await createCustomer(server)
  recorder.refuse('product_retired', await send(server, customer, serviceBody({ productId: product.id })))
}

export async function refuseTokens({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const create = () => server.post('/admin/v1/operator-tokens', server.operatorToken, { name: 'Grace Hopper' })
  for (let count = 1; count < TOKENS_MAX; count += 1) await create()
  recorder.refuse('operator_token_limit', await create())
}

export async function refuseMoreKeys({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const { wireId } = await server.createCompany()
  const body = { environment: 'live', name: 'Deploy', scopes: ['holders:read'] }
  const create = () => server.post(`/admin/v1/companies/${wireId}/keys`, server.operatorToken, body)
  await Promise.all(Array.from({ length: KEYS_MAX }, create))
  recorder.refuse('api_key_limit', await create())
}

export async function refuseIssuer(world: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await world.createCompany()
  const events = new EventSender(world, company)
  const invoice = await openInvoice(world.server, company)
  const settled = (amount: string) => ({
    id: 'event-1',
    type: 'invoice.settled',
    data: {
      token: findId('inv', invoice.id) ?? '',
      paymentId: 'payment-1',
      amount,
      paidAt: world.server.clock.now().toISOString(),
    },
  })
  const event = settled(invoice.payAmount ?? '')
  recorder.refuse('invalid_issuer_signature', await events.send(event, 'another secret, which is long enough'))
  const { status, text } = await events.send(event)
  if (status !== 200) throw new Error(text)
  recorder.refuse('event_conflict', await events.send(settled('1')))
}
