// What the server finds for the palette: holders by name or e-mail address, cards by name or last four digits, payments by merchant. These belong
// to the chosen company and environment. Operators also find companies by name.
import { api } from '~/api/client.ts'
import { useWorkplace } from '~/api/company.tsx'
import { useData } from '~/api/use-data.ts'
import { useSettled } from '~/lib/use-settled.ts'
import { paths } from '~/paths.ts'
import type { IconName } from '~/ui/icon-shapes.ts'
import { formatMoney } from '~/ui/money.tsx'
import { formatTime } from '~/ui/time.tsx'

interface FoundObject {
  readonly key: string
  readonly title: string
  readonly hint: string
  readonly icon: IconName
  readonly href: string
}

interface Found {
  readonly objects: readonly FoundObject[]
  readonly isSearching: boolean
}

/** The server refuses shorter and longer texts. */
const LENGTH_MIN = 2
const LENGTH_MAX = 100
/** As many of each kind as fit beside the others. Whoever looks for more uses the list, which has the same search. */
const SHOWN_MAX = 5

export function useFound(text: string): Found {
  const { company, may } = useWorkplace()
  const q = useSettled(text)
  const mayFind = company !== undefined || may('programme')
  const isEnabled = mayFind && q.length >= LENGTH_MIN && q.length <= LENGTH_MAX
  const query = { q, limit: SHOWN_MAX }
  const none = Promise.resolve({ data: [] })
  const { data, isFetching } = useData(
    'holders',
    ['palette', q],
    async (client, options): Promise<FoundObject[]> => {
      const [holders, cards, payments, companies] = await Promise.all([
        may('holders:read') ? client.holders.list(query, options) : none,
        may('cards:read') ? client.cards.list(query, options) : none,
        may('operations:read') ? client.transactions.list(query, options) : none,
        may('programme') ? api.admin.companies.list(query, options) : none,
      ])
      return [
        ...companies.data.map(({ id, name }) => found(id, name, 'Company', 'building', paths.company(id))),
        ...holders.data.map(({ id, name, email }) => found(id, name, email, 'users', paths.holder(id))),
        ...cards.data.map(({ id, name, last4, holder }) =>
          found(id, `${name} ·· ${last4}`, holder?.name ?? 'Card', 'card', paths.card(id)),
        ),
        ...payments.data.map(({ id, merchant, amount, currency, occurredAt }) =>
          found(
            id,
            `${merchant} ${formatMoney(amount)} ${currency}`,
            formatTime(occurredAt, 'day'),
            'receipt',
            paths.transaction(id),
          ),
        ),
      ]
    },
    { isEnabled },
  )
  const isOld = q !== text
  return {
    objects: isEnabled && !isOld ? (data ?? []) : [],
    isSearching: isFetching || (isOld && mayFind),
  }
}

function found(key: string, title: string, hint: string, icon: IconName, href: string): FoundObject {
  return { key, title, hint, icon, href }
}
