// Chooses a card by the beginning of its last four digits, its name, or its holder's name or e-mail address.
import type { Card } from '@cardstock/sdk'
import { useState } from 'react'
import { useData } from '~/api/use-data.ts'
import { SearchSelect } from '~/ui/search-select.tsx'
import { searchOf, SUGGESTIONS_MAX, useTyped } from './search.ts'

interface Props {
  /** The name of the field in the API. */
  readonly param?: string
  readonly label?: string
  readonly required?: boolean
  readonly value: string
  /** Only cards with this status are offered. */
  readonly status?: Card['status']
  onChange(value: string): void
}

export function CardField({ label = 'Card', value, status, onChange, ...field }: Props) {
  const [text, setText] = useState('')
  const typed = useTyped(text)
  const filter = { ...searchOf(typed), ...(status === undefined ? {} : { status }), limit: SUGGESTIONS_MAX }
  const found = useData('cards', ['search', filter], (client, options) => client.cards.list(filter, options), {
    keepsFormer: true,
  })
  const chosen = useData('cards', [value], (client, options) => client.cards.get(value, options), {
    isEnabled: value !== '',
  })
  return (
    <SearchSelect
      {...field}
      label={label}
      placeholder="Last four or holder"
      value={value}
      chosen={value === '' || chosen.data === undefined ? undefined : toChoice(chosen.data)}
      found={(found.data?.data ?? []).map(toChoice)}
      isSearching={found.isFetching}
      search={setText}
      onChange={onChange}
    />
  )
}

function toChoice({ id, last4, name, holder }: Card) {
  const of = holder === undefined || holder.name === name ? '' : `, ${holder.name}`
  return { value: id, label: `•••• ${last4} ${name}${of}` }
}
