// What the server requests from an issuer, and every possible outcome. Implementations never retry by themselves: the caller
// decides whether a request may be sent again, and almost always it may not.
import type { Cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'
import type { Micros } from '../tron/usdt.ts'

export interface IssuerRequest {
  readonly scope: Scope
  /** Identifies the request at the issuer: the operation's id. At most one request with it is ever sent. */
  readonly token: string
  readonly amount: Cents
  readonly productId: string
}

export interface IssueCardRequest extends IssuerRequest {
  /** The id that the card will have. */
  readonly cardId: string
  readonly holderId: string
  readonly name: string
  /** Who gets the card. An issuer of our own process does not need it. */
  readonly holder?: Cardholder
}

export interface Cardholder {
  readonly name: string
  readonly email: string
  readonly kind: 'individual' | 'corporate'
}

/** What is asked of an issuer, by its kind. */
export type OfferedKind = 'issue' | 'topup' | 'service' | 'invoice' | 'card_status'

export interface TopUpCardRequest extends IssuerRequest {
  readonly cardId: string
}

export interface OrderServiceRequest extends IssuerRequest {
  readonly recipient: string
}

export interface SetCardStatusRequest {
  readonly scope: Scope
  /** Identifies the request at the issuer: the change's id. At most one request with it is ever sent. */
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
  /** The answer, if there was one, for the review. */
  readonly received?: unknown
}

type NotConfirmed =
  | { readonly kind: 'declined'; readonly code: string; readonly message: string }
  /** Nothing was sent. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  | Unknown

/** It may or may not have happened. `answered` is true if the issuer itself said so, which shows that it is in service. */
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
        /** For a close: the balance that the card returns. If left out, it is the balance that we know. */
        readonly balance?: Cents
      }
    | NotConfirmed
  )

/** Where and exactly what to pay, and until when. */
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

/** What follows from any call of an issuer. */
export type AnyOutcome = IssuerOutcome | InvoiceOutcome | LookUpOutcome | InvoiceLookUpOutcome

export interface LookUpRequest {
  readonly scope: Scope
  readonly token: string
  /** The kind that a confirmation must repeat. Invoices have none, because they are looked up by a separate call. */
  readonly kind?: 'issue' | 'topup' | 'service' | 'card_status'
  /** The amount that a confirmation must repeat; undefined for a card change. */
  readonly amount?: Cents
  /** No look-up follows this one: an issuer that can promise to refuse the token from now on should do so. */
  readonly isLast: boolean
}

/**
 * Says that an issuer keeps its book in our own database, and which operations it does not carry out as soon as it is asked: those with
 * one of these names or recipients, or one of these amounts. The statement that claims another one may carry it out and complete it.
 */
export interface AtOnce {
  readonly exceptTexts: readonly string[]
  readonly exceptAmounts: readonly bigint[]
}

export interface Issuer {
  issueCard(request: IssueCardRequest): Promise<IssuerOutcome>
  topUpCard(request: TopUpCardRequest): Promise<IssuerOutcome>
  orderService(request: OrderServiceRequest): Promise<IssuerOutcome>
  setCardStatus(request: SetCardStatusRequest): Promise<IssuerOutcome>
  createInvoice(request: InvoiceRequest): Promise<InvoiceOutcome>
  /** Carries nothing out and may be called any number of times. */
  lookUp(request: LookUpRequest): Promise<LookUpOutcome>
  lookUpInvoice(request: LookUpRequest & { readonly amount: Cents }): Promise<InvoiceLookUpOutcome>
  /** How long to wait before each look-up of an unknown outcome. If none finds it, a person decides. */
  readonly lookUpDelaysMs: readonly number[]
  /** The most calls that one process has in flight. */
  readonly callsMax: number
  /**
   * The issuer runs in this process and limits its calls itself. Waiting for our own database does not mean that the issuer
   * is down, so its calls have no deadline and its failures do not open the circuit.
   */
  readonly isInProcess: boolean
  /** Left out: every request is sent by itself. */
  readonly atOnce?: AtOnce
  /** The smallest deposit that it accepts by invoice. */
  readonly invoiceMinimum: Cents
  /** Whether it carries out such requests. True until the issuer has said that it does not. */
  offers(kind: OfferedKind): boolean
}
