// What a card provider is to the adapter. A provider is one folder in adapter/providers/. It knows its provider's calls and what their
// answers prove; the kernel stores each step before it is taken, never takes one twice, and serialises what concerns the same card.
import type { CardStatusChanged, CardTransaction } from '../issuer/http/event-schema.ts'
import type { RequestBody, RequestKind } from '../issuer/http/protocol.ts'

type CardBody = Extract<RequestBody, { kind: 'issue' | 'topup' | 'card_status' }>

/** What is remembered of a step or of an object at the provider. Never a card number, a CVV or a key. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

/** A cardholder or a card as the provider knows it. `id` is ours (hld_…, card_…), `providerId` is the provider's. */
export interface ProviderObject {
  readonly kind: 'holder' | 'card'
  readonly id: string
  readonly providerId: string
  readonly facts: Facts
}

/** What a provider needs to know of a holder beyond name and e-mail, such as an address, as the operator entered it. */
export type HolderDetails = Readonly<Record<string, string>>

/** One of the holder details that a provider takes. The kernel checks what an operator enters, and says which are missing. */
export interface HolderField {
  /** The key in HolderDetails. */
  readonly name: string
  /** What it is, for people, such as `Postal code`. */
  readonly label: string
  readonly isRequired: boolean
  /** A regular expression that matches the whole value. */
  readonly pattern: string
}

/** A request of the server, with what the adapter knows about its card and its holder. */
export interface CardRequest<Body extends CardBody = CardBody> {
  /** A UUID. It is the idempotency key wherever the provider takes one. */
  readonly token: string
  readonly body: Body
  readonly card: ProviderObject | undefined
  readonly holder: ProviderObject | undefined
  readonly holderDetails: HolderDetails | undefined
}

export interface Done {
  readonly kind: 'done'
  readonly facts: Facts
  /** What exists at the provider now. It is stored together with the step. */
  readonly objects?: readonly ProviderObject[]
}

/** It was not carried out and never will be. */
export interface Refused {
  readonly kind: 'refused'
  /** Small letters, digits and underscores. */
  readonly code: string
  readonly message: string
}

/** What became of a call. */
export type Sent =
  | Done
  | Refused
  /** It certainly had no effect, such as a connection that was not made or a 429: it may be sent again by itself. */
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** What a look-up found. */
export type Found =
  | Done
  | Refused
  /** The provider does not know it now. It may still arrive, so this proves nothing by itself. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** One call that changes something at the provider. The kernel commits that it is being sent before it calls `send`. */
export interface Action {
  readonly type: 'action'
  /** Unique within the request, such as `card`. */
  readonly name: string
  /** What is sent, for the person who has to decide about it. */
  readonly shows: Facts
  /**
   * Whether a person may have it sent once more with the same idempotency key, while the provider remembers the key. False if the provider
   * takes no key for this call; `always` if a second one changes nothing, so that it needs no key.
   */
  readonly isRepeatable: boolean | 'always'
  send(): Promise<Sent>
  /** Finds out what became of it, without changing anything. */
  lookUp(): Promise<Found>
}

/** One call that changes nothing, and may be made again. Its facts are stored, so that what follows from them stays the same. */
export interface Reading {
  readonly type: 'reading'
  readonly name: string
  read(): Promise<Done | Refused | { readonly kind: 'unknown'; readonly reason: string }>
}

export type Step = Action | Reading

/** The steps that have ended, by their names. */
export type History = Readonly<
  Record<
    string,
    { readonly outcome: 'done'; readonly facts: Facts } | ({ readonly outcome: 'refused' } & Omit<Refused, 'kind'>)
  >
>

export type Next =
  | { readonly kind: 'step'; readonly step: Step }
  /** `last4` of an issued card, and `balance` that was left on a closed one. */
  | { readonly kind: 'done'; readonly receipt: string; readonly last4?: string; readonly balance?: string }
  | Refused

export type ProviderEvent =
  | {
      readonly kind: 'transaction'
      /** The same state of the same payment always has the same id. */
      readonly id: string
      readonly providerCardId: string
      readonly transaction: Omit<CardTransaction['data'], 'cardId'>
      readonly createdAt: string
    }
  /** Somebody changed the card. The kernel reads it, and reports only what the server did not ask for. */
  | {
      readonly kind: 'card_status'
      readonly id: string
      readonly providerCardId: string
      readonly createdAt: string
    }

export interface Polled {
  readonly events: readonly ProviderEvent[]
  /** Where the next poll goes on. */
  readonly cursor: string
  readonly isMore: boolean
}

/** A card at the provider, for reconciliation. Amounts in cents. */
export interface ProviderCard {
  readonly providerId: string
  readonly status: CardStatusChanged['data']['status']
  /** The balance, or the limit in the limit mode. */
  readonly amount: bigint
}

/** One card, as it was read by itself. */
export interface ReadCard extends ProviderCard {
  /** The mode of this card, which another setting does not change: its amount is what is left on it, or its limit. */
  readonly mode: ProviderAbout['cardMode']
}

export interface ProviderAbout {
  /** For people, such as `Lithic (sandbox)`. */
  readonly provider: string
  readonly mode: 'test' | 'live'
  readonly cardMode: 'balance' | 'limit'
  readonly kinds: readonly Exclude<RequestKind, 'invoice'>[]
}

export interface CardProvider {
  readonly about: ProviderAbout
  /** Empty if name and e-mail are enough. */
  readonly holderFields: readonly HolderField[]
  /** How long the provider certainly remembers an idempotency key, with a margin. */
  readonly keyLifetimeMs: number
  /** Checks the key and the settings. Throws a SetUpError that says what to change, or an UnreachableError while the provider cannot be asked. */
  check(): Promise<void>
  /**
   * Returns what nobody else may use while the request is carried out, such as the money of a card (see `moneySubject`). Two requests that share a subject run
   * one after the other. An outcome that waits for a person keeps its subjects.
   */
  subjectsOf(request: CardRequest): readonly string[]
  /** Decides what comes next from what has been done. It calls nothing, and gives the same answer for the same history. */
  next(request: CardRequest, history: History): Next
  /** Returns what happened after `cursor`; from now on if it is undefined. Throws if the provider cannot be read. */
  poll(cursor: string | undefined): Promise<Polled>
  /** Reads one card. Throws if the provider cannot be read. */
  readCard(card: ProviderObject): Promise<ReadCard>
  /**
   * Lists the cards at the provider, also those that somebody made by hand. `modeOf` returns the mode of a card by its id at the provider. Throws
   * if the provider cannot be read.
   */
  listCards(modeOf: (providerId: string) => ProviderAbout['cardMode']): AsyncIterable<ProviderCard>
  /** What the operator has at the provider to pay for cards, in cents; undefined if the provider does not say. */
  readFloat(): Promise<bigint | undefined>
  /** A page of the provider on which the holder sees the number of the card. Undefined if the provider has none. */
  numberPage?(card: ProviderObject): Promise<{ readonly url: string; readonly expiresAt: Date }>
  close(): Promise<void>
}

/** The subjects that requests share. Others are the provider's own. */
export const statusSubject = (cardId: string) => `status of ${cardId}`
export const moneySubject = (cardId: string) => `money of ${cardId}`
export const holderSubject = (holderId: string) => `holder ${holderId}`
