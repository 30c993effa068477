// What the server asks of an issuer, and every way an answer can turn out. Implementations never retry by themselves:
// whether something may be sent again is decided by the caller, and the answer is almost always no.
import type { Cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { Micros } from '../lib/usdt.ts'

export interface IssuerRequest {
  readonly scope: Scope
  /** Names the request at the issuer: the operation's id. At most one request with it ever leaves. */
  readonly token: string
  readonly amount: Cents
  readonly productId: string
}

export interface IssueCardRequest extends IssuerRequest {
  readonly holderId: string
  readonly name: string
}

export interface TopUpCardRequest extends IssuerRequest {
  readonly cardId: string
}

export interface OrderServiceRequest extends IssuerRequest {
  readonly recipient: string
}

export interface SetCardStatusRequest {
  readonly scope: Scope
  /** Names the request at the issuer: the change's id. At most one request with it ever leaves. */
  readonly token: string
  readonly cardId: string
  readonly status: 'active' | 'frozen' | 'closed'
}

export interface InvoiceRequest {
  readonly scope: Scope
  /** The invoice's id. */
  readonly token: string
  readonly amount: Cents
}

interface Evidence {
  /** What came back, as far as anything did: for the dossier. */
  readonly received?: unknown
}

type NotConfirmed =
  | { readonly kind: 'declined'; readonly code: string; readonly message: string }
  /** Nothing left this machine. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  /** It may or may not have happened. */
  | { readonly kind: 'unknown'; readonly reason: string }

export type IssuerOutcome = Evidence &
  (
    | {
        readonly kind: 'confirmed'
        readonly receipt: string
        readonly last4?: string
        /** Of a close: what comes back from the card. Left out, it is the balance that we know. */
        readonly balance?: Cents
      }
    | NotConfirmed
  )

/** Where and what exactly to pay, and until when. */
export interface PaymentInstructions {
  readonly address: string
  readonly payAmount: Micros
  readonly expiresAt: Date
}

export type InvoiceOutcome = Evidence & (({ readonly kind: 'confirmed' } & PaymentInstructions) | NotConfirmed)

/** A look-up proves that something happened or was refused; "not found" is no proof that it will not happen. */
export type LookUpOutcome = Exclude<IssuerOutcome, { kind: 'not_sent' }>
export type InvoiceLookUpOutcome = Exclude<InvoiceOutcome, { kind: 'not_sent' }>

export interface Issuer {
  issueCard(request: IssueCardRequest): Promise<IssuerOutcome>
  topUpCard(request: TopUpCardRequest): Promise<IssuerOutcome>
  orderService(request: OrderServiceRequest): Promise<IssuerOutcome>
  setCardStatus(request: SetCardStatusRequest): Promise<IssuerOutcome>
  createInvoice(request: InvoiceRequest): Promise<InvoiceOutcome>
  /** Read-only: asking any number of times changes nothing. `amount` is what a confirmation has to echo. */
  lookUp(scope: Scope, token: string, amount?: Cents): Promise<LookUpOutcome>
  lookUpInvoice(request: InvoiceRequest): Promise<InvoiceLookUpOutcome>
  /** After an unknown outcome, how long to wait before each look-up. When all were in vain a person decides. */
  readonly lookUpDelaysMs: readonly number[]
  /** The smallest deposit that it takes by invoice. */
  readonly invoiceMinimum: Cents
}

/** The part that operations need. */
export type OperationIssuer = Pick<Issuer, 'issueCard' | 'topUpCard' | 'orderService' | 'lookUp' | 'lookUpDelaysMs'>
