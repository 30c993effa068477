// Manual review in the examples, and what an operator reads: the audit log, the ledger audit and the reconciliation.
import { sealEntries } from '../../../src/ledger/queries.ts'
import { findId } from '../../../src/lib/ids.ts'
import { must } from '../../../src/lib/invariant.ts'
import { until } from '../../support/wait.ts'
import { finish, type Journey, type Made, next, OPERATIONS } from './journey.ts'

export async function reviewAndAudit(journey: Journey, holder: string): Promise<void> {
  const { recorder, key, operator: token } = journey
  next(journey)
  const issue = { type: 'issue', productId: 'prod_card_virtual', holderId: holder, amount: '25.00', name: 'unknown' }
  const operation = await recorder.call<Made>('unknown outcome', `POST ${OPERATIONS}`, {
    token: key,
    idempotencyKey: 'issue-ada-3',
    body: issue,
    expect: 201,
  })
  await finish(journey, operation.id)
  await recorder.call('review', `GET /admin/v1/reviews/${operation.id}`, { token, expect: 200 })
  await recorder.call('reviews', 'GET /admin/v1/reviews?limit=1', { token, expect: 200 })
  await recorder.call('completed', `POST /admin/v1/reviews/${operation.id}/resolve`, {
    token,
    body: { outcome: 'completed', reason: 'The issuer confirmed it by telephone.', last4: '4242', receipt: 'R-1815' },
    expect: 200,
  })
  const { result } = await finish(journey, operation.id)
  // A sandbox card with this name leaves the outcome of its changes open.
  for (const action of ['freeze', 'unfreeze', 'close']) {
    next(journey)
    const line = `POST /api/v1/cards/${result.cardId}/${action}`
    await recorder.call('outcome not known', line, { token: key, expect: 202 })
    await completeChange(journey)
  }
  await seal(journey)
  next(journey)
  const log = `GET /admin/v1/audit-log?companyId=${journey.company}&limit=1`
  await recorder.call('audit log', log, { token, expect: 200 })
  await recorder.call('audit', 'GET /admin/v1/ledger/audit', { token, expect: 200 })
  await readSeals(journey)
  await recorder.call('reconciliation', 'GET /admin/v1/reconciliation', { token, expect: 200 })
  await recorder.call('reference issuer', 'GET /admin/v1/issuer', { token, expect: 200 })
  for (const path of ['/healthz', '/readyz']) await recorder.call('status', `GET ${path}`, { expect: 200 })
}

/** Everything before the deposit was sealed earlier, so the newest seal is the same whoever seals the deposit first. */
async function readSeals(journey: Journey): Promise<void> {
  const { world, recorder, company, key, operator: token } = journey
  const funding = await world.server.post('/api/v1/sandbox/funding', key, { amount: '10.00' })
  if (funding.status !== 200) throw new Error(funding.text)
  await seal(journey)
  await recorder.call('newest', `GET /admin/v1/ledger/seals?companyId=${company}&limit=1`, { token, expect: 200 })
}

/** Seals the sandbox account of the company, as the background job does sooner or later. */
async function seal({ world: { server }, company }: Journey): Promise<void> {
  const account = { company_id: must(findId('co', company)), environment: 'sandbox' as const }
  await sealEntries(server.db, account, server.clock.now(), 1000)
}

/** Decides the change of a card that is in review, as the operator would. */
async function completeChange({ world, operator }: Journey): Promise<void> {
  const { server } = world
  // Past the time at which the outcome is looked up.
  server.clock.advance(120_000)
  const id = await until('the change is in review', async () => {
    const { body } = await server.get<{ data: { id: string; object: string }[] }>('/admin/v1/reviews', operator)
    return body.data.find(({ object }) => object === 'card_change')?.id
  })
  const body = { outcome: 'completed', reason: 'The issuer confirmed it.', receivedAmount: '25.00' }
  const close = await server.post(`/admin/v1/reviews/${id}/resolve`, operator, body)
  if (close.status === 200) return
  const { receivedAmount: _, ...plain } = body
  const answer = await server.post(`/admin/v1/reviews/${id}/resolve`, operator, plain)
  if (answer.status !== 200) throw new Error(answer.text)
}
