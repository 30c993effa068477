// The products, and their names for pages that only have their ids. There are few, and all are read.
import type { Product } from '@cardstock/sdk'
import { useData } from '~/api/use-data.ts'

export function useProducts(): readonly Product[] {
  const query = useData('products', ['list'], (client, options) => client.products.list(options))
  return query.data?.data ?? []
}

export function nameOf(list: readonly { id: string; name: string }[], id: string): string {
  return list.find((item) => item.id === id)?.name ?? id
}
