// Gates for tests that script an issuer: everything in the sandbox goes to it.
import { createGate, type Gates } from '../../src/issuer/gate.ts'
import type { Issuer } from '../../src/issuer/port.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog, type Log } from '../../src/lib/log.ts'
import { cents } from '../../src/lib/money.ts'

/** What a test has to script. */
export type IssuerScript = Pick<Issuer, 'issueCard' | 'topUpCard' | 'orderService' | 'lookUp' | 'lookUpDelaysMs'> &
  Partial<Issuer>

export function createGates(
  scripted: IssuerScript,
  { clock, timeoutMs, log = createLog({ level: 'silent' }) }: { clock: Clock; timeoutMs: number; log?: Log },
): Gates {
  const notScripted = () => Promise.reject(new Error('not scripted'))
  const issuer: Issuer = {
    setCardStatus: scripted.setCardStatus ?? notScripted,
    createInvoice: scripted.createInvoice ?? notScripted,
    lookUpInvoice: scripted.lookUpInvoice ?? notScripted,
    callsMax: scripted.callsMax ?? 1_000,
    isInProcess: scripted.isInProcess ?? false,
    invoiceMinimum: scripted.invoiceMinimum ?? cents(1_000n),
    offers: scripted.offers ?? (() => true),
    lookUpDelaysMs: scripted.lookUpDelaysMs,
    issueCard: (request) => scripted.issueCard(request),
    topUpCard: (request) => scripted.topUpCard(request),
    orderService: (request) => scripted.orderService(request),
    lookUp: (request) => scripted.lookUp(request),
  }
  return { sandbox: createGate({ issuer, environment: 'sandbox', clock, log, timeoutMs }), live: undefined }
}
