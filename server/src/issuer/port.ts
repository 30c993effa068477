// What the server asks of an issuer, and every way an answer can turn out. Implementations never retry by themselves:
// whether something may be sent again is decided by the caller, and the answer is almost always no.
import type { Cents } from '../lib/money.ts'
import type { Scope } from '../lib/scope.ts'

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

interface Evidence {
  /** What came back, as far as anything did: for the dossier. */
  readonly received?: unknown
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
    | { readonly kind: 'declined'; readonly code: string; readonly message: string }
    /** Nothing left this machine. */
    | { readonly kind: 'not_sent'; readonly reason: string }
    /** It may or may not have happened. */
    | { readonly kind: 'unknown'; readonly reason: string }
  )

/** A look-up proves that something happened or was refused; "not found" is no proof that it will not happen. */
export type LookUpOutcome = Exclude<IssuerOutcome, { kind: 'not_sent' }>

export interface Issuer {
  issueCard(request: IssueCardRequest): Promise<IssuerOutcome>
  topUpCard(request: TopUpCardRequest): Promise<IssuerOutcome>
  orderService(request: OrderServiceRequest): Promise<IssuerOutcome>
  setCardStatus(request: SetCardStatusRequest): Promise<IssuerOutcome>
  /** Read-only: asking any number of times changes nothing. */
  lookUp(scope: Scope, token: string): Promise<LookUpOutcome>
  /** After an unknown outcome, how long to wait before each look-up. When all were in vain a person decides. */
  readonly lookUpDelaysMs: readonly number[]
}
