// The names of holders and products, for pages that only have their ids.
import type { Holder, Product } from '@cardstock/sdk'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'

/** Returns the newest 100 holders. Any other is shown by their id. */
export function useHolders(): readonly Holder[] {
  const { may } = useWorkplace()
  const query = useData('holders', ['names'], (client, options) => client.holders.list({ limit: 100 }, options), {
    isEnabled: may('holders:read'),
  })
  return query.data?.data ?? []
}

export function useProducts(): readonly Product[] {
  const query = useData('products', ['list'], (client, options) => client.products.list(options))
  return query.data?.data ?? []
}

export function nameOf(list: readonly { id: string; name: string }[], id: string): string {
  return list.find((item) => item.id === id)?.name ?? id
}
