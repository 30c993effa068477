// Funding by invoice in the examples, and the statement of the day.
import { INVOICES } from '../../support/invoices.ts'
import { type Journey, type Made, next } from './journey.ts'

const DAY = 'from=2026-03-10&to=2026-03-10'
const STATEMENT = `/api/v1/account-statements?${DAY}`

export async function payInvoices(journey: Journey): Promise<void> {
  const { recorder, key: token, world } = journey
  next(journey)
  const invoice = await recorder.call<Made>('invoice', `POST ${INVOICES}`, {
    token,
    idempotencyKey: 'invoice-1',
    body: { amount: '100' },
    expect: 201,
  })
  await recorder.call('pending', `GET ${INVOICES}/${invoice.id}`, { token, expect: 200 })
  await recorder.call('paid', `POST /api/v1/sandbox/invoices/${invoice.id}/complete`, { token, expect: 200 })
  await recorder.call('paid', `GET ${INVOICES}/${invoice.id}/timeline`, { token, expect: 200 })
  await recorder.call('invoices', `GET ${INVOICES}?status=completed&limit=1`, { token, expect: 200 })
  next(journey)
  const second = await recorder.call<Made>('another', `POST ${INVOICES}`, {
    token,
    idempotencyKey: 'invoice-2',
    body: { amount: '50.00' },
    expect: 201,
  })
  await recorder.call('underpaid', `POST /api/v1/sandbox/invoices/${second.id}/payments`, {
    token,
    body: { amount: '49.5' },
    expect: 200,
  })
  await recorder.call('invoice', `POST /api/v1/sandbox/reviews/${second.id}/resolve`, {
    token,
    body: { outcome: 'completed' },
    expect: 200,
  })
  next(journey)
  const third = await world.server.post<Made>(INVOICES, token, { amount: '20' })
  await recorder.call('cancel', `POST ${INVOICES}/${third.body.id}/cancel`, { token, expect: 200 })
  await recorder.call('day', `GET ${STATEMENT}`, { token, expect: 200 })
  await recorder.call('days', `GET /api/v1/balance/history?${DAY}`, { token, expect: 200 })
  await recorder.call('deposits', `GET /api/v1/account-entries?kind=deposit&${DAY}&limit=2`, { token, expect: 200 })
}
