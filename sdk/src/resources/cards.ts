// The calls of a company about its cards and their holders.
import type { Call } from '../call.ts'
import type {
  Card,
  CardChange,
  CardFilter,
  CardNumberPage,
  CardTotals,
  Holder,
  HolderDetails,
  HolderDetailsEntry,
  HolderFilter,
  HolderUpdate,
  NewHolder,
  PageQuery,
} from '../generated/types.ts'
import { type List, Resource } from '../list.ts'
import type { CallOptions, IdempotentCallOptions } from '../options.ts'

/** Without a limit the server sends the whole list at once; pages of this size bound the memory on both sides. */
const PAGE_LIMIT = 100

/** A changed card has `pendingStatus` while the issuer's answer is not known yet; the card is then as it was. */
export class Cards extends Resource {
  /** The cards, newest first. */
  list(filter: CardFilter = {}, options?: CallOptions): List<Card> {
    return this.transport.list('GET /api/v1/cards', { query: { limit: PAGE_LIMIT, ...filter } }, options)
  }

  /** Returns one card. */
  get(id: string, options?: CallOptions): Call<Card> {
    return this.transport.call('GET /api/v1/cards/{id}', { params: { id } }, options)
  }

  /** How many cards there are, and what is on them. */
  totals(options?: CallOptions): Call<CardTotals> {
    return this.transport.call('GET /api/v1/cards/totals', {}, options)
  }

  /** Who froze, unfroze or closed it, and what became of that, newest first. */
  changes(id: string, query: PageQuery = {}, options?: CallOptions): List<CardChange> {
    return this.transport.list('GET /api/v1/cards/{id}/changes', { params: { id }, query }, options)
  }

  /** No payments and no top-ups until it is unfrozen. */
  freeze(id: string, options?: CallOptions): Call<Card> {
    return this.transport.call('POST /api/v1/cards/{id}/freeze', { params: { id } }, options)
  }

  /** Lets a frozen card pay again. */
  unfreeze(id: string, options?: CallOptions): Call<Card> {
    return this.transport.call('POST /api/v1/cards/{id}/unfreeze', { params: { id } }, options)
  }

  /** Returns the address of a page on which the holder sees the number of the card. It works for a short time. */
  numberPage(id: string, options?: CallOptions): Call<CardNumberPage> {
    return this.transport.call('POST /api/v1/cards/{id}/number-page', { params: { id } }, options)
  }

  /** Closes the card for good. Its balance returns to the card account. */
  close(id: string, options?: CallOptions): Call<Card> {
    return this.transport.call('POST /api/v1/cards/{id}/close', { params: { id } }, options)
  }
}

export class Holders extends Resource {
  /** Creates a cardholder. Sent again safely after a failure, with the same idempotency key. */
  create(holder: NewHolder, options?: IdempotentCallOptions): Call<Holder> {
    return this.transport.callOnce('POST /api/v1/holders', { body: holder }, options)
  }

  /** The cardholders. */
  list(filter: HolderFilter = {}, options?: CallOptions): List<Holder> {
    return this.transport.list('GET /api/v1/holders', { query: { limit: PAGE_LIMIT, ...filter } }, options)
  }

  /** Returns one cardholder. */
  get(id: string, options?: CallOptions): Call<Holder> {
    return this.transport.call('GET /api/v1/holders/{id}', { params: { id } }, options)
  }

  /** What is left out stays as it is. In live another name has to be approved again. */
  update(id: string, change: HolderUpdate, options?: CallOptions): Call<Holder> {
    return this.transport.call('PATCH /api/v1/holders/{id}', { params: { id }, body: change }, options)
  }

  /** Returns what the issuer of live cards needs to know of the cardholder, and when it was last entered; never what was entered. */
  details(id: string, options?: CallOptions): Call<HolderDetails> {
    return this.transport.call('GET /api/v1/holders/{id}/details', { params: { id } }, options)
  }

  /** Hands all details of the cardholder to the issuer of live cards. The server keeps them nowhere. */
  enterDetails(id: string, entry: HolderDetailsEntry, options?: CallOptions): Call<HolderDetails> {
    return this.transport.call('PUT /api/v1/holders/{id}/details', { params: { id }, body: entry }, options)
  }

  /** Erases the personal data for good. */
  erase(id: string, options?: CallOptions): Call<Holder> {
    return this.transport.call('POST /api/v1/holders/{id}/erase', { params: { id } }, options)
  }
}
