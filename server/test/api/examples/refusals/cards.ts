// What is refused when a card changes, when a sandbox payment changes, and when a webhook endpoint is managed.
import { fund, issueCard, operate, settled } from '../../../books/steps.ts'
import type { LiveWorld } from '../../../support/live.ts'
import { ENDPOINTS, register } from '../../../support/webhooks.ts'
import type { Recorder } from '../recorder.ts'

/** The most webhook endpoints of a company and environment. */
const ENDPOINTS_MAX = 10

export async function refuseCardChanges({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  await fund(server, company, '1000')
  const post = <Body = Record<string, unknown>>(path: string, body?: object) =>
    server.post<Body>(`/api/v1/${path}`, company.key, body)
  const declined = await issueCard(server, company, { name: 'change fail' })
  recorder.refuse('card_change_declined', await post(`cards/${declined.id}/close`))
  const open = await issueCard(server, company, { name: 'change unknown' })
  await post(`cards/${open.id}/freeze`)
  recorder.refuse('card_change_open', await post(`cards/${open.id}/close`))

  const card = await issueCard(server, company)
  recorder.refuse('number_page_not_offered', await post(`cards/${card.id}/number-page`))
  const purchase = { cardId: card.id, type: 'purchase', amount: '2.00', merchant: 'Corner Bookshop' }
  const payment = await post<{ id: string }>('sandbox/transactions', purchase)
  const reversed = await post(`sandbox/transactions/${payment.body.id}/status`, { status: 'reversed' })
  recorder.refuse('transaction_status_not_allowed', reversed)
  // The sandbox leaves the outcome of this amount open.
  await settled(server, company, await operate(server, company, { type: 'topup', cardId: card.id, amount: '10.77' }))
  recorder.refuse('card_topup_open', await post(`cards/${card.id}/close`))
  const closed = await issueCard(server, company)
  await post(`cards/${closed.id}/close`)
  recorder.refuse('card_status_not_allowed', await post(`cards/${closed.id}/unfreeze`))
}

export async function refuseErasures({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  await fund(server, company, '1000')
  const { holderId } = await issueCard(server, company)
  recorder.refuse('holder_in_use', await server.post(`/api/v1/holders/${holderId}/erase`, company.key))
  const body = { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual' }
  const add = () => server.post<{ id: string }>('/api/v1/holders', company.key, body, 'holder-ada')
  await server.post(`/api/v1/holders/${(await add()).body.id}/erase`, company.key)
  recorder.refuse('holder_erased', await add())
}

export async function refuseEndpoints({ server }: LiveWorld, recorder: Recorder): Promise<void> {
  const company = await server.createCompany()
  const create = (url: string) => server.post(ENDPOINTS, company.key, { url })
  recorder.refuse('webhook_url_refused', await create('ftp://example.com'))
  const { id } = await register(server, company, `${server.baseUrl}/hooks`)
  await server.request('PATCH', `${ENDPOINTS}/${id}`, { token: company.key, body: { status: 'disabled' } })
  recorder.refuse('webhook_endpoint_disabled', await server.post(`${ENDPOINTS}/${id}/ping`, company.key))
  for (let count = 1; count < ENDPOINTS_MAX; count += 1) await register(server, company, `${server.baseUrl}/${count}`)
  recorder.refuse('webhook_endpoint_limit', await create(`${server.baseUrl}/more`))
}
