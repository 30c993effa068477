// The price in effect now, for all companies or for one: what a new price begins with and is compared with.
import type { CatalogProduct, OperationType, Price, Pricing } from '@cardstock/sdk'
import { api } from '~/api/client.ts'
import { SaidError } from '~/api/errors.ts'
import { useData } from '~/api/use-data.ts'
import { now } from '~/lib/clock.ts'
import { toText } from './percent.ts'
import type { PricingText } from './pricing-fields.tsx'

const PRICES_PER_PAGE = 100
/** A thousand prices: many years of changes. */
const PAGES_MAX = 10

export interface TodaysPrice {
  /** As the fields show it. Undefined while it is being read, and when it is not known. */
  readonly pricing: PricingText | undefined
  readonly isReading: boolean
  /** Why it is not known. */
  readonly error: unknown
  retry(): void
}

/** A company without a price of its own pays the general one. */
export function useTodaysPrice(product: CatalogProduct, type: OperationType, companyId: string): TodaysPrice {
  const query = useData(
    'catalogue',
    ['price of', product.id, type, companyId],
    (_client, options) => readOwnPrice(product.id, type, companyId, options),
    { isEnabled: companyId !== '' },
  )
  const general = type === 'topup' ? product.topupPricing : product.pricing
  const own = companyId === '' ? null : query.data
  return {
    pricing: own === undefined ? undefined : toText(own ?? general),
    isReading: companyId !== '' && query.isPending,
    error: query.data === undefined && companyId !== '' ? query.error : undefined,
    retry: () => void query.refetch(),
  }
}

/** Returns the price of its own that a company pays now, or null if it has none. */
async function readOwnPrice(
  productId: string,
  type: OperationType,
  companyId: string,
  options: { signal: AbortSignal },
): Promise<Pricing | null> {
  let newest: Price | undefined
  let cursor: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { limit: PRICES_PER_PAGE, ...(cursor === null ? {} : { cursor }) }
    const batch: { data: Price[]; nextCursor: string | null } = await api.admin.products.listPrices(
      productId,
      query,
      options,
    )
    for (const price of batch.data)
      if (price.operationType === type && price.companyId === companyId) newest = laterOf(newest, price)
    cursor = batch.nextCursor
    if (cursor === null) return newest?.pricing ?? null
  }
  throw new SaidError('This product has too many prices to find the one that the company pays today.')
}

/** Of two prices from the same time, the one that was set last counts. The list has it first. */
function laterOf(found: Price | undefined, price: Price): Price | undefined {
  const from = Date.parse(price.validFrom)
  // One that took effect when it was set has done so, also by a clock of this computer that is slow.
  if (from > now() && from > Date.parse(price.createdAt)) return found
  return found === undefined || from > Date.parse(found.validFrom) ? price : found
}
