// Operations and cards in the examples: the company issues cards, tops one up, buys a service, and pays with a card.
import { formatId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { operate, settled } from '../../books/steps.ts'
import { createLiveCompany } from '../../support/live-company.ts'
import { addHolder } from '../rows.ts'
import { finish, type Journey, type Made, next, OPERATIONS } from './journey.ts'

export async function issueCards(journey: Journey): Promise<{ holder: string; card: string }> {
  const { recorder, key: token } = journey
  await recorder.call('products', 'GET /api/v1/products', { token, expect: 200 })
  next(journey)
  const holder = await recorder.call<Made>('holder', 'POST /api/v1/holders', {
    token,
    idempotencyKey: 'holder-ada',
    body: { name: 'Ada Lovelace', email: 'ada@example.com', kind: 'individual', externalId: 'employee-1815' },
    expect: 201,
  })
  await recorder.call('holder', `GET /api/v1/holders/${holder.id}`, { token, expect: 200 })
  await recorder.call('all', 'GET /api/v1/holders?externalId=employee-1815', { token, expect: 200 })
  await recorder.call('e-mail', `PATCH /api/v1/holders/${holder.id}`, {
    token,
    body: { email: 'ada@example.com' },
    expect: 200,
  })
  await recorder.call('funding', 'POST /api/v1/sandbox/funding', {
    token,
    idempotencyKey: 'funding-1',
    body: { amount: '1000.00' },
    expect: 200,
  })
  const issue = { type: 'issue', productId: 'prod_card_virtual', holderId: holder.id, amount: '25.00' }
  await recorder.call('issue', 'POST /api/v1/quotes', { token, body: issue, expect: 200 })
  next(journey)
  const operation = await recorder.call<Made>('issue', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'issue-ada-1',
    body: { ...issue, expectedTotal: '28.05', name: 'Travel' },
    expect: 201,
  })
  const done = await finish(journey, operation.id)
  await recorder.call('completed', `GET ${OPERATIONS}/${operation.id}`, { token, expect: 200 })
  await recorder.call('completed', `GET ${OPERATIONS}/${operation.id}/timeline`, { token, expect: 200 })
  const card = done.result.cardId
  next(journey)
  const topup = await recorder.call<Made>('topup', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'topup-ada-1',
    body: { type: 'topup', cardId: card, amount: '50.00' },
    expect: 201,
  })
  await finish(journey, topup.id)
  next(journey)
  const service = await recorder.call<Made>('service', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'esim-ada-1',
    body: { type: 'service', productId: 'prod_service_esim', recipient: '+442079460000', amount: '15.00' },
    expect: 201,
  })
  await finish(journey, service.id)
  next(journey)
  const declined = await recorder.call<Made>('declined', `POST ${OPERATIONS}`, {
    token,
    idempotencyKey: 'issue-ada-2',
    body: { ...issue, name: 'fail' },
    expect: 201,
  })
  await finish(journey, declined.id)
  await recorder.call('failed', `GET ${OPERATIONS}/${declined.id}`, { token, expect: 200 })
  await recorder.call('by key', `GET ${OPERATIONS}?idempotencyKey=issue-ada-1`, { token, expect: 200 })
  await recorder.call('balance', 'GET /api/v1/balance', { token, expect: 200 })
  return { holder: holder.id, card }
}

export async function useCard(journey: Journey, card: string): Promise<void> {
  const { recorder, key: token } = journey
  await recorder.call('card', `GET /api/v1/cards/${card}`, { token, expect: 200 })
  await recorder.call('all', 'GET /api/v1/cards?status=active', { token, expect: 200 })
  next(journey)
  const payment = await recorder.call<Made>('purchase', 'POST /api/v1/sandbox/transactions', {
    token,
    body: {
      cardId: card,
      type: 'purchase',
      amount: '12.40',
      merchant: 'Corner Bookshop',
      country: 'GB',
      description: 'Books',
      status: 'pending',
    },
    expect: 201,
  })
  await recorder.call('pending', `GET /api/v1/transactions/${payment.id}`, { token, expect: 200 })
  await recorder.call('settle', `POST /api/v1/sandbox/transactions/${payment.id}/status`, {
    token,
    body: { status: 'settled' },
    expect: 200,
  })
  await recorder.call('by card', `GET /api/v1/transactions?cardId=${card}`, { token, expect: 200 })
  await recorder.call('by card', `GET /api/v1/transactions/totals?cardId=${card}`, { token, expect: 200 })
  await recorder.call('by merchant', `GET /api/v1/spend?by=merchant&from=2026-03-10&to=2026-03-10`, {
    token,
    expect: 200,
  })
  await recorder.call('all cards', 'GET /api/v1/cards/totals', { token, expect: 200 })
  const body = { threshold: '500.00' }
  await recorder.call('warn below an amount', 'PATCH /api/v1/balance/alert', { token, body, expect: 200 })
  await recorder.call('set', 'GET /api/v1/balance/alert', { token, expect: 200 })
  for (const action of ['freeze', 'unfreeze']) {
    next(journey)
    await recorder.call(action, `POST /api/v1/cards/${card}/${action}`, { token, expect: 200 })
  }
  await recorder.call('frozen and unfrozen', `GET /api/v1/cards/${card}/changes`, { token, expect: 200 })
}

/** A holder of its own, because the others have records that later examples show. */
export async function eraseHolder({ world, recorder, key: token }: Journey): Promise<void> {
  const body = { name: 'Alan Turing', email: 'alan@example.com', kind: 'individual' }
  const holder = await world.server.post<Made>('/api/v1/holders', token, body)
  await recorder.call('erase', `POST /api/v1/holders/${holder.body.id}/erase`, { token, expect: 200 })
}

/** Only a card of a live issuer has a number. */
export async function showNumber({ world: { server }, recorder }: Journey): Promise<void> {
  const company = await createLiveCompany(server)
  const holderId = await addHolder(server, company.scope)
  const order = { type: 'issue', productId: 'prod_card_virtual', holderId, amount: '50', name: 'Travel' }
  await settled(server, company, await operate(server, company, order))
  const cards = await server.get<{ data: Made[] }>('/api/v1/cards', company.key)
  const card = must(cards.body.data[0]).id
  await recorder.call('page', `POST /api/v1/cards/${card}/number-page`, { token: company.key, expect: 200 })
}

/** Only the issuer of live cards needs details of a holder. */
export async function enterDetails({ world: { server }, recorder }: Journey): Promise<void> {
  const company = await createLiveCompany(server)
  const holderId = await addHolder(server, company.scope)
  const values = [
    { field: 'street', value: '1 Navy Way' },
    { field: 'postal_code', value: '22202' },
    { field: 'city', value: 'Arlington' },
  ]
  const places = [
    { path: `/api/v1/holders/${holderId}/details`, token: company.key },
    {
      path: `/admin/v1/companies/${formatId('co', company.id)}/holders/${holderId}/details`,
      token: server.operatorToken,
    },
  ]
  for (const { path, token } of places) {
    await recorder.call('needed', `GET ${path}`, { token, expect: 200 })
    await recorder.call('address', `PUT ${path}`, { token, body: { values }, expect: 200 })
  }
}
