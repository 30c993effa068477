// The order of a list as a field: for narrow screens, which have no heads, and for orders that no column shows.
import { NativeSelect } from '@mantine/core'
import { useNarrow } from '~/lib/use-narrow.ts'
import { type ListSorts, type Order, SORT_TITLES, sortsOf } from './sort.ts'

export function OrderField({ sorts, order }: { sorts: ListSorts; order: Order }) {
  const isNarrow = useNarrow()
  // Lists by time have a column with it.
  if (sorts === 'time' && !isNarrow) return null
  return (
    <NativeSelect
      label="Order"
      value={order.current ?? ''}
      data={sortsOf(sorts).map((value) => ({ value, label: SORT_TITLES[value] }))}
      onChange={(event) => order.set(event.currentTarget.value)}
    />
  )
}
