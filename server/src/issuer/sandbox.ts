// The sandbox's issuer. It runs in this process and keeps its own records in the database. Special names and amounts decide
// the outcome. A look-up that finds nothing fences the token: a later request with it is refused, so that every look-up is
// certain of the outcome. Cards get four digits derived from the token; there is never a whole number.
import type { Db } from '../db/pool.ts'
import { wasNotSent } from '../db/unavailable.ts'
import { createBatcher } from '../lib/batcher.ts'
import type { Clock } from '../lib/clock.ts'
import { must } from '../lib/invariant.ts'
import { type Cents, cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import { makeUnownedAddress } from '../tron/address.ts'
import { micros } from '../tron/usdt.ts'
import { INVOICE_LIFETIME_MS, PAY_AMOUNT_QUARANTINE_MS } from './invoice-terms.ts'
import type {
  AtOnce,
  InvoiceLookUpOutcome,
  InvoiceOutcome,
  InvoiceRequest,
  Issuer,
  IssuerOutcome,
  IssuerRequest,
  LookUpOutcome,
  LookUpRequest,
  SetCardStatusRequest,
} from './port.ts'
import {
  claimPaymentSlot,
  type EffectRow,
  fenceTokens,
  findCardName,
  findPaymentSlot,
  insertEffects,
  type NewEffect,
  type SlotRow,
} from './queries.ts'

export type Behaviour = 'complete' | 'fail' | 'unknown' | 'slow'

/** Chooses the outcome by the exact name or recipient, or by the exact amount in cents. */
const BY_TEXT = new Map<string, Behaviour>([
  ['fail', 'fail'],
  ['unknown', 'unknown'],
  ['slow', 'slow'],
])
const BY_AMOUNT = new Map<bigint, Behaviour>([
  [1066n, 'fail'],
  [1077n, 'unknown'],
  [1088n, 'slow'],
])
/** A card's name decides the outcome of changes of its status. Cards with `change` names are issued like any other. */
const BY_CARD_NAME = new Map<string | undefined, Behaviour>([
  ...BY_TEXT,
  ['change fail', 'fail'],
  ['change unknown', 'unknown'],
  ['change slow', 'slow'],
])
export const AT_ONCE: AtOnce = { exceptTexts: [...BY_TEXT.keys()], exceptAmounts: [...BY_AMOUNT.keys()] }
/** As the contract says of the slow sentinels. */
export const SLOW_MS = 10_000

/** As in the intake: larger batches are no faster, and more than two at once wait for each other. */
const BATCH_SIZE_MAX = 256
const BATCHES_IN_FLIGHT_MAX = 2
const QUEUE_MAX = 8192
/** The size of two batches, so that a call waits for at most the batch before it. */
const CALLS_MAX = BATCHES_IN_FLIGHT_MAX * BATCH_SIZE_MAX

/** The sandbox's minimum is 10 USD. */
const INVOICE_MINIMUM: Cents = cents(1_000n)
/** All companies share these addresses, as they share an issuer's. The exact amount identifies a payment. Nobody holds the keys. */
const ADDRESSES = Array.from({ length: 16 }, (_, index) => makeUnownedAddress(`cardstock sandbox ${index}`))

export function behaviourOf(text: string | undefined, amount: bigint): Behaviour {
  return BY_TEXT.get(text ?? '') ?? BY_AMOUNT.get(amount) ?? 'complete'
}

interface Deps {
  db: Db
  clock: Clock
  slowMs: number
}

export function createSandboxIssuer({ db, clock, slowMs }: Deps): Issuer {
  const book = createBook(db)
  const perform = async (kind: 'issue' | 'topup' | 'service', request: IssuerRequest, text?: string) => {
    const behaviour = behaviourOf(text, request.amount)
    if (behaviour === 'fail') return declined('The issuer declined the operation.')
    const effect = toEffect(behaviour === 'unknown' ? 'left_open' : kind, request, clock.now())
    return carryOut({ book, slowMs }, behaviour, effect)
  }
  // The answer has no balance, because the server's records are right about a sandbox card.
  const setCardStatus = async ({ scope, token, cardId }: SetCardStatusRequest): Promise<IssuerOutcome> => {
    const card = await findCardName(db, scope, cardId)
    const behaviour = BY_CARD_NAME.get(card?.name ?? '') ?? 'complete'
    if (behaviour === 'fail') return declined('The issuer declined to change the card.')
    const kind = behaviour === 'unknown' ? 'left_open' : 'card_status'
    return carryOut({ book, slowMs }, behaviour, toEffect(kind, { scope, token }, clock.now()))
  }
  const lookUp = (request: LookUpRequest) => askBook(book, request, clock.now())
  return {
    issueCard: (request) => perform('issue', request, request.name),
    topUpCard: (request) => perform('topup', request),
    orderService: (request) => perform('service', request, request.recipient),
    setCardStatus,
    lookUp: async (request) => toLookUpOutcome(await lookUp(request)),
    createInvoice: (request) => createInvoice({ db, clock, book }, request),
    lookUpInvoice: async (request) => toInvoiceLookUp(db, request, await lookUp(request)),
    lookUpDelaysMs: [0],
    callsMax: CALLS_MAX,
    isInProcess: true,
    atOnce: AT_ONCE,
    invoiceMinimum: INVOICE_MINIMUM,
    offers: () => true,
  }
}

interface Book {
  /** True if the effect is recorded, false if its token was fenced. */
  write(effect: NewEffect): Promise<boolean>
  /** Returns the record of a token, or the new fence if there was none. */
  fence(effect: Pick<NewEffect, 'company_id' | 'token' | 'created_at'>): Promise<EffectRow>
}

/** Both work in batches: separate calls would wait for connections, which must not look like an issuer that is down. */
function createBook(db: Db): Book {
  const limits = { sizeMax: BATCH_SIZE_MAX, inFlightMax: BATCHES_IN_FLIGHT_MAX, queueMax: QUEUE_MAX }
  const writes = createBatcher<NewEffect, boolean>({
    ...limits,
    run: async (effects) => {
      const fenced = new Set((await insertEffects(db, effects)).map((row) => row.token))
      return effects.map((effect) => !fenced.has(effect.token))
    },
  })
  const fences = createBatcher<Pick<NewEffect, 'company_id' | 'token' | 'created_at'>, EffectRow>({
    ...limits,
    run: async (tokens) => {
      const rows = new Map((await fenceTokens(db, tokens)).map((row) => [row.token, row]))
      return tokens.map(({ token }) => must(rows.get(token)))
    },
  })
  return { write: (effect) => writes.push(effect), fence: (token) => fences.push(token) }
}

async function carryOut(
  { book, slowMs }: { book: Book; slowMs: number },
  behaviour: Behaviour,
  effect: NewEffect,
): Promise<IssuerOutcome> {
  const isWritten = await book.write(effect).catch((error: unknown) => {
    if (wasNotSent(error)) return undefined
    throw error
  })
  if (isWritten === undefined) return { kind: 'not_sent', reason: 'there was no connection to the database' }
  if (!isWritten) return FENCED
  if (behaviour === 'unknown') return LEFT_OPEN
  // Record the effect first, so that a look-up finds it after a restart during a slow operation.
  if (behaviour === 'slow') await pause(slowMs)
  return toConfirmation(effect)
}

type BookAnswer = EffectRow | { readonly kind: 'not_asked'; readonly reason: string }

async function askBook(book: Book, { scope, token }: LookUpRequest, now: Date): Promise<BookAnswer> {
  try {
    return await book.fence({ company_id: scope.companyId, token, created_at: now })
  } catch (error) {
    // Our own database did not answer, so the look-up is made later.
    return { kind: 'not_asked', reason: error instanceof Error ? error.message : String(error) }
  }
}

function toLookUpOutcome(answer: BookAnswer): LookUpOutcome {
  switch (answer.kind) {
    case 'not_asked':
      return answer
    case 'fence':
      return ABSENT
    case 'left_open':
      return LEFT_OPEN
    case 'issue':
    case 'topup':
    case 'service':
    case 'card_status':
    case 'invoice':
      return toConfirmation(answer)
  }
}

async function toInvoiceLookUp(
  db: Db,
  { scope, token }: LookUpRequest,
  answer: BookAnswer,
): Promise<InvoiceLookUpOutcome> {
  if (answer.kind === 'not_asked') return answer
  return answer.kind === 'invoice' ? toInstructions(must(await findPaymentSlot(db, scope, token))) : ABSENT
}

async function createInvoice(
  { db, clock, book }: Pick<Deps, 'db' | 'clock'> & { book: Book },
  request: InvoiceRequest,
): Promise<InvoiceOutcome> {
  const { scope, token, amount } = request
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + INVOICE_LIFETIME_MS)
  const freeAt = new Date(expiresAt.getTime() + PAY_AMOUNT_QUARANTINE_MS)
  const wanted = { invoiceId: token, deposit: amount, addresses: ADDRESSES, expiresAt, freeAt }
  const slot = await claimPaymentSlot(db, scope, now, wanted)
  if (slot === undefined || slot.address === null) {
    const message = 'Every exact amount for this deposit is taken at the moment. Ask for another amount or try later.'
    return { kind: 'declined', code: 'no_amount_free', message }
  }
  // The invoice exists once it is recorded. If a fence came first, only an amount is claimed that nobody was given.
  return (await book.write(toEffect('invoice', request, now))) ? toInstructions(slot) : FENCED
}

