// A card provider that exists only in memory, with everything that goes wrong at real ones: answers that are lost after the call had its
// effect, calls that never arrive, objects that a look-up does not find.
export type Fault =
  /** The call has its effect, and the answer is lost. */
  | 'lost'
  /** The call never arrives, and the caller cannot know that. */
  | 'dropped'
  /** The connection is not made. */
  | 'unreachable'

export interface BankCard {
  readonly id: string
  readonly reference: string
  readonly holder: string
  readonly last4: string
  status: 'active' | 'frozen' | 'closed'
  balance: bigint
}

/** The answer was lost. */
export class LostAnswer extends Error {}
/** The connection was not made. */
export class Unreachable extends Error {}
/** The bank refused, and nothing was changed. */
export class BankRefusal extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export class Bank {
  float = 1_000_000n
  readonly holders = new Map<string, string>()
  readonly cards = new Map<string, BankCard>()
  readonly transfers = new Map<string, { cardId: string; amount: bigint }>()
  /** Every call that was carried out, by what it was for. */
  readonly calls: string[] = []
  readonly events: { id: string; providerCardId: string; kind: 'payment' | 'status'; amount: bigint }[] = []
  /** Look-ups do not find what is there. */
  isBlind = false
  #faults: { call: string; fault: Fault }[] = []
  #count = 0

  fail(call: string, fault: Fault): void {
    this.#faults.push({ call, fault })
  }

  createHolder(reference: string): string {
    return this.#call(`holder ${reference}`, () => {
      // As at real providers, nothing hinders a second holder with the same reference.
      const id = `h${(this.#count += 1)}`
      this.holders.set(id, reference)
      return id
    })
  }

  createCard(key: string, holder: string): BankCard {
    return this.#call(`card ${key}`, () => {
      const known = [...this.cards.values()].find(({ reference }) => reference === key)
      if (known !== undefined) return known
      const id = `c${(this.#count += 1)}`
      const last4 = this.#count.toString().padStart(4, '0')
      const card: BankCard = { id, reference: key, holder, last4, status: 'active', balance: 0n }
      this.cards.set(id, card)
      return card
    })
  }

  transfer(key: string, cardId: string, amount: bigint): void {
    this.#call(`transfer ${key}`, () => {
      if (this.transfers.has(key)) return
      const card = this.card(cardId)
      if (this.float < amount || card.balance + amount < 0n) throw new BankRefusal('insufficient_funds')
      this.float -= amount
      card.balance += amount
      this.transfers.set(key, { cardId, amount })
    })
  }

  changeStatus(cardId: string, status: BankCard['status']): void {
    this.#call(`status ${cardId} ${status}`, () => {
      const card = this.card(cardId)
      if (card.status === 'closed' && status !== 'closed') throw new BankRefusal('card_closed')
      card.status = status
      this.#event(cardId, 'status', 0n)
    })
  }

  /** Somebody pays with the card. */
  pay(cardId: string, amount: bigint): void {
    this.card(cardId).balance -= amount
    this.#event(cardId, 'payment', amount)
  }

  card(id: string): BankCard {
    const card = this.cards.get(id)
    if (card === undefined) throw new BankRefusal('no_such_card')
    return card
  }

  /** Undefined if it is not there, or not to be seen. */
  look<Value>(value: Value | undefined): Value | undefined {
    return this.isBlind ? undefined : value
  }

  #event(providerCardId: string, kind: 'payment' | 'status', amount: bigint): void {
    this.events.push({ id: `e${this.events.length + 1}`, providerCardId, kind, amount })
  }

  #call<Result>(name: string, act: () => Result): Result {
    const index = this.#faults.findIndex(({ call }) => name.startsWith(call))
    const fault = index === -1 ? undefined : this.#faults.splice(index, 1)[0]?.fault
    if (fault === 'unreachable') throw new Unreachable('the bank cannot be reached')
    if (fault === 'dropped') throw new LostAnswer('no answer')
    const result = act()
    this.calls.push(name)
    if (fault === 'lost') throw new LostAnswer('no answer')
    return result
  }
}
