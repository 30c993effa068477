// GET /operations/{id}/timeline: what was asked for and every step with its time, whatever the outcome.
import { beforeAll, describe, expect, it } from 'vitest'
import { createCustomer, type Customer, ESIM, issueBody, perform, serviceBody } from '../../support/operations.ts'
import { startServer } from './server.ts'

const server = await startServer()
let customer: Customer
let other: Customer

beforeAll(async () => {
  customer = await createCustomer(server)
  other = await createCustomer(server)
})

interface Timeline {
  request: Record<string, string>
  idempotencyKey: string
  steps: { step: string; at: string; outcome?: string }[]
}

const read = (id: string, key = customer.key) => server.get<Timeline>(`/api/v1/operations/${id}/timeline`, key)

describe('the timeline of an operation', () => {
  it('shows a completed one from the request to the last step, without the card that came out of it', async () => {
    const body = issueBody(customer, { name: 'Travel' })
    const { id, createdAt } = await perform(server, customer, body)
    const { status, body: timeline } = await read(id)
    expect(status).toBe(200)
    expect(timeline.request).toEqual({ productId: body.productId, holderId: body.holderId, name: 'Travel' })
    expect(timeline.idempotencyKey).toMatch(/./)
    expect(timeline.steps.map(({ step }) => step)).toEqual(['accepted', 'sent', 'completed'])
    expect(timeline.steps[0]?.at).toBe(createdAt)
  })

  it('shows what a refusal and an unknown outcome meant', async () => {
    const failed = await perform(server, customer, serviceBody({ recipient: 'fail', productId: ESIM }))
    const { request, steps } = (await read(failed.id)).body
    expect(request).toEqual({ productId: ESIM, recipient: 'fail' })
    expect(steps.map(({ step, outcome }) => [step, outcome])).toEqual([
      ['accepted', undefined],
      ['sent', undefined],
      ['answered', 'declined'],
      ['failed', undefined],
    ])
    const unknown = await perform(server, customer, issueBody(customer, { name: 'unknown' }))
    const last = (await read(unknown.id)).body.steps.slice(2)
    expect(last[0]).toMatchObject({ step: 'answered', outcome: 'unknown' })
    expect(last.at(-1)).toMatchObject({ step: 'manual_review' })
    expect(last.slice(1, -1).every(({ step }) => step === 'looked_up')).toBe(true)
  })

  it("is the same 404 for another company's operation as for none", async () => {
    const { id } = await perform(server, customer, issueBody(customer))
    expect((await read(id, other.key)).status).toBe(404)
    expect((await read(`${id.slice(0, -4)}0000`)).status).toBe(404)
  })
})
