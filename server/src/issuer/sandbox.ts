// The sandbox's issuer: in process, with a book of its own in the database, and told by sentinels how to behave.
// Cards get four digits made from the token; there is never a whole number.
import type { Db } from '../db/pool.ts'
import { createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { type Cents, cents } from '../lib/money.ts'
import { makeUnownedAddress } from '../lib/tron.ts'
import { micros } from '../lib/usdt.ts'
import { INVOICE_LIFETIME_MS, PAY_AMOUNT_QUARANTINE_MS } from './invoice-terms.ts'
import type {
  InvoiceOutcome,
  InvoiceRequest,
  Issuer,
  IssuerOutcome,
  IssuerRequest,
  SetCardStatusRequest,
} from './port.ts'
import {
  claimPaymentSlot,
  type EffectRow,
  findCardEffect,
  findCardName,
  findEffect,
  findPaymentSlot,
  insertCardEffect,
  insertEffects,
  type SlotRow,
} from './queries.ts'

export type Behaviour = 'complete' | 'fail' | 'unknown' | 'slow'

/** CONTRACT 11: by the exact name or recipient, or by the exact amount in cents. */
const BY_TEXT = new Map<string | undefined, Behaviour>([
  ['fail', 'fail'],
  ['unknown', 'unknown'],
  ['slow', 'slow'],
])
const BY_AMOUNT = new Map<bigint, Behaviour>([
  [1066n, 'fail'],
  [1077n, 'unknown'],
  [1088n, 'slow'],
])
/** A card's own name decides how changes of its status turn out. The names with `change` are issued like any other. */
const BY_CARD_NAME = new Map<string | undefined, Behaviour>([
  ...BY_TEXT,
  ['change fail', 'fail'],
  ['change unknown', 'unknown'],
  ['change slow', 'slow'],
])
export const SLOW_MS = 10_000

const BATCH_SIZE_MAX = 256
const QUEUE_MAX = 8192

/** CONTRACT 4: the sandbox's minimum is 10 USD. */
const INVOICE_MINIMUM: Cents = cents(1_000n)
/** Shared by all companies, as an issuer's are; payments are told apart by their exact amount. Nobody holds their keys. */
const ADDRESSES = Array.from({ length: 16 }, (_, index) => makeUnownedAddress(`cardstock sandbox ${index}`))

export function behaviourOf(text: string | undefined, amount: bigint): Behaviour {
  return BY_TEXT.get(text) ?? BY_AMOUNT.get(amount) ?? 'complete'
}

interface Deps {
  db: Db
  clock: Clock
  slowMs: number
}

export function createSandboxIssuer({ db, clock, slowMs }: Deps): Issuer {
  const book = createBatcher<EffectRow, void>({
    run: async (effects) => {
      await insertEffects(db, effects)
      return effects.map(() => undefined)
    },
    sizeMax: BATCH_SIZE_MAX,
    inFlightMax: 2,
    queueMax: QUEUE_MAX,
  })
  const perform = async (kind: EffectRow['kind'], request: IssuerRequest, text?: string): Promise<IssuerOutcome> => {
    const behaviour = behaviourOf(text, request.amount)
    if (behaviour === 'fail') return declined('The issuer declined the operation.')
    if (behaviour === 'unknown') return LEFT_OPEN
    const effect = toEffect(kind, request, clock.now())
    await book.push(effect)
    // The effect is in the book first: a restart while a slow one waits finds it by look-up.
    if (behaviour === 'slow') await pause(slowMs)
    return toConfirmation(effect)
  }
  // No balance in the answer: what a sandbox card has is what the books say.
  const setCardStatus = async ({ scope, token, cardId, status }: SetCardStatusRequest): Promise<IssuerOutcome> => {
    const card = await findCardName(db, scope, cardId)
    const behaviour = BY_CARD_NAME.get(card?.name ?? '') ?? 'complete'
    if (behaviour === 'fail') return declined('The issuer declined to change the card.')
    if (behaviour === 'unknown') return LEFT_OPEN
    const receipt = receiptOf(token)
    await insertCardEffect(db, scope.companyId, { token, status, receipt, createdAt: clock.now() })
    if (behaviour === 'slow') await pause(slowMs)
    return { kind: 'confirmed', receipt, received: { receipt, status } }
  }
  return {
    issueCard: (request) => perform('issue', request, request.name),
    topUpCard: (request) => perform('topup', request),
    orderService: (request) => perform('service', request, request.recipient),
    setCardStatus,
    async lookUp(scope, token) {
      const effect = await findEffect(db, scope.companyId, token)
      if (effect !== undefined) return toConfirmation(effect)
      const change = await findCardEffect(db, scope.companyId, token)
      if (change !== undefined) return { kind: 'confirmed', ...change, received: change }
      return { kind: 'unknown', reason: 'the issuer does not know this token', received: { found: false } }
    },
    createInvoice: (request) => createInvoice({ db, clock }, request),
    async lookUpInvoice({ scope, token }) {
      const slot = await findPaymentSlot(db, scope, token)
      if (slot === undefined)
        return { kind: 'unknown', reason: 'the issuer does not know this token', received: { found: false } }
      return toInstructions(slot)
    },
    lookUpDelaysMs: [0],
    invoiceMinimum: INVOICE_MINIMUM,
  }
}

async function createInvoice(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { scope, token, amount }: InvoiceRequest,
): Promise<InvoiceOutcome> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + INVOICE_LIFETIME_MS)
  const freeAt = new Date(expiresAt.getTime() + PAY_AMOUNT_QUARANTINE_MS)
  const wanted = { invoiceId: token, deposit: amount, addresses: ADDRESSES, expiresAt, freeAt }
  const slot = await claimPaymentSlot(db, scope, now, wanted)
  if (slot === undefined || slot.address === null) {
    const message = 'Every exact amount for this deposit is taken at the moment. Ask for another amount or try later.'
    return { kind: 'declined', code: 'no_amount_free', message }
  }
  return toInstructions(slot)
}

function toInstructions({ address, pay_amount, expires_at }: SlotRow): Extract<InvoiceOutcome, { kind: 'confirmed' }> {
  return { kind: 'confirmed', address, payAmount: micros(pay_amount), expiresAt: expires_at }
}

const LEFT_OPEN: IssuerOutcome = { kind: 'unknown', reason: 'the sandbox was told to leave the outcome open' }

function declined(message: string): IssuerOutcome {
  return { kind: 'declined', code: 'declined', message, received: { declined: true } }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function receiptOf(token: string): string {
  return `rcpt_${token.replaceAll('-', '')}`
}

function toEffect(kind: EffectRow['kind'], { scope, token, amount }: IssuerRequest, createdAt: Date): EffectRow {
  const receipt = receiptOf(token)
  return {
    company_id: scope.companyId,
    token,
    kind,
    amount,
    receipt,
    last4: kind === 'issue' ? last4Of(token) : null,
    created_at: createdAt,
  }
}

export function last4Of(token: string): string {
  return (Number.parseInt(token.slice(-8), 16) % 10_000).toString().padStart(4, '0')
}

function toConfirmation({ receipt, last4 }: EffectRow): Extract<IssuerOutcome, { kind: 'confirmed' }> {
  const received = { receipt, last4 }
  return last4 === null ? { kind: 'confirmed', receipt, received } : { kind: 'confirmed', receipt, last4, received }
}
