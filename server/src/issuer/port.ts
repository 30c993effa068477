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
  | Unknown

/** It may or may not have happened. `answered` when the issuer itself said so, which shows that it is in service. */
export interface Unknown {
  readonly kind: 'unknown'
  readonly reason: string
  readonly answered?: boolean
}

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

export type OnlyOfLookUps = Evidence &
  (
    | {
        /** It did not happen, and the issuer will refuse it from now on. "Not found" alone does not promise that. */ readonly kind: 'absent'
      }
    /** The issuer could not be asked. That says nothing about the request. */
    | { readonly kind: 'not_asked'; readonly reason: string }
  )

export type LookUpOutcome = Exclude<IssuerOutcome, { kind: 'not_sent' }> | OnlyOfLookUps
export type InvoiceLookUpOutcome = Exclude<InvoiceOutcome, { kind: 'not_sent' }> | OnlyOfLookUps

export interface LookUpRequest {
  readonly scope: Scope
  readonly token: string
  /** What a confirmation has to echo. An invoice has none: it is looked up by a call of its own. */
  readonly kind?: 'issue' | 'topup' | 'service' | 'card_status'
  /** What a confirmation has to echo; undefined for a card change. */
  readonly amount?: Cents
  /** No look-up follows this one: an issuer that can promise to refuse the token from now on should do so. */
  readonly isLast: boolean
}

export interface Issuer {
  issueCard(request: IssueCardRequest): Promise<IssuerOutcome>
  topUpCard(request: TopUpCardRequest): Promise<IssuerOutcome>
  orderService(request: OrderServiceRequest): Promise<IssuerOutcome>
  setCardStatus(request: SetCardStatusRequest): Promise<IssuerOutcome>
  createInvoice(request: InvoiceRequest): Promise<InvoiceOutcome>
  /** Carries nothing out, and may be asked any number of times. */
  lookUp(request: LookUpRequest): Promise<LookUpOutcome>
  lookUpInvoice(request: LookUpRequest & { readonly amount: Cents }): Promise<InvoiceLookUpOutcome>
  /** After an unknown outcome, how long to wait before each look-up. When all were in vain a person decides. */
  readonly lookUpDelaysMs: readonly number[]
  /** The most calls that one process has in flight. */
  readonly callsMax: number
  /**
   * The issuer runs in this process and bounds its calls itself. Waiting for our own database is not the issuer's silence,
   * so that its calls have no deadline and its failures do not open the circuit.
   */
  readonly isInProcess: boolean
  /** The smallest deposit that it takes by invoice. */
  readonly invoiceMinimum: Cents
}
