// Every kind of evidence from the issuer leads to one settlement.
import { describe, expect, it } from 'vitest'
import type { IssuerOutcome } from '../issuer/port.ts'
import type { OperationRow } from './queries.ts'
import { settlementOf, UNSENT_DELAYS_MS } from './rules.ts'

const NOW = new Date('2026-03-10T12:00:00.000Z')
const LOOK_UP_DELAYS_MS = [0, 5_000]
const later = (ms: number) => new Date(NOW.getTime() + ms)

function operation(more: Partial<OperationRow> = {}): OperationRow {
  return {
    company_id: '00000000-0000-7000-8000-000000000001',
    environment: 'sandbox',
    id: '00000000-0000-7000-8000-000000000002',
    type: 'service',
    status: 'processing',
    amount: 1000n,
    fee: 60n,
    product_id: 'prod_service_esim',
    holder_id: null,
    card_id: null,
    name: null,
    recipient: 'ada',
    receipt: null,
    failure_code: null,
    failure_message: null,
    created_at: NOW,
    status_at: NOW,
    claimed_at: NOW,
    created_by: null,
    unsent_count: 0,
    look_up_count: 0,
    ...more,
  }
}
const settle = (outcome: IssuerOutcome, more: Partial<OperationRow> = {}) => {
  const { scope, id, ...rest } = settlementOf(operation(more), outcome, {
    now: NOW,
    since: NOW,
    purpose: 'request',
    lookUpDelaysMs: LOOK_UP_DELAYS_MS,
  })
  expect({ scope, id }).toEqual({
    scope: { companyId: operation().company_id, environment: 'sandbox' },
    id: operation().id,
  })
  return rest
}
const unknown: IssuerOutcome = { kind: 'unknown', reason: 'not found', answered: true }
const notSent: IssuerOutcome = { kind: 'not_sent', reason: 'refused' }

describe('a confirmation', () => {
  it.each(['service', 'topup'] as const)('completes an operation of kind %s', (type) => {
    expect(settle({ kind: 'confirmed', receipt: 'R' }, { type })).toEqual({ status: 'completed', receipt: 'R' })
  })
  it('completes an issue with the card it made', () => {
    expect(settle({ kind: 'confirmed', receipt: 'R', last4: '4242' }, { type: 'issue' })).toEqual({
      status: 'completed',
      receipt: 'R',
      card: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), last4: '4242' },
    })
  })
  it.each([undefined, '', '424', '42424', 'four', '４２４２'])(
    'of an issue with the last digits %j is no valid answer: the outcome is unknown',
    (last4) => {
      const outcome = { kind: 'confirmed', receipt: 'R', ...(last4 === undefined ? {} : { last4 }) } as const
      expect(settle(outcome, { type: 'issue' })).toEqual({ status: 'processing', dueAt: NOW, lookUps: 0 })
      expect(settle(outcome, { type: 'issue', look_up_count: 2 })).toEqual({ status: 'manual_review' })
    },
  )
})

it('a refusal fails the operation and says why', () => {
  expect(settle({ kind: 'declined', code: 'limit', message: 'Too much.' })).toEqual({
    status: 'failed',
    failure: { code: 'limit', message: 'Too much.' },
  })
})

describe('when nothing was sent', () => {
  it.each(UNSENT_DELAYS_MS.map((delayMs, count) => [count, delayMs]))(
    'for the time number %i it is queued again after %i ms',
    (count, delayMs) => {
      expect(settle(notSent, { unsent_count: count })).toEqual({ status: 'queued', dueAt: later(delayMs) })
    },
  )
  it('fails after too many attempts', () => {
    expect(settle(notSent, { unsent_count: UNSENT_DELAYS_MS.length })).toMatchObject({
      status: 'failed',
      failure: { code: 'issuer_unreachable' },
    })
  })
})

describe('an unknown outcome', () => {
  it.each([
    [0, { status: 'processing', dueAt: later(0), lookUps: 0 }],
    [1, { status: 'processing', dueAt: later(5_000), lookUps: 1 }],
    [2, { status: 'manual_review' }],
    [99, { status: 'manual_review' }],
  ])('after %i look-ups gives %j, and never ends the operation', (count, expected) => {
    expect(settle(unknown, { look_up_count: count })).toEqual(expected)
  })
})
