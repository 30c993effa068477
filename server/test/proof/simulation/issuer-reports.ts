// The events that the simulated issuer sends: late outcomes and payments, late, twice, in any order; and forged ones, which
// somebody else sends.
import { type Micros, parseMicros } from '../../../src/tron/usdt.ts'
import { ISSUER_SECRET, type IssuerRecord, OTHER_SECRET } from '../world/issuer.ts'
import { eventText, recordPayment, signEvent } from '../world/issuer-events.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000
const RETRY_MS = 60_000
const SENDS_MAX = 8

/** Reports what became of an operation, with the chance that the options give. */
export function reportOutcome(world: World, { token, companyId, body, answer }: IssuerRecord): void {
  const { random, options, isCalm } = world
  if (isCalm || !('amount' in body) || !random.issuer.chance(options.reportRate)) return
  const isDone = answer.outcome === 'done'
  const shared = { token, kind: body.kind, amount: body.amount }
  const data = isDone
    ? {
        ...shared,
        receipt: 'receipt' in answer ? answer.receipt : '',
        ...('last4' in answer ? { last4: answer.last4 } : {}),
      }
    : { ...shared, code: 'code' in answer ? answer.code : '', message: 'refused' }
  const type = isDone ? 'operation.completed' : 'operation.failed'
  const text = eventText(world.time, { id: `report-${token}`, type, companyId, data })
  const copies = random.issuer.chance(0.3) ? 2 : 1
  for (let copy = 0; copy < copies; copy += 1) {
    sendEvent(world, text, ISSUER_SECRET, random.issuer.pick([1_000, 60_000, 2 * HOUR_MS, 10 * HOUR_MS]))
  }
  if (copies > 1) world.count('event of the issuer sent twice')
}

/** Somebody pays an invoice: exactly, too little, twice or late. */
export function reportPayments(world: World, { token, companyId, answer }: IssuerRecord): void {
  const { random, time, issuer } = world
  if (!('payAmount' in answer) || answer.outcome !== 'done') return
  const exact = parseMicros(answer.payAmount)
  const mode = random.issuer.weighted({ exact: 5, little: 2, twice: 1, late: 1, none: 1 })
  if (mode === 'none') return
  const payments = mode === 'twice' ? 2 : 1
  for (let number = 0; number < payments; number += 1) {
    const amount = (mode === 'little' ? exact / 2n : exact) as Micros
    const paidAtMs = time.nowMs + (mode === 'late' ? 2 * HOUR_MS : random.issuer.between(1_000, HOUR_MS / 2))
    const text = recordPayment(time, issuer, { token, companyId, number, amount, paidAtMs })
    sendEvent(world, text, ISSUER_SECRET, paidAtMs - time.nowMs + random.issuer.between(100, 600_000))
  }
}

/** An event that the issuer did not send: it must change nothing. */
export function forgeEvent(
  world: World,
  companyId: string,
  operation: { id: string; type: string; amount: string },
): void {
  world.count('forged event')
  const { id: token, type: kind, amount } = operation
  const data = { token, kind, amount, receipt: 'forged', last4: '0000' }
  const text = eventText(world.time, { id: `forged-${token}`, type: 'operation.completed', companyId, data })
  sendEvent(world, text, OTHER_SECRET, 1)
}

function sendEvent(world: World, rawBody: string, secret: string, afterMs: number, sends = 1): void {
  const { time, random } = world
  const again = () => {
    if (sends < SENDS_MAX) sendEvent(world, rawBody, secret, RETRY_MS * sends, sends + 1)
  }
  const run = async () => {
    const nodes = world.readyNodes()
    if (nodes.length === 0) return again()
    const node = random.issuer.pick(nodes)
    const usedSecret = world.plant?.parts?.trustsEveryEvent === true ? ISSUER_SECRET : secret
    const headers = signEvent(time, rawBody, usedSecret)
    let isAnswered = false
    const receive = () =>
      void node.parts.call('receiveIssuerEvent', { body: JSON.parse(rawBody), rawBody, headers }).then(
        () => (isAnswered = true),
        (error: unknown) => (isAnswered = isFinal(error)),
      )
    await time.enter(node, receive)
    // The sender waits for a while and sends it again unless it was taken.
    const check = () => (isAnswered ? undefined : again())
    time.add({ label: 'issuer checks its event', life: undefined, atMs: time.nowMs + 30_000, run: check })
  }
  time.add({ label: 'event of the issuer', life: undefined, atMs: time.nowMs + afterMs, run })
}

/** A conflict or a wrong signature is refused for good. */
function isFinal(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'event_conflict' || code === 'invalid_issuer_signature'
}
