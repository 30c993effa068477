// A row of the spend in words, on the page and in its file.
import type { Spend, SpendFilter, SpendRow } from '@cardstock/sdk'
import { toCsvLine } from '@cardstock/sdk/csv'
import { formatMonth } from '~/lib/day.ts'

export const GROUPS: Readonly<Record<SpendFilter['by'], string>> = {
  month: 'Month',
  card: 'Card',
  holder: 'Holder',
  merchant: 'Merchant',
  category: 'Category',
}

export function nameRow({ month, merchant, category, card, holder }: SpendRow): string {
  if (month !== undefined) return formatMonth(month)
  if (merchant !== undefined) return merchant === '' ? 'Unknown merchant' : merchant
  if (category !== undefined) return category.name
  if (card !== undefined) return `${card.name} ·· ${card.last4}`
  return holder?.name ?? '–'
}

/** The last line has the rows that the server left out, so that the amounts add up. */
export function toCsv(by: SpendFilter['by'], { data, others }: Pick<Spend, 'data' | 'others'>): string {
  const header = toCsvLine([by, 'id', 'payments', 'amount', 'currency'])
  const lines = data.map((row) =>
    // A row of a card names the holder too; the id is that of the card. Programs sort months as the API writes them.
    toCsvLine([row.month ?? nameRow(row), row.card?.id ?? row.holder?.id ?? '', String(row.count), row.amount, 'USD']),
  )
  const rest =
    others === null
      ? ''
      : toCsvLine([`Others (${others.groups} not listed)`, '', String(others.count), others.amount, 'USD'])
  return header + lines.join('') + rest
}