function toInstructions({ address, pay_amount, expires_at }: SlotRow): Extract<InvoiceOutcome, { kind: 'confirmed' }> {
  return { kind: 'confirmed', address, payAmount: micros(pay_amount), expiresAt: expires_at }
}

const LEFT_OPEN = { kind: 'unknown', reason: 'the sandbox was told to leave the outcome open', answered: true } as const
const ABSENT = { kind: 'absent', received: { found: false, fenced: true } } as const
const FENCED = {
  kind: 'declined',
  code: 'not_carried_out',
  message: 'The request arrived after a look-up had ruled it out.',
} as const

function declined(message: string): IssuerOutcome {
  return { kind: 'declined', code: 'declined', message, received: { declined: true } }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Also sandbox_receipt in SQL. */
export function receiptOf(token: string): string {
  return `rcpt_${token.replaceAll('-', '')}`
}

function toEffect(
  kind: NewEffect['kind'],
  { scope, token, amount = null }: { scope: Scope; token: string; amount?: bigint | null },
  createdAt: Date,
): NewEffect {
  return {
    company_id: scope.companyId,
    token,
    kind,
    amount,
    receipt: kind === 'left_open' ? null : receiptOf(token),
    last4: kind === 'issue' ? last4Of(token) : null,
    created_at: createdAt,
  }
}

/** Also sandbox_last4 in SQL. */
export function last4Of(token: string): string {
  return (Number.parseInt(token.slice(-8), 16) % 10_000).toString().padStart(4, '0')
}

function toConfirmation({
  token,
  last4,
}: Pick<EffectRow, 'token' | 'last4'>): Extract<IssuerOutcome, { kind: 'confirmed' }> {
  const receipt = receiptOf(token)
  const received = { receipt, last4 }
  return last4 === null ? { kind: 'confirmed', receipt, received } : { kind: 'confirmed', receipt, last4, received }
}
