// Asks the server for the price of what is typed. Only the difference to the balance is computed here.
import { amounts, type NewOperation, type Quote } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'
import { useSettled } from '~/lib/use-settled.ts'

export interface Priced {
  readonly quote: Quote | undefined
  readonly error: unknown
  /** What remains available; undefined when there is no quote. */
  readonly availableAfter: string | undefined
  readonly isShort: boolean
  /** Whether the quote is for what was typed before the last change. */
  readonly isOld: boolean
}

export function useQuote(draft: NewOperation | undefined): Priced {
  const text = useSettled(draft === undefined ? '' : JSON.stringify(draft))
  const query = useData(
    'products',
    ['quote', text],
    (client, options) => client.quotes.create(JSON.parse(text) as NewOperation, options),
    { isEnabled: text !== '', keepsFormer: true },
  )
  const balance = useData('balance', [], (client, options) => client.balance.get(options))
  const isOld = query.isPlaceholderData || text !== (draft === undefined ? '' : JSON.stringify(draft))
  const quote = draft === undefined ? undefined : query.data
  const availableAfter =
    quote === undefined || balance.data === undefined
      ? undefined
      : amounts.subtract(balance.data.available, quote.total)
  return {
    quote,
    error: draft === undefined || isOld ? undefined : (query.error ?? undefined),
    availableAfter,
    isShort: availableAfter?.startsWith('-') === true,
    isOld,
  }
}
