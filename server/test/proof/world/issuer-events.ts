// The events that the issuer of the virtual world sends to the server: their text and their signature.
import { EVENTS_PATH, SIGNATURE_HEADER } from '../../../src/issuer/http/protocol.ts'
import { sign } from '../../../src/issuer/http/signature.ts'
import { formatId } from '../../../src/lib/ids.ts'
import { formatMicros, type Micros } from '../../../src/tron/usdt.ts'
import type { WorldIssuer } from './issuer.ts'
import type { VirtualTime } from './time.ts'

export interface NewEvent {
  readonly id: string
  readonly type: string
  readonly companyId: string
  readonly data: object
}

export function eventText(time: VirtualTime, { companyId, ...event }: NewEvent): string {
  return JSON.stringify({ ...event, createdAt: time.now().toISOString(), companyId: formatId('co', companyId) })
}

/** The header with the signature of an event that is sent now. */
export function signEvent(time: VirtualTime, body: string, secret: string): Record<string, string> {
  const message = { direction: 'event', method: 'POST', path: EVENTS_PATH, body } as const
  return { [SIGNATURE_HEADER]: sign(secret, time.now(), message) }
}

/** Keeps a payment of an invoice, and returns the text of the event that reports it. */
export function recordPayment(
  time: VirtualTime,
  issuer: WorldIssuer,
  payment: { token: string; companyId: string; number: number; amount: Micros; paidAtMs: number },
): string {
  const { token, companyId, number, amount, paidAtMs } = payment
  const key = `payment-${token}-${number}`
  issuer.payments.push({ key, invoiceId: token, amount })
  const data = { token, paymentId: key, amount: formatMicros(amount), paidAt: new Date(paidAtMs).toISOString() }
  return eventText(time, { id: `event-${key}`, type: 'invoice.settled', companyId, data })
}
