// What the judge is given besides the database: what clients, the issuer and the receivers of webhooks saw. Each part is
// optional; without it, the judge leaves out the checks that need it.
import type { Environment } from '../../../src/lib/scope.ts'

/** What a client got: the object, a 409 for the key, or another refusal. Undefined if no answer arrived. */
export type ClientAnswer =
  | { readonly kind: 'accepted'; readonly id: string }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly code: string }

/** One request that creates something. All times are in milliseconds. Ids are UUIDs without prefix. */
export interface ClientRequest {
  readonly companyId: string
  readonly environment: Environment
  readonly object: 'operation' | 'invoice' | 'deposit'
  readonly idempotencyKey: string
  /** The body. Two requests are the same if this text is the same. */
  readonly payload: string
  /** What the request would reserve, in cents, if the client knows it. */
  readonly total?: bigint
  /** The API key that it was sent with. */
  readonly keyId?: string
  readonly sentAtMs: number
  readonly answeredAtMs?: number
  readonly answer?: ClientAnswer
}

/** A key that a client saw revoked: from this time on the revocation was acknowledged. */
export interface Revocation {
  readonly keyId: string
  readonly atMs: number
}

/** A page walk over a list with unchanging filters, after writes have stopped. */
export interface ListWalk {
  readonly what: string
  readonly expected: readonly string[]
  readonly seen: readonly string[]
}

/** The issuer's own book. Look-ups are not in it: they carry nothing out. */
export interface IssuerBook {
  readonly environment: Environment
  /** Every request that reached the issuer, however often. */
  readonly requests: readonly {
    readonly token: string
    readonly companyId: string
    readonly amount: bigint | undefined
    readonly atMs: number
  }[]
  /** What it carried out. */
  readonly effects: readonly { readonly token: string; readonly amount: bigint | undefined }[]
  /** Payments of invoices that it saw, in micro-USDT. */
  readonly payments?: readonly { readonly key: string; readonly invoiceId: string; readonly amount: bigint }[]
}

/** A webhook that reached a receiver, and how the receiver answered. */
export interface Arrival {
  readonly endpointId: string
  readonly eventId: string
  /** Undefined if the receiver did not answer in time. */
  readonly statusCode: number | undefined
}

export interface Evidence {
  readonly clients?: readonly ClientRequest[]
  readonly revocations?: readonly Revocation[]
  readonly walks?: readonly ListWalk[]
  readonly issuers?: readonly IssuerBook[]
  readonly arrivals?: readonly Arrival[]
  /** How many cards a company may issue per UTC month. Defaults to 500 for individuals. */
  readonly quotaOf?: (companyId: string) => number | undefined
  /** Faults have stopped, and there was time for everything to end: nothing may be under way any more. */
  readonly isQuiet?: boolean
}
